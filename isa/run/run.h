/* Executes a program statement by statement.
 *
 * The interpreter owns values, tiles, buffers and the machine. Each step executes one statement
 * that makes work for a pipe: its micro-operations are lowered, applied to UB bytes in program
 * order, and handed to the caller, who times them.
 */
#ifndef NPU_ISA_RUN_H
#define NPU_ISA_RUN_H

#include "isa/exec/machine.h"
#include "isa/read/trace.h"
#include "isa/run/sync_log.h"
#include "isa/table/instr.h"

typedef enum SyncMode { SYNC_AUTO, SYNC_AS_WRITTEN, SYNC_IDEAL } SyncMode;

/* --arg, --init, --dump, --print, --expect and their directives. Texts are borrowed. */
typedef struct Binding {
    const char *name;      /* without % */
    bool tile;             /* the name had a % sign */
    const char *spec;      /* npy("x"), zeros(2x3xf32), x.npy, 3.5 ...; output file for dumps */
    const char *tolerance; /* expectations: "exact", "atol=.. rtol=..", "ulp=.."; may be NULL */
    const char *dir;       /* relative paths start here; NULL: the working directory */
    Loc loc;
    bool used;             /* the run met the name */
} Binding;

typedef struct BindingList {
    Binding *v;
    int n, cap;
} BindingList;
void binding_add(BindingList *l, Binding b);

typedef struct RunOptions {
    bool results;          /* compute data */
    bool checks;           /* order of accesses, mask state, special values */
    bool full;             /* the shadow of UB too */
    bool stale;            /* unordered readers see old bytes (as-written order) */
    bool check_only;       /* npusim check: no data is asked for, none is given out */
    SyncMode sync;
    bool show_sync;        /* keep what --sync auto inserts */
    bool go_on;            /* --on-error continue */
    uint64_t seed;
    const char *entry;     /* NULL: the only function, or the one marked as entry */
    uint64_t block_index, block_count, subblock_index, subblock_count;  /* as the kernel sees them */
    const char *block_name; /* "block 3" */
    bool several;          /* blocks run one after the other on one global memory */
    uint64_t poison;       /* UB before the run */
    BindingList args, inits, dumps, prints, expects; /* from the command line: they win */
} RunOptions;

/* What one executed statement gives to the pipes. Valid until the next step. */
typedef struct Step {
    const UopBuf *uops;
    const Instr *instr;    /* NULL: flags, barriers */
    const char *op;
    Loc loc;
    Pipe pipe;
    uint64_t seq;          /* number of this instruction on its pipe, from 1; 0 without instr */
    uint64_t bytes_read, bytes_written;
    DType dtype;
    uint32_t rows, cols;   /* region worked on */
    bool inserted;         /* not in the text: --sync auto put it there */
} Step;

/* Global memory: the arrays behind the arguments of the entry function. */
typedef struct Memory Memory;
/* watch: accesses of different blocks to the same bytes are looked for. */
Memory *memory_new(bool watch);
void memory_free(Memory *m);

/* One block of a kernel: tiles, flags and machine state are its own. */
typedef struct Interp Interp;
Interp *interp_new(const RunOptions *o, const Target *t, TraceReader *r, Names *names, Memory *mem, Diag *d, const char *trace_path);
void interp_free(Interp *in);
/* The next step, or NULL at the end or after an error that stops the run. */
const Step *interp_step(Interp *in);
/* After the last step: expectations, dumps and prints, with several blocks those of tiles. Text for standard output goes to out. */
void interp_finish(Interp *in, StrBuf *out);
/* After the last of several blocks: the same for global memory, and where blocks meet there. */
void interp_finish_memory(Interp *in, StrBuf *out);
/* An error ended the run early. */
bool interp_stopped(const Interp *in);

Machine *interp_machine(Interp *in);
/* What --sync auto inserted; NULL without RunOptions.show_sync. */
const SyncLog *interp_sync_log(const Interp *in);
uint32_t interp_ub_peak(const Interp *in);   /* end of the highest tile that lies in UB */
/* Name and element type of the argument behind buffer i of the machine. */
const char *interp_buffer(const Interp *in, uint32_t i, DType *dtype);
/* Expected cycles of the `//! cycles` directive; false if there is none. */
bool interp_cycles_expected(const Interp *in, uint64_t *cycles, double *percent, Loc *loc);
/* Tiles placed by the allocator or by the text, in declaration order (as far as they are kept). */
int interp_tile_count(const Interp *in);
const Tile *interp_tile_at(const Interp *in, int i);

#endif
