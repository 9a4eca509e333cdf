/* TPARTMAX and siblings (TPartBinOps): operation on the common rectangle, merged into the larger
 * source, stored under the destination's predicate. */
#include "isa/lower/v950/elementwise.h"

static bool same_region(const Tile *x, const Tile *y) { return x->vrows == y->vrows && x->vcols == y->vcols; }
static bool empty(const Tile *t) { return !t->vrows || !t->vcols; }

enum { P_DST, P_BOTH };

typedef struct Part {
    LowerCtx *c;
    UopId op;
    const Tile *d, *s0, *s1, *big;
    uint32_t rows, cols, E; /* common rectangle */
    DType t;
} Part;

static void both(const Part *p) {
    LowerCtx *c = p->c;
    vf_plt(c, p->t, P_DST, walk_count(p->d->vcols, 1, p->E));
    vf_plt(c, p->t, P_BOTH, walk_count(p->cols, 1, p->E));
    vf_load(c, p->t, 0, walk_tile(p->s0, 0, 0, 1, p->E));
    vf_load(c, p->t, 1, walk_tile(p->s1, 0, 0, 1, p->E));
    vf_op(c, p->op, p->t, 2, 0, 1, P_BOTH);
    vf_load(c, p->t, 3, walk_tile(p->big, 0, 0, 1, p->E));
    vf_merge(c, p->t, 3, 2, P_BOTH);
    vf_store(c, p->t, walk_tile(p->d, 0, 0, 1, p->E), 3, P_DST);
}

/* Chunks from `first` on of rows from `row` on, straight from the larger source. */
static void only_big(const Part *p, uint32_t row, uint32_t first) {
    LowerCtx *c = p->c;
    uint32_t col = first * p->E;
    vf_plt(c, p->t, P_DST, walk_count(p->d->vcols - col, 1, p->E));
    vf_load(c, p->t, 0, walk_tile(p->big, row, col, 1, p->E));
    vf_store(c, p->t, walk_tile(p->d, row, col, 1, p->E), 0, P_DST);
}

static void general(const Part *p) {
    LowerCtx *c = p->c;
    uint32_t Ks = ceil_div(p->cols, p->E), Kd = ceil_div(p->d->vcols, p->E);
    vf_open(c, uop_info[p->op].name);
    vf_loop(c, p->rows);
    vf_loop(c, Ks);
    both(p);
    vf_end(c);
    if (Kd > Ks) {
        vf_loop(c, Kd - Ks);
        only_big(p, 0, Ks);
        vf_end(c);
    }
    vf_end(c);
    if (p->d->vrows > p->rows) {
        vf_loop(c, p->d->vrows - p->rows);
        vf_loop(c, Kd);
        only_big(p, p->rows, 0);
        vf_end(c);
        vf_end(c);
    }
    vf_close(c);
}

void v950_part(LowerCtx *c, const Instr *i, int variant) {
    const Tile *d = i->out[0], *s0 = i->in[0], *s1 = i->in[1];
    if (empty(d)) return;
    if (empty(s0)) {
        v950_copy(c, d, s1, "copy");
    } else if (empty(s1)) {
        v950_copy(c, d, s0, "copy");
    } else if (same_region(s0, d) && same_region(s1, d)) {
        v950_elementwise(c, &(Elementwise){(UopId)variant, d, s0, s1, FORM_TILES, 0, NULL});
    } else {
        bool second = s0->vrows < s1->vrows || s0->vcols < s1->vcols;
        general(&(Part){c, (UopId)variant, d, s0, s1, second ? s1 : s0, min_u32(s0->vrows, s1->vrows),
                        min_u32(s0->vcols, s1->vcols), epr(d), d->type.dtype});
    }
}
