/* Attributes of instructions. */
#include <string.h>
#include <strings.h>

#include "isa/run/interp_internal.h"
#include "isa/table/attribute.h"

static void note_odd_key(Interp *in, const char *op, const Named *n) {
    if (!in->odd_keys) in->odd_keys = names_new();
    uint32_t told = names_count(in->odd_keys);
    if (names_intern(in->odd_keys, n->key, strlen(n->key)) != told) return;
    const char *near = attribute_near(n->key);
    if (near) diag(in->diag, DIAG_ATTRIBUTE, n->loc, "%s: nothing takes the attribute '%.60s'\ndid you mean '%s'?", op, n->key, near);
    else diag_sev(in->diag, DIAG_ATTRIBUTE, SEV_NOTE, n->loc, "%s: nothing takes the attribute '%.60s'", op, n->key);
}

void note_odd_attributes(Interp *in, const char *op, const Stmt *s) {
    for (int k = 0; k < s->nnamed; k++)
        if (s->named[k].odd) note_odd_key(in, op, &s->named[k]);
}

static const Operand *attribute(const Stmt *s, const char *key) {
    const Named *n = stmt_named(s, key);
    return n && n->n ? &n->v[0] : NULL;
}

static bool is_true(const Stmt *s, const char *key) {
    const Operand *o = attribute(s, key);
    return o && o->kind == OPD_INT && o->i != 0;
}

/* Position of the attribute's word in the list, or its number; *out stays without the attribute. */
static bool choose(Interp *in, const Stmt *s, const Instr *i, const char *key, const char *const *words, int *out) {
    const Operand *o = attribute(s, key);
    if (!o) return true;
    for (int k = 0; words[k]; k++) {
        if (o->kind == OPD_WORD ? strcasecmp(o->word, words[k]) != 0 : o->kind != OPD_INT || o->i != k) continue;
        *out = k;
        return true;
    }
    StrBuf list = {0};
    for (int k = 0; words[k]; k++) sb_printf(&list, "%s%s", k ? words[k + 1] ? ", " : " or " : "", words[k]);
    diag(in->diag, DIAG_OPERANDS, o->loc, "%s: expected %s to be %s, found %s", i->info->name, key, list.s, o->kind == OPD_WORD ? o->word : "another value");
    sb_free(&list);
    return false;
}

bool take_attributes(Interp *in, const Stmt *s, Instr *i) {
    note_odd_attributes(in, i->info->name, s);
    static const char *const patterns[] = {"none", "P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111", NULL};
    static const char *const pads[] = {"null", "zero", "max", "min", NULL}, *const units[] = {"row", "elem", NULL};
    static const char *const gather_words[] = {"undefined", "clamp", "wrap", "zero", NULL}, *const sat_words[] = {"OFF", "ON", NULL};
    static const char *const scatter_words[] = {"undefined", "skip", "clamp", "wrap", NULL};
    static const char *const atomic_words[] = {"atomic_none", "atomic_add", NULL};
    static const Beyond scatter_beyond[] = {BEYOND_UNDEFINED, BEYOND_ZERO, BEYOND_CLAMP, BEYOND_WRAP};
    int pattern = 0, pad = PAD_NULL, saturate = 0, atomic = 0, by_element = 0, gather = BEYOND_UNDEFINED, scatter = 0;
    const char *saturation = attribute(s, "satmode") ? "satmode" : "sat_mode";
    bool ok = choose(in, s, i, "maskPattern", patterns, &pattern) && choose(in, s, i, "padValue", pads, &pad) &&
              choose(in, s, i, saturation, sat_words, &saturate) && choose(in, s, i, "atomicType", atomic_words, &atomic) &&
              choose(in, s, i, "coalesce", units, &by_element) && choose(in, s, i, "gatherOob", gather_words, &gather) &&
              choose(in, s, i, "scatterOob", scatter_words, &scatter);
    if (!ok) return false;
    i->pattern = pattern;
    const Operand *axis = attribute(s, "axis"), *offset = attribute(s, "offset");
    i->by_column = axis && (axis->kind != OPD_WORD || strcmp(axis->word, "row") != 0);
    if (offset && i->id == I_TGATHER) i->index[0] = offset->i;
    i->pad = (TilePad)pad;
    i->descending = is_true(s, "descending");
    i->upper = is_true(s, "upperOrLower");
    i->exhausted = is_true(s, "exhausted");
    i->by_element = by_element;
    i->beyond = scatter ? (int)scatter_beyond[scatter] : gather;
    i->saturate = saturate;
    i->accumulate = atomic;
    return true;
}
