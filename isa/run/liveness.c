#include "isa/run/liveness.h"

#include <stdlib.h>

typedef struct Death {
    const Stmt *after;
    uint32_t name;
} Death;

typedef struct Decl {
    uint32_t root;        /* the tile whose storage the name means */
    const Stmt *last;     /* statement of the declaring block that used it last */
    int block;            /* declaring block; 0: not a tile of this function */
} Decl;

struct Liveness {
    Death *death;
    size_t n, cap;
};

typedef struct Pass {
    Decl *decl;
    uint32_t n;
    int blocks;
    const Stmt *open[256]; /* statement that each open block is in the middle of, by nesting depth */
    int id[256];
    int depth;
} Pass;

static void use(Pass *p, const Operand *o) {
    if (o->kind != OPD_NAME || o->name >= p->n) return;
    Decl *d = &p->decl[p->decl[o->name].block ? p->decl[o->name].root : o->name];
    for (int k = 0; k < p->depth; k++)
        if (p->id[k] == d->block) d->last = p->open[k];
}

static void declare(Pass *p, uint32_t name, uint32_t root, const Stmt *s) {
    if (name >= p->n) return;
    p->decl[name] = (Decl){root, s, p->id[p->depth - 1]};
    if (root != name) {
        Operand o = {.kind = OPD_NAME, .name = root};
        use(p, &o);
    }
}

static bool is_alias(StmtKind k) { return k == ST_SUBVIEW || k == ST_TRESHAPE || k == ST_MULTI_GET; }

static void block(Pass *p, const Stmt *s) {
    if (p->depth == 256) return;
    int level = p->depth++;
    p->id[level] = ++p->blocks;
    for (; s; s = s->next) {
        p->open[level] = s;
        for (int i = 0; i < s->nins; i++) use(p, &s->ins[i]);
        for (int i = 0; i < s->nouts; i++) use(p, &s->outs[i]);
        for (int i = 0; i < s->nresults; i++) use(p, &s->results[i]);
        for (int i = 0; i < s->nnamed; i++)
            for (int j = 0; j < s->named[i].n; j++) use(p, &s->named[i].v[j]);
        if (is_alias(s->kind) && s->ins[0].kind == OPD_NAME && s->ins[0].name < p->n && p->decl[s->ins[0].name].block)
            declare(p, s->results[0].name, p->decl[s->ins[0].name].root, s);
        else if ((s->kind == ST_ALLOC_TILE || s->kind == ST_ALLOC_MULTI || s->kind == ST_INSTR))
            for (int i = 0; i < s->nresults; i++)
                if (s->results[i].name < p->n && !p->decl[s->results[i].name].block) declare(p, s->results[i].name, s->results[i].name, s);
        if (s->body) block(p, s->body);
        if (s->orelse) block(p, s->orelse);
    }
    p->depth--;
}

static int by_statement(const void *a, const void *b) {
    const Death *x = a, *y = b;
    if (x->after != y->after) return x->after < y->after ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

Liveness *liveness_new(const Func *f, Names *names) {
    Liveness *l = xcalloc(1, sizeof *l);
    Pass p = {.n = names_count(names)};
    p.decl = xcalloc(p.n ? p.n : 1, sizeof *p.decl);
    block(&p, f->body);
    l->death = xcalloc(p.n ? p.n : 1, sizeof *l->death);
    for (uint32_t i = 0; i < p.n; i++)
        if (p.decl[i].block && p.decl[i].root == i) l->death[l->n++] = (Death){p.decl[i].last, i};
    free(p.decl);
    qsort(l->death, l->n, sizeof *l->death, by_statement);
    return l;
}

void liveness_free(Liveness *l) {
    if (!l) return;
    free(l->death);
    free(l);
}

uint32_t liveness_death(const Liveness *l, const Stmt *s, int i) {
    size_t lo = 0, hi = l->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (l->death[mid].after < s) lo = mid + 1;
        else hi = mid;
    }
    lo += (size_t)i;
    return lo < l->n && l->death[lo].after == s ? l->death[lo].name : ~0u;
}
