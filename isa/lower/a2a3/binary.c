/* TADD, TSUB, TMUL, TMAX, TMIN, TDIV (TBinOp). */
#include "isa/lower/a2a3/tiles.h"

void a2a3_binary(LowerCtx *c, const Instr *i, int variant) { tile_binary(c, (UopId)variant, i->out[0], i->in[0], i->in[1]); }
