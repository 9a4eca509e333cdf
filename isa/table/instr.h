/* The instruction table: one row of instr.def per PTO tile instruction.
 *
 * The row drives the parser (name, operands), the checks (types, rules), `npusim isa`, the
 * documentation and the tests. A new instruction is one row and one lowering per target.
 */
#ifndef NPU_ISA_INSTR_H
#define NPU_ISA_INSTR_H

#include "isa/base/diag.h"
#include "isa/base/tile.h"
#include "isa/table/target.h"
#include "isa/table/uop.h"

typedef enum InstrId {
#define INSTR(id, ...) I_##id,
#include "isa/table/instr.def"
#undef INSTR
    INSTR_COUNT
} InstrId;

enum { MAX_IN = 6, MAX_OUT = 2, MAX_INDEX = 2 };

/* rmode NONE: what the pair of types takes by itself. */
enum { ROUND_BY_TYPES = -1 };

/* cmpMode of tcmp, tcmps and tgather. */
typedef enum CmpMode { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE } CmpMode;

/* A region of a global buffer, as tload and tstore see it: element strides and sizes, outermost first. */
typedef struct GmView {
    uint32_t buffer;         /* which buffer */
    DType dtype;
    int rank;
    int64_t offset;          /* first element */
    int64_t size[5], stride[5];
    bool dn;                 /* layout dn: the last dimension but one is contiguous */
    const char *name;        /* argument name, for messages */
} GmView;

/* One instruction with its operands resolved. Inputs and outputs in the order of the row's
 * signature. */
typedef struct Instr {
    InstrId id;
    Loc loc;
    const struct InstrInfo *info;
    Tile *in[MAX_IN];
    int nin;
    Tile *out[MAX_OUT];
    int nout;
    Tile *tmp;               /* NULL: none given */
    bool tmp_implicit;
    bool has_scalar;
    DType scalar_type;
    Loc scalar_loc;
    uint64_t scalar;         /* bits of the tile's element type; tload: pad_value */
    bool scalar_first;       /* TDIVS(scalar, tile) */
    int64_t index[MAX_INDEX]; /* integer operands, in text order */
    int nindex;
    int pattern;             /* mask pattern of tgather, 1..7; 0: none */
    bool by_column;          /* tgather: the pattern takes rows, not columns */
    bool descending;         /* tci */
    bool upper;              /* ttri */
    bool exhausted;          /* tmrgsort: stop when a list is done */
    bool by_element;         /* mgather, mscatter: one index per element */
    int beyond;              /* what they do with an index beyond the table: Beyond */
    TilePad pad;             /* attribute of tfillpad and tload; PAD_NULL: as the tile type says */
    GmView gm;               /* tload, tstore, tprint and the like */
    bool reads_view, writes_view;
    int round;               /* RoundMode of tcvt, or ROUND_BY_TYPES */
    bool saturate;           /* satmode of tcvt */
    int cmp;                 /* CmpMode of tcmp, tcmps, tgather */
    bool accumulate;         /* tstore atomic add */
} Instr;

/* What lowerings and checks may look at. */
typedef struct LowerCtx {
    const Target *target;
    Diag *diag;
    UopBuf *out;
    /* A placed tile that holds data and overlaps UB bytes [lo, hi), other than the operands of i;
     * NULL if there is none. The function may be NULL (no other tiles). */
    const Tile *(*written_tile)(void *ctx, const Instr *i, uint32_t lo, uint32_t hi);
    void *ctx;
    bool timing_only; /* no data: operands may lie on top of each other */
    struct AliasCache *alias; /* of isa/check/alias.h; may be NULL */
} LowerCtx;

/* Lowers a checked instruction. `variant` is the row's micro-op (or other parameter). */
typedef void (*LowerFn)(LowerCtx *c, const Instr *i, int variant);
/* Rules beyond types: layouts, valid regions, tmp. Returns false if the instruction is illegal. */
typedef bool (*CheckFn)(LowerCtx *c, const Instr *i);
/* Elements of tmp per row: documented size and what the stages really touch. rows: rows needed
 * (1 if the footprint is one run). Zero: no tmp needed. */
typedef struct TmpNeed { uint32_t rows, doc_cols, real_cols; } TmpNeed;
typedef TmpNeed (*TmpFn)(const Target *t, const Instr *i);

