#include <inttypes.h>

#include "isa/lower/rules.h"
#include "isa/lower/transfer.h"

bool check_transfer(LowerCtx *c, const Instr *i) {
    const Tile *t = i->nout ? i->out[0] : i->in[0];
    const GmView *v = &i->gm;
    const char *role = i->nout ? "dst" : "src";
    TransferPlan p = transfer_plan(v, t);
    if (v->dtype != t->type.dtype && dtype_size(v->dtype) != dtype_size(t->type.dtype)) {
        diag(c->diag, DIAG_DTYPE, i->loc, "%s: the view of %s is of %s, %s %s of %s", i->info->name, v->name, dtype_name(v->dtype), role, t->name,
             dtype_name(t->type.dtype));
        return false;
    }
    if (p.rows && p.cols && (p.view_rows < p.rows || p.view_cols < p.cols)) {
        diag(c->diag, DIAG_VALID_MISMATCH, i->loc, "%s: the view of %s has %" PRId64 " rows of %" PRId64 " elements, the valid region of %s is %ux%u",
             i->info->name, v->name, p.view_rows, p.view_cols, t->name, p.rows, p.cols);
        return false;
    }
    if (p.kind == BURST_NONE && p.rows && p.cols) {
        diag(c->diag, DIAG_LAYOUT, i->loc, "%s: neither rows nor columns are contiguous both in the view of %s and in the %s tile %s", i->info->name, v->name,
             t->type.blayout == ROW_MAJOR ? "row-major" : "column-major", t->name);
        return false;
    }
    return true;
}
