/* Micro-operations: what one tile instruction becomes on a target.
 *
 * The same records are executed on UB bytes (isa/exec), timed (isa/time, sim) and printed. Two
 * shapes exist: Uop, one machine instruction (on a2a3 memory to memory with repeats, blocks and
 * strides; on both targets transfers and synchronisation; on the 950 one whole vector function),
 * and VfInstr, one line of a 950 vector function, which stays a loop nest.
 */
#ifndef NPU_ISA_UOP_H
#define NPU_ISA_UOP_H

#include "isa/base/dtype.h"
#include "isa/base/text.h"

typedef enum UopId {
#define UOP(id, name, timing, cls, fam, doc) U_##id,
#include "isa/table/uop.def"
#undef UOP
    UOP_COUNT
} UopId;

typedef enum UopClass {
    UC_MASK, UC_SCALAR, UC_SYNC, UC_BIN, UC_BINS, UC_AXPY, UC_UN, UC_DUP, UC_CMP, UC_SEL, UC_CVT, UC_REDUCE,
    UC_GREDUCE, UC_GATHER, UC_COPY, UC_BRCB, UC_CMPV, UC_CMPVS, UC_CMPMASK,
    UC_VCOPY, UC_INDEXED, UC_BLOCKS, UC_TRANSPOSE, UC_SORT, UC_MERGE, UC_SIMT, UC_DMA, UC_VFUNC, UC_CONTROL, UC_PRED,
    UC_PREDX, UC_LOAD, UC_STORE, UC_INTLV, UC_CMPS, UC_PRED2, UC_GLOAD, UC_GSTORE, UC_SQUEEZE
} UopClass;

enum { FAM_A = 1, FAM_R = 2, FAM_AR = 3 };

typedef struct UopInfo {
    const char *name;
    const char *timing;  /* key under uops: of the target file, or "" */
    UopClass cls;
    int families;        /* FAM_A | FAM_R */
    const char *doc;
} UopInfo;
extern const UopInfo uop_info[UOP_COUNT];

typedef enum Pipe { PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_COUNT, PIPE_ALL = PIPE_COUNT } Pipe;
const char *pipe_name(Pipe p); /* "S", "V", "MTE2", "MTE3", "ALL" */

enum { BLOCK_BYTES = 32, REPEAT_BYTES = 256, BLOCKS_PER_REPEAT = 8, MAX_REPEAT = 255 };

