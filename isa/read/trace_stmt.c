/* Statements: results, operation, operands, attributes, signature, body. */
#include <stdio.h>
#include <string.h>

#include "isa/read/trace_parse.h"

/* "1 operand", "2 to 3 results" */
static const char *amount(char *buf, size_t n, int min, int max, const char *what) {
    if (max < 0) snprintf(buf, n, "at least %d %s%s", min, what, min == 1 ? "" : "s");
    else if (min < max) snprintf(buf, n, "%d to %d %ss", min, max, what);
    else snprintf(buf, n, "%d %s%s", min, what, min == 1 ? "" : "s");
    return buf;
}

static void check_amount(Parser *p, const Stmt *s, int found, int min, int max, const char *what) {
    char text[64];
    if (found >= min && (max < 0 || found <= max)) return;
    parse_fail(p, DIAG_SYNTAX, s->loc, "expected %s of %s, found %d", amount(text, sizeof text, min, max, what), s->op, found);
}

/* %a, %b:2 = */
static void parse_results(Parser *p, Stmt *s) {
    enum { MOST = 64 };
    size_t mark = p->operands.n;
    do {
        Operand one = {.kind = OPD_NAME, .loc = tok(p)->loc}, count = {.i = 1};
        one.name = parse_value(p, "a result (%name)");
        if (accept(p, ':')) {
            Loc loc = tok(p)->loc;
            parse_number(p, &count);
            if (count.kind != OPD_INT || count.i < 1 || count.i > MOST)
                parse_fail(p, DIAG_SYNTAX, loc, "expected 1 to %d results", MOST);
        }
        for (one.sub = 0; one.sub < (uint32_t)count.i; one.sub++) *push_operand(p) = one;
    } while (accept(p, ','));
    expect(p, '=', "'=' after the results");
    s->results = take_operands(p, mark, &s->nresults);
}

/* overflow<nsw>, fastmath<contract>: say what may be assumed, not what is computed. */
static void skip_flags(Parser *p) {
    while (at_word(p, "overflow") || at_word(p, "fastmath")) {
        lex_next(&p->lex);
        if (at(p, '<')) skip_balanced(p, '<', '>');
    }
}

static void signature(Parser *p, Stmt *s, const OpRow *row) {
    if (accept(p, ':')) parse_signature(p, s);
    else if (row->kind == ST_BLOCK_INFO && accept(p, T_ARROW)) s->otype = parse_types(p, "'->'", &s->notype);
    else if (row->signature > SIG_OPTIONAL) parse_expected(p, "':' and a type");
    if (row->signature == SIG_ARROW && !s->notype) parse_expected(p, "'->' and the result type");
    if (row->signature == SIG_TO && !s->notype) parse_expected(p, "'to' and the result type");
}

static bool at_operand(const Parser *p) {
    int k = tok(p)->kind;
    return k == T_VALUE || k == T_NUMBER || k == T_SYMBOL || at_word(p, "true") || at_word(p, "false");
}

/* %a, %b[%i] */
static void plain_operands(Parser *p, Stmt *s, const OpRow *row) {
    size_t mark = p->operands.n;
    int i = 0;
    /* Optional operands stand on the line of the operation, for the next line may be the next statement; not so
     * behind the last one of a block. */
    bool last = p->depth > 0 && (s->kind == ST_RETURN || s->kind == ST_YIELD);
    if (row->in_min > 0 || (row->in_max && at_operand(p) && (last || tok(p)->loc.line == s->loc.line))) {
        do {
            parse_operand(p);
            if (++i != row->subscript) continue;
            expect(p, '[', "'[' and an index");
            parse_operand(p);
            expect(p, ']', "']'");
        } while (accept(p, ','));
    }
    s->ins = take_operands(p, mark, &s->nins);
    check_amount(p, s, s->nins, row->in_min, row->in_max, "operand");
}

