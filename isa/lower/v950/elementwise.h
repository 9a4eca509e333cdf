#ifndef NPU_ISA_V950_ELEMENTWISE_H
#define NPU_ISA_V950_ELEMENTWISE_H

#include "isa/lower/v950/vf.h"

/* What happens to a chunk between its loads and its store. */
typedef enum ElementForm {
    FORM_TILES,       /* op of two tiles */
    FORM_SCALAR,      /* op with the scalar as an operand of the operation */
    FORM_UNARY,       /* op of one tile */
    FORM_BY_SCALAR,   /* op of the tile and a register that holds the scalar */
    FORM_SCALAR_BY,   /* the same, scalar first */
    FORM_RSQRT,       /* 1 / sqrt in two operations, the scalar is 1 */
    FORM_BODY         /* several operations, see body */
} ElementForm;

enum { P_CHUNK, P_SIGN };
enum { V_SRC0, V_SRC1, V_CONSTANT = 3, V_FREE };

typedef struct Elementwise {
    UopId op;                      /* names the stage */
    const Tile *dst, *src0, *src1; /* src1 may be NULL */
    ElementForm form;
    uint64_t scalar;
    /* From V_SRC0, V_SRC1 under P_CHUNK to the register that it returns. */
    int (*body)(LowerCtx *c, const struct Elementwise *e);
} Elementwise;
/* One vector function over the destination's valid region, one- or two-dimensional as the tiles allow. */
void v950_elementwise(LowerCtx *c, const Elementwise *e);

#endif