typedef struct InstrInfo {
    const char *name;        /* "tmins" */
    const char *ins;         /* operand names: "src $scalar tmp?"; $ scalar, # integer, ? optional; alternatives with |; shapes: see OperandShape */
    const char *outs;        /* "dst"; alternatives with |: "dst/col|dstVal/col dstIdx/col" */
    Pipe pipe[FAMILY_COUNT];
    const char *types[FAMILY_COUNT]; /* element types of the first input, per family; "" = not there */
    CheckFn check;
    TmpFn tmp;               /* NULL: never uses tmp */
    LowerFn lower[FAMILY_COUNT];
    int variant[FAMILY_COUNT];
    const char *summary;     /* one line */
    const char *formula;     /* result in plain text */
    const char *notes;       /* exactness, decisions, evidence for timing */
} InstrInfo;

extern const InstrInfo instr_info[INSTR_COUNT];
/* Case-insensitive; a leading "pto." is ignored. Returns INSTR_COUNT when unknown. */
InstrId instr_find(const char *name, size_t n);
/* Whether the row's type list for the family holds t. */
bool instr_type_ok(const InstrInfo *i, Family f, DType t);

/* The rule `tmp` of a row in words; NULL: it has none. */
const char *instr_tmp_formula(const InstrInfo *i);

/* Prototypes of every function that the rows name, so that a new row declares its own. A NULL in a
 * row declares nothing: ROW_FUNCTION_NULL shifts the prototype out of the second place. */
#define ROW_FUNCTION_NULL ,
#define ROW_SECOND(first, second, ...) second
#define ROW_DECLARE(...) ROW_SECOND(__VA_ARGS__)
#define INSTR(id, name, ins, outs, pipe, types_a, types_r, check, tmp, lower_a, var_a, lower_r, var_r, ...) \
    ROW_DECLARE(ROW_FUNCTION_##check, bool check(LowerCtx *c, const Instr *i);, )                          \
    ROW_DECLARE(ROW_FUNCTION_##tmp, TmpNeed tmp(const Target *t, const Instr *i);, )                       \
    ROW_DECLARE(ROW_FUNCTION_##lower_a, void lower_a(LowerCtx *c, const Instr *i, int variant);, )         \
    ROW_DECLARE(ROW_FUNCTION_##lower_r, void lower_r(LowerCtx *c, const Instr *i, int variant);, )
#include "isa/table/instr.def"
#undef INSTR
#undef ROW_DECLARE
#undef ROW_SECOND
#undef ROW_FUNCTION_NULL

/* Shape of an operand when the instruction works on R x C elements. */
typedef enum OperandShape {
    SHAPE_TILE,   /* R x C */
    SHAPE_COLUMN, /* R x 1, column-major */
    SHAPE_ROW,    /* 1 x C */
    SHAPE_BLOCK,  /* R x 1 in tiles one 32-byte block wide */
    SHAPE_BITS,   /* R x C bits, packed */
    SHAPE_TURNED, /* C x R */
    SHAPE_WIDE,   /* R x 2C */
    SHAPE_PADDED, /* R x C in a tile that is valid as a whole and has a pad value */
    SHAPE_INDEX,  /* R x C indices */
    SHAPE_OFFSET, /* a 32-bit offset per block of 32 bytes */
    SHAPE_RECORD  /* records of 8 bytes for R x C elements */
} OperandShape;

/* One alternative of a row's inputs. */
enum { MAX_WORDS = 6, MAX_FORMS = 4 };
typedef struct InputForm {
    char kinds[MAX_WORDS + 1]; /* per word: t tile, ? optional tmp, $ scalar, # integer, @ view */
    int n;                     /* of words */
    bool scalar, optional;     /* there is a $, a ? */
} InputForm;

/* Positions in the signature. */
typedef struct Signature {
    InputForm form[MAX_FORMS];
    int nform;
    int nin;                 /* tile inputs without tmp and scalar */
    bool scalar, tmp;        /* takes a scalar; may take a tmp */
    bool view_in, view_out;  /* tload / tstore; not if only an alternative */
    int nout[2];             /* allowed numbers of outputs (second 0: only one) */
    const char *in_name[MAX_IN];
    const char *out_name[2][MAX_OUT];
    OperandShape in_shape[MAX_IN], out_shape[2][MAX_OUT];
} Signature;
const Signature *instr_signature(InstrId id);
/* The tile whose type and region stand for the instruction: its first source that is no bit mask; NULL: it has no tile. */
const Tile *instr_main_tile(const Instr *i);

#endif