void parse_plain(Parser *p, Stmt *s, const OpRow *row) {
    plain_operands(p, s, row);
    skip_flags(p);
    if (at(p, '{')) parse_attrs(p);
    signature(p, s, row);
}

/* Integers and bit patterns must fit the type; decimal floats are rounded to it. */
static void check_constant(Parser *p, const Operand *o, const Type *t) {
    if (t->kind != TY_SCALAR && t->kind != TY_VECTOR) parse_fail(p, DIAG_SYNTAX, o->loc, "a constant needs a scalar or vector type");
    unsigned bits = t->dtype == DT_I1 ? 1 : dtype_size(t->dtype) * 8;
    uint64_t u = (uint64_t)o->i, high = bits < 64 ? ~(uint64_t)0 << bits : 0;
    const char *type = t->is_index ? "index" : dtype_name(t->dtype);
    if (dtype_is_float(t->dtype)) {
        if (!o->hex || !(u & high)) return;
        parse_fail(p, DIAG_SYNTAX, o->loc, "0x%llX does not fit the %u bits of %s", (unsigned long long)u, bits, type);
    }
    if (o->kind == OPD_FLOAT) parse_fail(p, DIAG_SYNTAX, o->loc, "expected an integer for %s, found %g", type, o->f);
    bool negative = !o->hex && o->i < 0, sign = t->dtype == DT_I1 || dtype_is_signed(t->dtype);
    bool fits = negative ? sign && o->i >= (int64_t)(~(uint64_t)0 << (bits - 1)) : !(u & high);
    if (!fits) parse_fail(p, DIAG_SYNTAX, o->loc, "%lld does not fit the %u bits of %s", (long long)o->i, bits, type);
}

/* dense<LITERAL> or dense<[LITERAL, ...]> : vector<...> */
static void parse_dense(Parser *p, Stmt *s, const OpRow *row) {
    size_t mark = p->operands.n;
    expect(p, '<', "'<'");
    if (accept(p, '[')) {
        parse_operands(p);
        expect(p, ']', "',' or ']'");
    } else {
        parse_operand(p);
    }
    expect(p, '>', "'>'");
    s->ins = take_operands(p, mark, &s->nins);
    if (!at(p, ':')) parse_expected(p, "':' and the type of the vector");
    Loc loc = tok(p)->loc;
    signature(p, s, row);
    if (s->type[0]->kind != TY_VECTOR) parse_fail(p, DIAG_SYNTAX, loc, "a dense constant needs a vector type");
    if (s->nins > 1 && s->nins != s->type[0]->dim[0])
        parse_fail(p, DIAG_SYNTAX, s->ins[0].loc, "expected %lld elements, found %d", (long long)s->type[0]->dim[0], s->nins);
    for (int k = 0; k < s->nins; k++) check_constant(p, &s->ins[k], s->type[0]);
}

/* vector.extract %v[0] : T [from vector<...>] */
void parse_extract(Parser *p, Stmt *s, const OpRow *row) {
    plain_operands(p, s, row);
    signature(p, s, row);
    if (accept_word(p, "from")) parse_type(p, "'from'");
}

/* arith.constant LITERAL [: T]; only true and false carry their type themselves. */
void parse_constant(Parser *p, Stmt *s, const OpRow *row) {
    size_t mark = p->operands.n;
    if (at(p, '{')) parse_attrs(p);
    if (accept_word(p, "dense")) {
        parse_dense(p, s, row);
        return;
    }
    bool truth = at_word(p, "true") || at_word(p, "false");
    if (!truth && !at(p, T_NUMBER)) parse_expected(p, "a number, true or false");
    parse_operand(p);
    s->ins = take_operands(p, mark, &s->nins);
    if (!truth && !at(p, ':')) parse_expected(p, "':' and the type of the constant");
    signature(p, s, row);
    if (!s->ntype) {
        TypeError e;
        s->type = arena_alloc(p->arena, sizeof *s->type);
        s->type[s->ntype++] = types_find(p->types, "i1", 2, &e);
    }
    check_constant(p, &s->ins[0], s->type[0]);
}

