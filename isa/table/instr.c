#include "isa/table/instr.h"

#include <string.h>
#include <strings.h>

/* Both families use the same pipe, or A_B: one each. */
#define PIPES_S {PIPE_S, PIPE_S}
#define PIPES_V {PIPE_V, PIPE_V}
#define PIPES_MTE2 {PIPE_MTE2, PIPE_MTE2}
#define PIPES_MTE3 {PIPE_MTE3, PIPE_MTE3}
#define PIPES_MTE2_V {PIPE_MTE2, PIPE_V}
#define PIPES_MTE3_V {PIPE_MTE3, PIPE_V}

const InstrInfo instr_info[INSTR_COUNT] = {
#define INSTR(id, name, ins, outs, pipe, types_a, types_r, check, tmp, lower_a, var_a, lower_r, var_r, summary, \
              formula, notes)                                                                               \
    {name, ins, outs, PIPES_##pipe, {types_a, types_r}, check, tmp, {lower_a, lower_r}, {var_a, var_r},          \
     summary, formula, notes},
#include "isa/table/instr.def"
#undef INSTR
};

const char *instr_tmp_formula(const InstrInfo *i) {
    static const struct {
        TmpFn rule;
        const char *formula;
    } rows[] = {
#define TMP(rule, formula) {rule, formula},
#include "isa/table/tmp.def"
#undef TMP
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].rule == i->tmp) return rows[k].formula;
    return NULL;
}

InstrId instr_find(const char *name, size_t n) {
    if (n > 4 && strncasecmp(name, "pto.", 4) == 0) {
        name += 4;
        n -= 4;
    }
    for (int i = 0; i < INSTR_COUNT; i++)
        if (strlen(instr_info[i].name) == n && strncasecmp(instr_info[i].name, name, n) == 0) return (InstrId)i;
    return INSTR_COUNT;
}

/* Moves *s to its next word and returns the length, 0 at the end. */
static size_t next_word(const char **s) {
    *s += strspn(*s, " ");
    return strcspn(*s, " ");
}

static uint32_t type_set(const char *s) {
    uint32_t set = 0;
    for (size_t n; (n = next_word(&s)) != 0; s += n) set |= 1u << dtype_parse(s, n);
    return set;
}

bool instr_type_ok(const InstrInfo *i, Family f, DType t) {
    static uint32_t cache[INSTR_COUNT][FAMILY_COUNT]; /* bit per type; DT_NONE marks a filled entry */
    uint32_t *set = &cache[i - instr_info][f];
    if (!*set) *set = type_set(i->types[f]) | 1u << DT_NONE;
    return t != DT_NONE && *set >> t & 1;
}

/* Operand names of all rows, terminated; the rows themselves hold them inside longer texts. */
typedef struct Pool {
    char text[INSTR_COUNT * 64];
    size_t used;
} Pool;

/* Adds the name in front of a `/` and tells the shape behind it. */
static const char *pool_add(Pool *p, const char *s, size_t n, OperandShape *shape) {
    static const char *const marks[] = {"", "/col", "/row", "/block", "/bits", "/turned", "/wide", "/padded", "/index", "/offset", "/record"};
    size_t name = strcspn(s, " /|");
    if (name > n) name = n;
    *shape = SHAPE_TILE;
    for (int i = SHAPE_TILE + 1; i <= SHAPE_RECORD; i++)
        if (n - name == strlen(marks[i]) && strncmp(s + name, marks[i], n - name) == 0) *shape = (OperandShape)i;
    char *copy = memcpy(p->text + p->used, s, name);
    p->used += name + 1;
    return copy;
}

/* Returns the kind of the word. */
static char form_add(InputForm *f, const char *word, size_t n) {
    char kind = word[n - 1] == '?' ? '?' : *word == '$' || *word == '#' || *word == '@' ? *word : 't';
    f->kinds[f->n++] = kind;
    f->scalar |= kind == '$';
    f->optional |= kind == '?';
    return kind;
}

/* The first alternative counts; later ones name the inputs that it does not have. */
static void parse_inputs(Signature *sig, const char *s, Pool *pool) {
    int alternative = 0, at = 0, named = 0;
    for (; *s; alternative++, at = 0, s += *s == '|') {
        for (size_t n; (s += strspn(s, " "), n = strcspn(s, " |")) != 0; s += n) {
            char kind = form_add(&sig->form[alternative], s, n);
            if (kind == '$') sig->scalar |= !alternative;
            else if (kind == '?') sig->tmp = true;
            else if (kind == '@') sig->view_in |= !alternative;
            else if (kind == 't' && at++ == named) sig->in_name[named] = pool_add(pool, s, n, &sig->in_shape[named]), named++;
        }
        if (!alternative) sig->nin = at;
    }
    sig->nform = alternative;
}

static void parse_outputs(Signature *sig, const char *s, Pool *pool) {
    int form = 0;
    for (size_t n; *s; s += n) {
        n = strcspn(s, " |");
        if (n == 0) form += *s == '|', n = 1;
        else if (s[0] == '@') sig->view_out = true;
        else {
            int k = sig->nout[form]++;
            sig->out_name[form][k] = pool_add(pool, s, n, &sig->out_shape[form][k]);
        }
    }
}

static const Signature *parse_signatures(void) {
    static Signature all[INSTR_COUNT];
    static Pool pool;
    for (int i = 0; i < INSTR_COUNT; i++) {
        parse_inputs(&all[i], instr_info[i].ins, &pool);
        parse_outputs(&all[i], instr_info[i].outs, &pool);
    }
    return all;
}

const Signature *instr_signature(InstrId id) {
    static const Signature *all;
    if (!all) all = parse_signatures();
    return &all[id];
}

const Tile *instr_main_tile(const Instr *i) {
    int first = i->nin > 1 && instr_signature(i->id)->in_shape[0] == SHAPE_BITS;
    return i->nin ? i->in[first] : i->out[0];
}
