#include <stdio.h>
#include <string.h>

#include "isa/lower/a2a3/tiles.h"
#include "isa/lower/rules.h"

/* Pairs of types, source first. */
static const char *const pairs[FAMILY_COUNT] = {
    [FAMILY_A2A3] = " f32>f16 f32>f32 f32>bf16 f32>i64 f32>i32 f32>i16 f16>f32 f16>i32 f16>i16 f16>i8 f16>u8 bf16>f32 bf16>i32"
                    " u8>f16 i8>f16 i16>f16 i16>f32 i32>f32 i32>i64 i32>i16 i32>f16 i64>f32 i64>i32 ",
    [FAMILY_950] = " f32>f16 f32>bf16 f32>f32 f32>i32 f32>i16 f16>f32 f16>i32 f16>i16 f16>i8 f16>u8 bf16>f32 bf16>f16 bf16>i32"
                   " u8>f16 u8>u16 i8>f16 i8>i16 i8>i32 i16>f32 i16>f16 i16>u32 i16>i32 i16>u8 i32>f32 i32>u16 i32>i16 i32>u8"
                   " u32>u16 u32>i16 u32>u8 ",
};

static bool check_pair(LowerCtx *c, const Instr *i, DType from, DType to) {
    char pair[24];
    snprintf(pair, sizeof pair, " %s>%s ", dtype_name(from), dtype_name(to));
    if (strstr(pairs[c->target->family], pair)) return true;
    diag(c->diag, DIAG_DTYPE, i->loc, "%s: no conversion from %s to %s on %s, expected one of%s", i->info->name, dtype_name(from), dtype_name(to),
         c->target->name, pairs[c->target->family]);
    return false;
}

bool check_convert(LowerCtx *c, const Instr *i) {
    const Tile *d = i->out[0], *s = i->in[0];
    bool ok = check_pair(c, i, s->type.dtype, d->type.dtype);
    ok &= rule_row_major(c, i, s, "src");
    ok &= rule_row_major(c, i, d, "dst");
    ok &= rule_same_valid(c, i, s, "src", d, "dst");
    if (!ok || !rule_tmp(c, i)) return false;
    return c->target->family != FAMILY_A2A3 || rule_defect(c, i, convert_defect(d, s));
}