/* Whether the blank-separated list holds the text; a trailing ! is no part of a word. */
static bool listed(const char *list, const char *s, size_t n) {
    for (const char *w = list; *w; w += strcspn(w, " "), w += *w == ' ')
        if (n && strncmp(w, s, n) == 0 && strchr(" !", w[n])) return true;
    return false;
}

/* arith.cmpi slt, %a, %b : T */
void parse_compare(Parser *p, Stmt *s, const OpRow *row) {
    const Token *t = tok(p);
    if ((t->kind != T_WORD && t->kind != T_STRING) || !listed(row->keys, t->s, t->n))
        parse_expected(p, "a predicate (%s)", row->keys);
    size_t mark = p->operands.n;
    Operand *o = push_operand(p);
    o->kind = OPD_WORD;
    o->word = keep_text(p);
    lex_next(&p->lex);
    add_named(p, "predicate", mark);
    expect(p, ',', "',' after the predicate");
    parse_plain(p, s, row);
}

/* [%a, 1, ...] */
static void parse_list(Parser *p) {
    expect(p, '[', "'['");
    if (accept(p, ']')) return;
    parse_operands(p);
    expect(p, ']', "',' or ']'");
}

static void parse_key(Parser *p, size_t named) {
    size_t mark = p->operands.n;
    const char *key = keep_text(p);
    if (find_named(p, named, key)) parse_fail(p, DIAG_SYNTAX, tok(p)->loc, "'%s' is given twice", key);
    lex_next(&p->lex);
    if (!accept(p, '=') && !at(p, '[')) parse_expected(p, "'='");
    if (at(p, '[')) parse_list(p);
    else parse_operand(p);
    add_named(p, key, mark);
}

static void check_keys(Parser *p, const OpRow *row, size_t named) {
    for (const char *w = row->keys; *w; w += strcspn(w, " "), w += *w == ' ') {
        char key[16];
        size_t n = strcspn(w, " !");
        snprintf(key, sizeof key, "%.*s", (int)n, w);
        if (w[n] == '!' && !find_named(p, named, key)) parse_expected(p, "'%s = [...]'", key);
    }
}

static const Type untyped; /* TY_NONE */

/* One type in the text is the result's for declarations, the operand's for views of a view. */
static void place_types(Parser *p, Stmt *s) {
    if (s->notype) return;
    if (s->kind == ST_PARTITION || s->kind == ST_SUBVIEW) {
        s->otype = arena_alloc(p->arena, sizeof *s->otype);
        s->otype[s->notype++] = &untyped;
        return;
    }
    s->otype = s->type;
    s->notype = s->ntype;
    s->ntype = 0;
}

/* %v, shape = [...], strides = [...] {attrs} : T; subview writes its offsets as an index. */
void parse_keyed(Parser *p, Stmt *s, const OpRow *row) {
    size_t named = p->named.n, mark = p->operands.n;
    if (row->in_max) parse_operand(p);
    s->ins = take_operands(p, mark, &s->nins);
    if (s->kind == ST_SUBVIEW && at(p, '[')) {
        parse_list(p);
        add_named(p, "offsets", mark);
    }
    accept(p, ',');
    while (at(p, T_WORD) && listed(row->keys, tok(p)->s, tok(p)->n)) {
        parse_key(p, named);
        accept(p, ',');
    }
    check_keys(p, row, named);
    if (at(p, '{')) parse_attrs(p);
    signature(p, s, row);
    place_types(p, s);
}

/* tgather may name the axis of its mask pattern behind the types. */
static void parse_axis(Parser *p) {
    size_t mark = p->operands.n;
    parse_operand(p);
    add_named(p, "axis", mark);
}

