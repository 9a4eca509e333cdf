/* Reads target files. One key table binds, checks, prints and documents the keys. */
#ifndef NPU_ISA_TARGET_FILE_H
#define NPU_ISA_TARGET_FILE_H

#include "isa/table/target.h"
#include "isa/base/diag.h"

/* name: a built-in target, one of its aliases (a2, a3, a5), or a path to a .yaml file.
 * sets: KEY=VALUE overrides (nsets of them), kind `assumed`, source "--set".
 * NULL after errors in d (all problems of the file are reported, not only the first). */
Target *target_load(const char *name, const char *const *sets, int nsets, Diag *d);
/* n targets with the same overrides: each takes those whose key it has, one that none has is an
 * error. out: all of them, or after an error NULLs. */
bool targets_load(const char *const *names, int n, const char *const *sets, int nsets, Target **out, Diag *d);
void target_free(Target *t);

/* Names of the built-in targets, NULL-terminated. */
const char *const *target_builtin(void);
/* The built-in name for an alias or architecture name ("a5" -> "950"); NULL if unknown. */
const char *target_canonical(const char *name);

/* Every key of the target in file order. */
typedef struct TargetKey {
    const char *path;      /* "ub.bytes", "uops.vmins.latency.f32" */
    const char *value;     /* as text */
    bool numeric;          /* has provenance */
    Num num;
    const char *doc;       /* one line: meaning and unit */
} TargetKey;
size_t target_key_count(const Target *t);
const TargetKey *target_key_at(const Target *t, size_t i);

#endif
