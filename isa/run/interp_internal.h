/* Between the files of the interpreter. */
#ifndef NPU_ISA_INTERP_INTERNAL_H
#define NPU_ISA_INTERP_INTERNAL_H

#include "isa/check/alias.h"
#include "isa/check/check.h"
#include "isa/check/clocks.h"
#include "isa/run/alloc.h"
#include "isa/run/liveness.h"
#include "isa/run/order.h"
#include "isa/run/races.h"
#include "isa/run/run.h"
#include "isa/run/sync_log.h"

typedef enum ValueKind { VAL_NONE, VAL_SCALAR, VAL_TILE, VAL_PTR, VAL_VIEW, VAL_MULTI, VAL_VECTOR } ValueKind;

typedef struct MultiTile {
    Tile *slot[16];
    int count;
} MultiTile;

typedef struct Value {
    ValueKind kind;
    DType dtype;          /* scalar, lane, pointer element */
    uint64_t bits;        /* scalar; vector: lane 0 lowest; pointer: element offset */
    uint32_t buffer;      /* pointer */
    Tile *tile;
    GmView *view;
    MultiTile *multi;
} Value;

/* A global buffer behind an argument. */
typedef struct Buffer {
    const char *name;
    DType dtype;
    int ndim;
    uint64_t shape[8];    /* of the bound array; ndim 0: grows with the views */
    uint64_t reach;       /* bytes that views cover */
    bool open;            /* nothing bound it: seeded random data, grown on demand */
    int view_rank;        /* open: of the tensor views that begin at its start, if they are dense and all alike; -1: they are not */
    int64_t view[5];
    uint64_t seed;
} Buffer;

struct Memory {
    Buffer *buffer;
    GmBuffer *gm;         /* the machine's view of buffer[] */
    uint32_t n;
    Races *races;         /* NULL: not looked for */
};

/* Values of one function call, indexed by name. */
typedef struct Frame {
    Value *v;
    uint32_t n;
    const Func *func;
} Frame;

typedef enum CtlKind { CTL_TOP, CTL_BLOCK, CTL_FOR, CTL_WHILE_BEFORE, CTL_WHILE_AFTER, CTL_CALL } CtlKind;

enum { MAX_CARRIED = 32 };

/* One open region. */
typedef struct Ctl {
    CtlKind kind;
    const Stmt *cur;      /* next statement; NULL: the end of the block */
    const Stmt *owner;
    int64_t iv, ub, step;
    Value carried[MAX_CARRIED]; /* values of the last yield, condition or return */
    int ncarried;
    bool again;           /* scf.condition held */
} Ctl;

/* Sets minus waits of one event flag. */
typedef struct FlagState {
    int balance;
    Loc loc;              /* of the last set */
} FlagState;

struct Interp {
    const RunOptions *o;
    const Target *target;
    TraceReader *reader;
    Names *names;
    Diag *diag;
    const char *path;     /* of the trace */
    char *dir;            /* its folder */
    Arena *arena;         /* tiles, views, copies of directive texts */
    Machine *machine;
    Frame *frame;         /* current call first */
    int nframe, frame_cap;
    Ctl *ctl;
    int nctl, ctl_cap;
    Tile **tile;          /* all declared tiles */
    int ntile, tile_cap;
    Memory *mem;
    Buffer *buffer;       /* of mem */
    GmBuffer *gm;
    uint32_t nbuffer;     /* arguments met so far */
    BindingList args, inits, dumps, prints, expects; /* directives and options together */
    Allocator alloc;
    Order *order;
    SyncLog *sync_log;    /* NULL: not asked for */
    AliasCache *alias;
    Check *check;         /* full checks; NULL: none */
    FlagState flag[PIPE_COUNT][PIPE_COUNT][8];
    uint64_t released[BUFFERS][PIPE_COUNT]; /* rls_buf: last instruction of the pipe before it */
    Liveness *live;       /* of the entry function */
    UopBuf uops, body;
    StrBuf printed;       /* by TPRINT */
    Instr instr;
    Tile implicit_tmp;
    Names *odd_keys;      /* attributes that were told; NULL: none */
    Step step;
    bool started, stopped, allow_next;
    bool has_cycles;
    uint64_t cycles;
    double cycles_percent;
    Loc cycles_loc;
    uint64_t tile_ids;
    uint64_t scalar_work; /* scalar statements since the last one that made work for a pipe */
};