/* ins(%a, %b {attrs} : T, T) */
static void parse_group(Parser *p, Operand **v, int *n, const Type ***type, int *ntype) {
    expect(p, '(', "'('");
    size_t mark = p->operands.n;
    do parse_operand(p);
    while (accept(p, ',') && !at(p, '{')); /* tgather has a comma before its attributes */
    *v = take_operands(p, mark, n);
    accept_word(p, "no_tmp"); /* tmrgsort says what is not there */
    if (at(p, '{')) parse_attrs(p);
    if (accept(p, ':')) *type = parse_types(p, "':'", ntype);
    if (at(p, T_STRING)) parse_axis(p);
    else if (!*ntype && !at(p, ')')) parse_expected(p, "',', ':' or ')'");
    expect(p, ')', "',' or ')'");
}

/* Trailing `pad_mode = ... pad_value = %v : T` of transfers. */
static void parse_trailing(Parser *p) {
    static const char keys[] = "pad_mode pad_value left_padding_num right_padding_num init_out_buffer init_condition";
    while (at(p, T_WORD) && listed(keys, tok(p)->s, tok(p)->n)) {
        size_t mark = p->operands.n;
        const char *key = keep_text(p);
        lex_next(&p->lex);
        expect(p, '=', "'='");
        parse_attr_value(p);
        add_named(p, key, mark);
    }
}

static bool no_outputs(const Stmt *s, const OpRow *row) {
    return row->kind == ST_IGNORED || (row->kind == ST_INSTR && !*instr_info[s->instr].outs);
}

/* pto.op ins(...) outs(...); pto.tgetval may name its result on the left: outs : T. */
static void parse_dps(Parser *p, Stmt *s, const OpRow *row) {
    lex_next(&p->lex);
    parse_group(p, &s->ins, &s->nins, &s->type, &s->ntype);
    check_amount(p, s, s->nins, row->in_min, row->in_max, "operand");
    bool optional = no_outputs(s, row);
    if (!accept_word(p, "outs")) {
        if (!optional) parse_expected(p, "'outs('");
    } else if (s->kind == ST_TGETVAL && accept(p, ':')) {
        s->otype = parse_types(p, "':'", &s->notype);
        check_amount(p, s, s->nresults, 1, 1, "result");
        return;
    } else {
        parse_group(p, &s->outs, &s->nouts, &s->otype, &s->notype);
    }
    if (s->nresults) parse_fail(p, DIAG_SYNTAX, s->loc, "%s with outs(...) has no result on the left", s->op);
    if (at(p, '{')) parse_attrs(p);
    parse_trailing(p);
}

/* The two forms with results on the left, or destination-passing style. */
void parse_instr(Parser *p, Stmt *s, const OpRow *row) {
    if (at(p, '{')) parse_attrs(p);
    if (at_word(p, "ins")) {
        parse_dps(p, s, row);
        return;
    }
    if (s->nresults == 0 && !no_outputs(s, row)) parse_expected(p, "'ins(', or a result on the left");
    size_t mark = p->operands.n;
    parse_operands(p);
    s->ins = take_operands(p, mark, &s->nins);
    check_amount(p, s, s->nins, row->in_min, row->in_max, "operand");
    if (at(p, '{')) parse_attrs(p);
    signature(p, s, row);
}

Stmt *parse_statements(Parser *p, uint32_t line) {
    Stmt *first = NULL, **end = &first;
    enter(p);
    while (!accept(p, '}')) {
        if (p->cut || p->lex.error) break; /* after trace_go_on: the blocks around it end too */
        p->cut = at(p, T_END);
        if (p->cut) parse_expected(p, "'}' to close the block of line %u", line);
        *end = parse_statement(p);
        end = &(*end)->next;
    }
    leave(p);
    return first;
}

Stmt *parse_block(Parser *p) {
    uint32_t line = tok(p)->loc.line;
    expect(p, '{', "'{'");
    return parse_statements(p, line);
}

