/* The program as read: functions, blocks, statements, values.
 *
 * The reader (isa/read/trace.c) builds it, the interpreter (isa/run/interp.c) walks it one
 * statement at a time. Names are ids of one Names table; nothing here is executed or placed.
 */
#ifndef NPU_ISA_PROGRAM_H
#define NPU_ISA_PROGRAM_H

#include "isa/base/diag.h"
#include "isa/base/text.h"
#include "isa/base/tile.h"
#include "isa/table/instr.h"

typedef enum TypeKind {
    TY_NONE,
    TY_SCALAR, /* dtype; index is DT_I64 with is_index */
    TY_TILE,   /* tile */
    TY_PTR,    /* dtype */
    TY_VIEW,   /* tensor_view: dtype, dims */
    TY_PART,   /* partition_tensor_view: dtype, dims */
    TY_MULTI,  /* multi_tile_buf: tile, count */
    TY_VECTOR  /* vector of integers, 64 bits in all: dtype, dim[0] lanes */
} TypeKind;

typedef struct Type {
    TypeKind kind;
    DType dtype;
    bool is_index;
    bool ub;        /* TY_PTR: into the unified buffer, else global memory */
    TileType tile;
    int rank;
    int64_t dim[5]; /* -1: dynamic */
    int count;
} Type;

typedef enum OperandKind {
    OPD_NONE,
    OPD_NAME,  /* %name, %name#sub */
    OPD_INT,   /* integer literal: i; also true/false (1/0) */
    OPD_FLOAT, /* float literal: f. A bit pattern (hexadecimal, or beyond int64) is OPD_INT with hex set */
    OPD_WORD   /* keyword, string, attribute word or @symbol: word (interned text) */
} OperandKind;

typedef struct Operand {
    OperandKind kind;
    bool hex;
    uint32_t name, sub;
    int64_t i;
    double f;
    const char *word;
    Loc loc;
} Operand;

/* key = operand or key = [operand, ...]; also attributes `{key = #pto<word ...>}`. */
typedef struct Named {
    const char *key;
    Operand *v;
    int n;
    bool odd;   /* an attribute that nothing takes, with its place */
    Loc loc;
} Named;

typedef enum StmtKind {
    ST_INSTR,          /* tile instruction, instr is set: ins, outs (or results) */
    ST_DIRECTIVE,      /* //! comment: dir */
    ST_CONSTANT,       /* arith.constant: ins[0] literal, type[0]; a vector: all its lanes, or one literal for all */
    ST_EXTRACT,        /* vector.extract: ins: vector, lane */
    ST_ARITH,          /* arith.*: word op; ins; named "predicate" for cmpi/cmpf; type[0] operand type, otype[0] result type of casts */
    ST_ALLOC_TILE,     /* results[0]; named addr, valid_row, valid_col; otype[0] tile */
    ST_ALLOC_MULTI,    /* the same for alloc_multi_tile */
    ST_MULTI_GET,      /* ins[0] multi tile, ins[1] slot */
    ST_TASSIGN,        /* ins[0] tile, ins[1] address (value or literal of @tile(..)) */
    ST_TENSOR_VIEW,    /* ins[0] pointer; named shape, strides, layout; otype[0] */
    ST_PARTITION,      /* ins[0] view; named offsets, sizes; otype[0] (TY_NONE when omitted) */
    ST_SUBVIEW,        /* ins[0] tile; named offsets, sizes, valid; otype[0] may be TY_NONE */
    ST_SET_VALIDSHAPE, /* ins: tile, rows, cols */
    ST_GET_VALIDSHAPE, /* ins[0] tile; results rows, cols. tile_valid_rows / tile_valid_cols: word op, one result */
    ST_TRESHAPE,       /* ins[0] tile; otype[0]. bitcast is the same */
    ST_SET_FLAG,       /* named pipes: PIPE_x, PIPE_y, EVENT_IDn (a name in set_flag_dyn). record_event / wait_event too */
    ST_WAIT_FLAG,
    ST_BARRIER,        /* named pipes: PIPE_x. tsync: PIPE_ALL */
    ST_BUF,            /* get_buf, rls_buf: named pipes: PIPE_x; ins: buffer id, mode; word op */
    ST_LOAD_SCALAR,    /* ins: ptr, index; otype[0] */
    ST_STORE_SCALAR,   /* ins: value, ptr, index */
    ST_TGETVAL,        /* ins: tile, offset; outs or results */
    ST_TSETVAL,        /* ins: offset, value; outs tile */
    ST_BLOCK_INFO,     /* get_block_idx ...: word op */
    ST_FOR,            /* ins: lb, ub, step; results[0..]: iter results; args: induction variable, then iter args with named "init"; body */
    ST_IF,             /* ins[0] condition; body, orelse; results */
    ST_WHILE,          /* named "init"; args, outs: arguments of the before and the after block; body = before, orelse = after */
    ST_CONDITION,      /* scf.condition: ins[0] condition, ins[1..] forwarded */
    ST_YIELD,          /* ins */
    ST_CALL,           /* word op = callee; ins; results */
    ST_RETURN,         /* ins */
    ST_SECTION,        /* word op "vector": body; "cube": its text is skipped */
    ST_IGNORED,        /* parsed and without effect (pto.tprefetch ...) */
    ST_UNKNOWN         /* could not be read, after trace_go_on only: results as far as they are known; body: the statements inside */
} StmtKind;

typedef struct Directive {
    enum { DIR_TARGET, DIR_ARG, DIR_INIT, DIR_POISON, DIR_MASK, DIR_ALLOW, DIR_DUMP, DIR_EXPECT, DIR_CYCLES } kind;
    const char *name;   /* argument or tile name without sign, target name, rule ID, "norm" / "count" */
    bool is_tile;       /* the name had a % sign */
    const char *spec;   /* text right of the `=` as written: npy("x.npy"), random(seed=1), 3.5 ... */
    const char *tolerance; /* text behind the spec of expect: "exact", "atol=1e-6 rtol=1e-5"; NULL */
    uint64_t num[2];    /* poison byte; mask words or count; cycles */
    double percent;     /* tolerance of cycles */
} Directive;

typedef struct Stmt {
    StmtKind kind;
    InstrId instr;
    const char *op;     /* as spelled; a "word op" is the last part of it */
    Loc loc;
    Operand *results;
    int nresults;
    Operand *ins;
    int nins;
    Operand *outs;
    int nouts;
    const Type **type;  /* types of ins, as far as the text gives them */
    int ntype;
    const Type **otype; /* types of outs or results */
    int notype;
    Named *named;
    int nnamed;
    Operand *args;      /* block arguments of ST_FOR, ST_WHILE */
    int nargs;
    struct Stmt *body, *orelse;
    Directive *dir;
    struct Stmt *next;
} Stmt;

typedef struct FuncArg {
    uint32_t name;      /* UINT32_MAX: a declaration may name types alone */
    Type type;
    Loc loc;
} FuncArg;

typedef struct Func {
    const char *name;   /* without @ */
    Loc loc;
    FuncArg *args;
    int nargs;
    Stmt *body;         /* NULL: declaration, cube kernel or empty */
    bool entry;         /* pto.entry */
    bool cube;          /* kernel_kind<cube>: its text is skipped */
    struct Func *next;
} Func;

/* Finds a named list; NULL if the statement has none. */
const Named *stmt_named(const Stmt *s, const char *key);

#endif
