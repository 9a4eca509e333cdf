/* TADD, TSUB, TMUL, TMAX, TMIN, TDIV (TBinOp). */
#include "isa/lower/a2a3/sweep.h"

void a2a3_binary(LowerCtx *c, const Instr *i, int variant) {
    uopbuf_stage(c->out, uop_info[variant].name);
    Sweep w = {.c = c, .op = (UopId)variant, .d = i->out[0], .s0 = i->in[0], .s1 = i->in[1]};
    sweep_run(&w, path_binary(w.d, w.s0, w.s1));
}