/* Values. */
uint32_t interp_name(Interp *in, const Operand *o);             /* %v#1 is a name of its own */
Value *interp_lookup(Interp *in, const Operand *o);             /* NULL and an error if undefined */
void interp_set(Interp *in, uint32_t name, Value v);
bool interp_int(Interp *in, const Operand *o, int64_t *out);    /* integer literal or value */
Tile *interp_tile(Interp *in, const Operand *o);                /* NULL and an error if it is none */
const char *operand_text(Interp *in, const Operand *o);         /* "%name" */

/* Statements (exec_stmt.c). Returns false after an error that stops the run. */
bool exec_statement(Interp *in, const Stmt *s);
bool exec_arith(Interp *in, const Stmt *s);
bool exec_directive(Interp *in, const Directive *d, Loc loc);
/* Tile declaration: places it (addr < 0: by the allocator) and applies --init. */
Tile *declare_tile(Interp *in, uint32_t name, const TileType *t, int64_t addr, int64_t vrows, int64_t vcols, Loc loc);
bool view_layout(Interp *in, const Stmt *s, bool *dn);                /* of make_tensor_view; false after an error */
const Value *bind_argument(Interp *in, const FuncArg *a, Value *out); /* NULL after an error */
bool buffer_reach(Interp *in, uint32_t b, uint64_t bytes, Loc loc);   /* grows or checks */
/* The next argument's buffer; a later block finds it as the first one made it (fresh is false). */
uint32_t next_buffer(Interp *in, const char *name, DType t, bool *fresh);

/* Tile instructions (exec_instr.c): step filled in and true, or false. */
bool exec_instr(Interp *in, const Stmt *s);
bool instr_operands(Interp *in, const Stmt *s, Instr *i);        /* operands and attributes; a tmp where one is needed */
bool take_attributes(Interp *in, const Stmt *s, Instr *i);       /* attributes.c */
/* Attributes that nothing takes change nothing, which may not be what was meant: each key is told once. */
void note_odd_attributes(Interp *in, const char *op, const Stmt *s);

/* Order between instructions (exec_order.c). */
typedef struct Work {     /* what comes next on a pipe */
    const char *op;
    Loc loc;
    Pipe pipe;
} Work;
AccessRange view_access(const GmView *v, bool write);
int instr_accesses(const Interp *in, const Instr *i, AccessRange *a);
/* Synchronisation in front of w, or (as written) a report that it is missing. */
void settle_order(Interp *in, const Work *w, const AccessRange *a, int n);
void settle_scalar_access(Interp *in, const Stmt *s, AccessRange a); /* load_scalar, store_scalar */
void charge_scalar_work(Interp *in);                           /* in front of the step's own micro-ops */
void insert_tail(Interp *in, Loc loc);                         /* --sync auto: in front of the entry's return */

/* Flags and barriers of the text (exec_sync.c). */
bool exec_sync(Interp *in, const Stmt *s);
bool exec_buf(Interp *in, const Stmt *s);                        /* exec_buf.c */
bool pipe_of(Interp *in, const Operand *o, Pipe *out);           /* false after an error */
void report_flags_left(Interp *in);
bool exec_mask_directive(Interp *in, const Directive *d, Loc loc);

/* Notes about values whose result is a matter of choice (notes.c). */
void note_special_values(Interp *in, const Instr *i);

/* Data in and out (data.c). */
/* A buffer that nothing binds: values by element index, from this byte on. */
void fill_random(Interp *in, uint32_t buffer, uint64_t from);
bool bind_array(Interp *in, const Binding *b, uint32_t buffer);
bool bind_scalar(Interp *in, const Binding *b, DType t, uint64_t *bits);
typedef struct Rect {     /* where a dense array lies in memory */
    uint8_t *mem;
    DType dtype;
    uint32_t rows, cols;
    int64_t row_step, col_step; /* bytes */
    bool shapeless;             /* elements in a row that an array of any shape may hold */
} Rect;
bool fill_rect(Interp *in, const Binding *b, Rect r, const char *what);
Rect tile_rect(Interp *in, const Tile *t);
void print_operand(Interp *in, const Instr *i); /* the valid region of a tile or a view, to what the run prints */

#endif