/* { ^bb0(%a: T, ...): statements } */
static Stmt *parse_labelled_block(Parser *p, Operand **args, int *nargs) {
    uint32_t line = tok(p)->loc.line;
    size_t mark = p->operands.n;
    expect(p, '{', "'{'");
    if (accept(p, '^')) {
        expect(p, T_WORD, "the name of the block");
        if (accept(p, '(')) {
            do {
                if (!at(p, T_VALUE)) parse_expected(p, "an argument (%%name)");
                parse_operand(p);
                expect(p, ':', "':' and a type");
                parse_type(p, "':'");
                parse_location(p);
            } while (accept(p, ','));
            expect(p, ')', "',' or ')'");
        }
        expect(p, ':', "':' after the block's name");
    }
    *args = take_operands(p, mark, nargs);
    return parse_statements(p, line);
}

/* (%x = %init, ...): the names become arguments, the values the named list "init". */
static void parse_inits(Parser *p, Operand **args, int *nargs) {
    size_t init = p->operands.n, values = init;
    int n = 0;
    expect(p, '(', "'('");
    while (at(p, T_VALUE)) {
        parse_operand(p);
        expect(p, '=', "'=' and the initial value");
        parse_operand(p);
        n++;
        if (!accept(p, ',')) break;
    }
    expect(p, ')', "',' or ')'");
    /* name, value, name, value: the values move down to be taken together. */
    Operand *pair = (Operand *)(void *)p->operands.items + init;
    Operand *arg = arena_alloc(p->arena, ((size_t)n + 1) * sizeof *arg);
    for (int i = 0; i < n; i++) {
        arg[i + *nargs] = pair[2 * i];
        pair[i] = pair[2 * i + 1];
        values++;
    }
    if (*nargs) arg[0] = **args;
    *args = arg;
    *nargs += n;
    p->operands.n = values;
    add_named(p, "init", init);
}

static void check_loop(Parser *p, const Stmt *s, int carried, const char *what) {
    int types = s->notype;
    if (s->nresults) check_amount(p, s, s->nresults, types, types, "result");
    if (carried >= 0 && carried != types)
        parse_fail(p, DIAG_SYNTAX, s->loc, "%s has %d %s, but %d result type%s", s->op, carried, what, types, types == 1 ? "" : "s");
}

/* scf.for %i = %lb to %ub step %s [iter_args(...) -> (T)] [: T] { ... } */
void parse_for(Parser *p, Stmt *s, const OpRow *row) {
    (void)row;
    size_t mark = p->operands.n;
    if (!at(p, T_VALUE)) parse_expected(p, "the induction variable (%%name)");
    parse_operand(p);
    s->args = take_operands(p, mark, &s->nargs);
    expect(p, '=', "'='");
    parse_operand(p);
    expect_word(p, "to", "'to'");
    parse_operand(p);
    expect_word(p, "step", "'step'");
    parse_operand(p);
    s->ins = take_operands(p, mark, &s->nins);
    if (accept_word(p, "iter_args")) {
        parse_inits(p, &s->args, &s->nargs);
        expect(p, T_ARROW, "'->' and the types of the iter_args");
        s->otype = parse_types(p, "'->'", &s->notype);
    }
    check_loop(p, s, s->nargs - 1, "iter_args");
    if (accept(p, ':')) s->type = parse_types(p, "':'", &s->ntype);
    s->body = parse_block(p);
}

/* scf.if %c [-> (T)] { ... } [else { ... }] */
void parse_if(Parser *p, Stmt *s, const OpRow *row) {
    plain_operands(p, s, row);
    if (accept(p, T_ARROW)) s->otype = parse_types(p, "'->'", &s->notype);
    check_loop(p, s, -1, "");
    s->body = parse_block(p);
    if (accept_word(p, "else")) s->orelse = parse_block(p);
}