/* vcmax/vcmin/vcadd result form. */
enum { ORDER_VALUE_INDEX, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
/* Where vector_dup and vcmpvs take their scalar from: imm itself, or the scalar register with that number. */
enum { SCALAR_BITS, SCALAR_REGISTER };
/* vsel: bits in the compare mask, bits at src1 with the false value there, bits at the address there. */
enum { SEL_CMPMASK, SEL_SCALAR, SEL_ADDRESS };

/* One machine instruction. Addresses are UB bytes. Block strides and source repeat strides are in
 * 32-byte blocks; drpt is in blocks too, except for reductions, whose unit is one result
 * (VALUE_INDEX 2 elements, ONLY_VALUE one element, ONLY_INDEX 4 bytes). */
typedef struct Uop {
    uint16_t op;           /* UopId */
    uint8_t dtype;         /* DType of the operation; for VCONV of the destination */
    uint8_t dtype2;        /* VCONV: source type; VAXPY: the same if it is another one; scalar ops: element type in memory */
    uint8_t mode;          /* reductions: ORDER_*; VREDUCEV2: pattern 1..7, 0: bits at src1; VCONV: RoundMode; VDUP, VCMPVS: SCALAR_*; VSEL: SEL_* */
    uint8_t stage;         /* index into UopBuf.stage */
    uint16_t sblk0, sblk1, dblk;
    uint16_t srpt0, srpt1, drpt;
    uint32_t rep;          /* repeat argument; ignored in count mode except by VREDUCEV2 and VCOPY */
    uint32_t dst, src0, src1;
    uint64_t imm, imm2;    /* scalar bits; mask words; S_*: see uop.def; VF: first VfInstr; DMA, SIMT: index into UopBuf.dma;
                            * INDEXED, BLOCKS: imm2 bytes of the table at src1; MERGE: see merge_list, drpt 1 stops when a list is done */
} Uop;

/* VNCHWCONV: rows per repeat; which half of its rows' blocks the byte form uses (mode, bits). */
enum { TRANSPOSE_ROWS = 16, TRANSPOSE_DST_HIGH = 1, TRANSPOSE_SRC_HIGH = 2 };

/* Records of the sort instructions: value, then a 32-bit index in the upper half. */
enum { RECORD_BYTES = 8, SORT_RECORDS = 32, MERGE_LISTS = 4 };
/* Address of list k of a merge, and its number of records. */
static inline uint32_t merge_list(const Uop *u, int k) {
    return k == 0 ? u->src0 : k == 1 ? u->src1 : (uint32_t)(u->imm2 >> (k == 2 ? 0 : 32));
}
static inline uint32_t merge_records(const Uop *u, int k) { return (uint32_t)(u->imm >> (16 * k)) & 0xffff; }

/* What an index beyond a table leads to. ZERO: zeros are loaded, nothing is stored. */
typedef enum Beyond { BEYOND_UNDEFINED, BEYOND_CLAMP, BEYOND_WRAP, BEYOND_ZERO } Beyond;

/* A transfer: `n1` planes of `n0` bursts of `len` bytes. GM side in bytes from the start of the
 * buffer; UB side in bytes. A load with pad set fills each burst up to a whole block. */
typedef struct Dma {
    uint32_t buffer;                 /* which GM buffer */
    int64_t gm;                      /* byte offset of the first burst */
    uint32_t ub;
    uint32_t len;
    uint32_t n0, n1;
    int64_t gm_step0, gm_step1;      /* bytes between bursts, planes */
    int64_t ub_step0, ub_step1;
    uint8_t dtype;
    bool atomic_add;
    bool pad;                        /* with pad_bits of the element type */
    uint64_t pad_bits;
    uint8_t index_reg;               /* scalar register that moves the GM side by index_step bytes per unit; 0: none */
    int64_t index_step;
    uint8_t beyond;                  /* Beyond, of indices from `limit` on; a transfer with index_reg knows only ZERO */
    uint64_t limit;
    uint32_t index_ub;               /* SIMT: the index of burst (i0, i1), of index_dtype */
    uint8_t index_dtype;
    int64_t index_ub_step0, index_ub_step1;
    bool scatter;                    /* UB elements lie ub_elem bytes apart (column-major tile, row-major view) */
    int64_t gm_elem, ub_elem;        /* distance between the elements of a burst when scatter is set */
} Dma;

/* Load and store distributions of the 950. */
typedef enum VfDist {
    DIST_NORM,     /* 256 bytes; stores: active lanes */
    DIST_BRC,      /* load: one element to every lane */
    DIST_BLK,      /* load: one 32-byte block, eight times */
    DIST_US,       /* predicate load: upsample */
    DIST_UNPK,     /* load: consecutive narrow elements, one per lane of twice the width */
    DIST_DINTLV,   /* load 512 bytes: even elements to dst, odd to dst2 */
    DIST_ONEPT,    /* store: element of lane 0, predicate ignored */
    DIST_PK,       /* store: low half of every lane, packed */
    DIST_E2B       /* load: eight elements, each fills a 32-byte block */
} VfDist;

enum { VF_MAX_DEPTH = 4, VF_VREGS = 32, VF_PREGS = 16, VF_NONE = 255 };

/* One line of a vector function. Registers are logical numbers, renamed by the core. The address
 * (or, for PLT, the number of lanes still to do) is base + sum over enclosing loops of
 * index x step, outermost loop first. */
typedef struct VfInstr {
    uint16_t op;           /* UopId of family R; LOOP: imm = trip count */
    uint8_t dtype;         /* lane type; VCONV: destination type */
    uint8_t dtype2;        /* VCONV: source type; VCADD: result type; GLOAD, GSTORE: lane type, which holds the index */
    uint8_t dst, dst2;     /* vector register written (VF_NONE: none); VDINTLV and DINTLV write two */
    uint8_t src0, src1;    /* vector registers read (VF_NONE: none) */
    uint8_t pd;            /* predicate written by PRED, PREDX, CMP, PLDS (VF_NONE: none) */
    uint8_t pg;            /* governing predicate; SEL: selector; PREDX, PSTS: source (VF_NONE: all lanes) */
    uint8_t pg2;           /* PDINTLV: second source */
    uint8_t dist;          /* VfDist */
    uint8_t mode;          /* VCONV: RoundMode | part << 4 (0 even, 1 odd); VCMAX, VCMIN: ORDER_ONLY_VALUE if the index is not used; VSTUR: 1 running */
    bool merging;          /* inactive lanes keep the old destination, else zero */
    bool post;             /* the address register is post-updated */
    int64_t base;
    int32_t step[VF_MAX_DEPTH];
    uint64_t imm;          /* scalar bits (an integer moves with `step` as an address does), trip count; GLOAD: bytes of the table */
} VfInstr;

/* The micro-operations of one tile instruction. Re-used from one instruction to the next. */
typedef struct UopBuf {
    Uop *uop;
    uint32_t n, cap;
    VfInstr *vf;           /* bodies of vector functions: a VF uop covers vf[imm .. imm+rep) */
    uint32_t nvf, vf_cap;
    Dma *dma;
    uint32_t ndma, dma_cap;
    const char *stage[64]; /* names of the stages, in order of first use; borrowed */
    uint32_t nstage;
    uint8_t cur_stage;
} UopBuf;

extern const char stage_sync[]; /* the stage of inserted synchronisation, and of scalar work between instructions */

void uopbuf_clear(UopBuf *b);
void uopbuf_free(UopBuf *b);
Uop *uopbuf_add(UopBuf *b, UopId op);          /* zeroed, stage filled in */
VfInstr *uopbuf_vf(UopBuf *b, UopId op);       /* appends to the open vector function */
Dma *uopbuf_dma(UopBuf *b, UopId op);          /* adds the micro-op and its descriptor */
void uopbuf_stage(UopBuf *b, const char *name);/* following micro-ops belong to this stage */

/* Pipe on which the micro-op is executed (SET_FLAG: source pipe, WAIT_FLAG: waiting pipe). */
Pipe uop_pipe(const Uop *u);

/* One line of stable text, without newline. */
void uop_print(const Uop *u, const UopBuf *b, StrBuf *out);
void vf_print(const VfInstr *v, int depth, StrBuf *out);

#endif
