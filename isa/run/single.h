/* One tile instruction without a trace: operands laid out in UB for a shape, for cost tables. */
#ifndef NPU_ISA_SINGLE_H
#define NPU_ISA_SINGLE_H

#include "isa/table/instr.h"

/* What to lay out. rows x cols is the valid region, tile_rows x tile_cols the storage. */
typedef struct SingleSpec {
    const char *op;
    DType dtype, dst_dtype;      /* dst_dtype: of converted or index results; DT_NONE: chosen by the instruction */
    uint32_t rows, cols, tile_rows, tile_cols;
    bool both;                   /* the form with two outputs, where there is one */
    bool dynamic;                /* valid region as `?`: the library's run-time path */
    bool tmp;                    /* give an optional tmp even where none is needed */
    const char *layout;          /* "spread": operand k at k x 64 KiB where that fits; "packed": one
                                    after the other from 0; "0,0x4000,...": these addresses */
} SingleSpec;

/* Micro-operations of one such instruction. Operands in the order inputs, tmp, outputs, each at a
 * multiple of 512 bytes. */
typedef struct Single {
    Tile in[MAX_IN], out[MAX_OUT], tmp;
    Instr instr;
    UopBuf uops;
} Single;

/* Lays out, checks and lowers. false after an error in d. The buffer of s is re-used. */
bool single_build(Single *s, const SingleSpec *spec, const Target *t, Diag *d);
void single_free(Single *s);

#endif