/* scf.while (%a = %x) : (T) -> (T) { before } do { ^bb0(%b: T): after } */
void parse_while(Parser *p, Stmt *s, const OpRow *row) {
    (void)row;
    if (at(p, '(')) parse_inits(p, &s->args, &s->nargs);
    expect(p, ':', "':' and the types of the loop");
    parse_signature(p, s);
    check_loop(p, s, -1, "");
    s->body = parse_block(p);
    expect_word(p, "do", "'do'");
    s->orelse = parse_labelled_block(p, &s->outs, &s->nouts);
}

/* scf.condition(%c) %a, %b : T, T */
void parse_condition(Parser *p, Stmt *s, const OpRow *row) {
    size_t mark = p->operands.n;
    expect(p, '(', "'('");
    parse_operand(p);
    expect(p, ')', "')'");
    if (at_operand(p)) parse_operands(p);
    s->ins = take_operands(p, mark, &s->nins);
    signature(p, s, row);
}

/* func.call @f(%a) : (T) -> (T) */
void parse_call(Parser *p, Stmt *s, const OpRow *row) {
    if (!at(p, T_SYMBOL)) parse_expected(p, "the function (@name)");
    s->op = keep_text(p);
    lex_next(&p->lex);
    size_t mark = p->operands.n;
    expect(p, '(', "'('");
    if (!at(p, ')')) parse_operands(p);
    expect(p, ')', "',' or ')'");
    s->ins = take_operands(p, mark, &s->nins);
    signature(p, s, row);
}

void parse_section(Parser *p, Stmt *s, const OpRow *row) {
    (void)row;
    if (!at(p, '{')) parse_expected(p, "'{'");
    if (strcmp(s->op, "pto.section.cube") == 0) skip_balanced(p, '{', '}');
    else s->body = parse_block(p);
}

/* Kinds that cover several operations are told apart by the last part of the name. */
static const char *op_text(const Stmt *s) {
    switch (s->kind) {
    case ST_ARITH:
    case ST_GET_VALIDSHAPE:
    case ST_BLOCK_INFO:
    case ST_BUF:
    case ST_SECTION: return strrchr(s->op, '.') + 1;
    default: return s->op;
    }
}

/* What a declaration declares must have a type of its kind. */
static void check_declared(Parser *p, const Stmt *s) {
    static const struct {
        StmtKind kind;
        TypeKind type;
        const char *text;
    } declares[] = {
        {ST_ALLOC_TILE, TY_TILE, "a tile"}, {ST_ALLOC_MULTI, TY_MULTI, "a multi-tile"}, {ST_TENSOR_VIEW, TY_VIEW, "a tensor view"},
        {ST_TRESHAPE, TY_TILE, "a tile"},
    };
    for (size_t i = 0; i < sizeof declares / sizeof *declares; i++)
        if (s->kind == declares[i].kind && s->otype[0]->kind != declares[i].type)
            parse_fail(p, DIAG_SYNTAX, s->loc, "%s: expected the type of %s", s->op, declares[i].text);
}

void parse_into(Parser *p, Stmt *s) {
    size_t named = p->named.n;
    p->operation = NULL;
    s->results = take_operands(p, p->operands.n - p->pending, &s->nresults);
    p->pending = 0;
    if (!s->nresults && at(p, T_VALUE)) parse_results(p, s);
    OpName op = parse_op(p);
    const OpRow *row = op.row;
    s->kind = row->kind;
    s->instr = op.instr;
    s->op = p->operation = op.text;
    s->loc = tok(p)->loc;
    lex_next(&p->lex);
    check_amount(p, s, s->nresults, row->out_min, row->out_max, "result");
    row->parse(p, s, row);
    check_declared(p, s);
    s->op = op_text(s);
    if (at(p, '{')) parse_attrs(p);
    finish_named(p, s, named);
    parse_location(p);
    accept(p, ';');
}

Stmt *parse_statement(Parser *p) {
    lex_mark(&p->lex);
    if (p->go_on) return recover_statement(p);
    if (at(p, T_DIRECTIVE)) return parse_directive(p);
    Stmt *s = arena_alloc(p->arena, sizeof *s);
    parse_into(p, s);
    return s;
}
