/* Types of the trace text, each distinct spelling parsed once. */
#ifndef NPU_ISA_TYPE_H
#define NPU_ISA_TYPE_H

#include "isa/table/program.h"

typedef struct TypeError {
    size_t at;      /* byte of the text where it is wrong */
    char text[224]; /* "expected ..., found ..." */
    char unknown[64]; /* "element type f8E5M2" when the text is well formed and unknown; else "" */
} TypeError;

/* Parses one type: `!pto.tile_buf<...>`, `f32`, `index` ... TY_NONE for the placeholders that
 * documents print: `dtype` and a body with `...`. */
bool type_parse(const char *s, size_t n, Type *out, TypeError *e);

/* Types by their text; they live as long as the table. */
typedef struct Types Types;
Types *types_new(void);
void types_free(Types *t);
const Type *types_find(Types *t, const char *s, size_t n, TypeError *e); /* NULL: see e */
/* `!name = type` */
void types_alias(Types *t, const char *s, size_t n, const Type *type);
/* Whether a bare word is a type: f32, index, dtype. */
bool type_is_word(const char *s, size_t n);

#endif
