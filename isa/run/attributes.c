/* Attributes of the instructions that move elements. */
#include <string.h>
#include <strings.h>

#include "isa/run/interp_internal.h"

static const Operand *attribute(const Stmt *s, const char *key) {
    const Named *n = stmt_named(s, key);
    return n && n->n ? &n->v[0] : NULL;
}

static bool is_true(const Stmt *s, const char *key) {
    const Operand *o = attribute(s, key);
    return o && o->kind == OPD_INT && o->i != 0;
}

/* Position of the attribute's word in the list, -1 if it is another one; `missing` without attribute. */
static int choice(const Stmt *s, const char *key, const char *const *words, int n, int missing) {
    const Operand *o = attribute(s, key);
    if (!o) return missing;
    for (int k = 0; k < n; k++)
        if (o->kind == OPD_WORD && strcasecmp(o->word, words[k]) == 0) return k;
    return o->kind == OPD_INT && o->i >= 0 && o->i < n ? (int)o->i : -1;
}

static bool unknown(Interp *in, const Stmt *s, const Instr *i, const char *key) {
    const Operand *o = attribute(s, key);
    diag(in->diag, DIAG_OPERANDS, o->loc, "%s: %s does not take this value", i->info->name, key);
    return false;
}

bool take_attributes(Interp *in, const Stmt *s, Instr *i) {
    static const char *const patterns[] = {"none", "P0101", "P1010", "P0001", "P0010", "P0100", "P1000", "P1111"};
    static const char *const pads[] = {"null", "zero", "max", "min"};
    static const char *const units[] = {"row", "elem"}, *const beyond[] = {"undefined", "clamp"};
    int pattern = choice(s, "maskPattern", patterns, 8, 0), pad = choice(s, "padValue", pads, 4, PAD_NULL);
    if (pattern < 0) return unknown(in, s, i, "maskPattern");
    if (pad < 0) return unknown(in, s, i, "padValue");
    if (attribute(s, "pad_value")) return unknown(in, s, i, "pad_value");
    i->pattern = pattern;
    i->pad = (TilePad)pad;
    i->descending = is_true(s, "descending");
    i->upper = is_true(s, "upperOrLower");
    i->exhausted = is_true(s, "exhausted");
    i->by_element = choice(s, "coalesce", units, 2, 0) != 0;
    const char *key = attribute(s, "gatherOob") ? "gatherOob" : "scatterOob";
    int oob = choice(s, key, beyond, 2, OOB_UNDEFINED);
    i->oob = oob < 0 ? OOB_OTHER : oob;
    return true;
}
