/* Bounded YAML reader on libyaml's event interface.
 *
 * Gives a flat list of scalars with their paths. Limits: 1 MiB of text, depth 16, 20 000 scalars of
 * 4 KiB; one document; no anchors, aliases, merges or duplicate keys. Every error has line and
 * column.
 */
#ifndef NPU_ISA_YAML_H
#define NPU_ISA_YAML_H

#include "isa/base/diag.h"

typedef struct YamlItem {
    const char *path;   /* "uops.vmins.latency.value"; list items are numbered from 0 */
    const char *value;  /* scalar text */
    bool quoted;
    Loc key_loc, loc;   /* of the key and of the value */
    Loc owner_loc;      /* of the key of the enclosing mapping or list; line 0 at the top */
} YamlItem;

typedef struct YamlDoc YamlDoc;
/* NULL after an error in d. `name` is the file name that messages show (kept, not copied). */
YamlDoc *yaml_read_file(const char *name, Diag *d);
YamlDoc *yaml_read_text(const char *name, const char *text, size_t n, Diag *d);
void yaml_doc_free(YamlDoc *y); /* libyaml itself exports a yaml_free */
size_t yaml_count(const YamlDoc *y);
const YamlItem *yaml_at(const YamlDoc *y, size_t i);

#endif
