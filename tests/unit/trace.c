/* The trace reader: every construct, every type spelling, every error with its place, and that no
 * input whatever makes it crash or grow. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/read/lex.h"
#include "isa/read/trace.h"
#include "isa/read/type.h"

typedef struct Reading {
    Diag *diag;
    Names *names;
    TraceReader *reader;
    StrBuf out; /* what was read, as text */
} Reading;

static const char file_name[] = "unit_trace.pto";

static void begin(Reading *r, const char *text, size_t n) {
    FILE *f = fopen(file_name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
    *r = (Reading){.diag = diag_new(), .names = names_new()};
    r->reader = trace_open(file_name, r->names, r->diag);
    assert_non_null(r->reader);
    diag_set_source(r->diag, trace_source_line, r->reader);
}

static void end(Reading *r) {
    trace_close(r->reader);
    names_free(r->names);
    diag_free(r->diag);
    sb_free(&r->out);
    remove(file_name);
}

/* ---- the program as text ---- */

static const char *const kind_name[] = {
    "instr", "directive", "constant", "extract", "arith", "alloc", "alloc_multi", "multi_get", "tassign", "view", "partition", "subview",
    "set_valid", "get_valid", "treshape", "set_flag", "wait_flag", "barrier", "buf", "load_scalar", "store_scalar", "tgetval",
    "tsetval", "block_info", "for", "if", "while", "condition", "yield", "call", "return", "section", "ignored",
    "unknown",
};

static void show_tile(StrBuf *b, const TileType *t) {
    static const char *const loc[] = {"vec", "mat", "left", "right", "acc", "bias", "scaling"};
    sb_printf(b, "%s %ux%ux%s", loc[t->loc], t->rows, t->cols, dtype_name(t->dtype));
    if (t->vrows != (int32_t)t->rows || t->vcols != (int32_t)t->cols) sb_printf(b, " v=%dx%d", t->vrows, t->vcols);
    if (t->blayout == COL_MAJOR) sb_puts(b, " col");
    if (t->slayout != NONE_BOX) sb_printf(b, " box%d", t->slayout);
    if (t->fractal != 512) sb_printf(b, " fractal%d", t->fractal);
    if (t->pad) sb_printf(b, " pad%d", t->pad);
    if (t->compact) sb_printf(b, " compact%d", t->compact);
}

static void show_dims(StrBuf *b, const char *kind, const Type *t) {
    sb_puts(b, kind);
    for (int i = 0; i < t->rank; i++) sb_printf(b, " %lld", (long long)t->dim[i]);
    sb_printf(b, " %s", dtype_name(t->dtype));
}

static void show_type(StrBuf *b, const Type *t) {
    switch (t->kind) {
    case TY_NONE: sb_puts(b, "?"); break;
    case TY_SCALAR: sb_puts(b, t->is_index ? "index" : dtype_name(t->dtype)); break;
    case TY_TILE: show_tile(b, &t->tile); break;
    case TY_PTR: sb_printf(b, "ptr %s%s", dtype_name(t->dtype), t->ub ? " ub" : ""); break;
    case TY_VIEW: show_dims(b, "view", t); break;
    case TY_PART: show_dims(b, "part", t); break;
    case TY_VECTOR: show_dims(b, "vector", t); break;
    case TY_MULTI:
        sb_printf(b, "%d of ", t->count);
        show_tile(b, &t->tile);
        break;
    }
}

static void show_operand(StrBuf *b, const Operand *o, const Names *names) {
    switch (o->kind) {
    case OPD_NONE: sb_puts(b, "none"); break;
    case OPD_NAME:
        sb_printf(b, "%%%s", names_text(names, o->name));
        if (o->sub) sb_printf(b, "#%u", o->sub);
        break;
    case OPD_INT: sb_printf(b, o->hex ? "0x%llx" : "%lld", (long long)o->i); break;
    case OPD_FLOAT: sb_printf(b, "%g", o->f); break;
    case OPD_WORD: sb_printf(b, "'%s'", o->word); break;
    }
}

static void show_operands(StrBuf *b, const char *label, const Operand *o, int n, const Names *names) {
    if (!n) return;
    sb_printf(b, " %s(", label);
    for (int i = 0; i < n; i++) {
        if (i) sb_puts(b, ", ");
        show_operand(b, &o[i], names);
    }
    sb_puts(b, ")");
}

static void show_types(StrBuf *b, const char *label, const Type **t, int n) {
    if (!n) return;
    sb_printf(b, " %s(", label);
    for (int i = 0; i < n; i++) {
        if (i) sb_puts(b, ", ");
        show_type(b, t[i]);
    }
    sb_puts(b, ")");
}

static void show_directive(StrBuf *b, const Directive *d) {
    sb_printf(b, " %d", (int)d->kind);
    if (d->name) sb_printf(b, " %s%s", d->is_tile ? "%" : "", d->name);
    if (d->spec) sb_printf(b, " [%s]", d->spec);
    if (d->tolerance) sb_printf(b, " {%s}", d->tolerance);
    sb_printf(b, " %llx %llx %g", (unsigned long long)d->num[0], (unsigned long long)d->num[1], d->percent);
}

static void show_block(StrBuf *b, const char *label, const Stmt *s, const Names *names);

static void show(StrBuf *b, const Stmt *s, const Names *names) {
    sb_printf(b, "%s %s", kind_name[s->kind], s->op);
    show_operands(b, "res", s->results, s->nresults, names);
    show_operands(b, "in", s->ins, s->nins, names);
    show_operands(b, "out", s->outs, s->nouts, names);
    show_operands(b, "arg", s->args, s->nargs, names);
    for (int i = 0; i < s->nnamed; i++) {
        sb_printf(b, " .%s", s->named[i].key);
        show_operands(b, "=", s->named[i].v, s->named[i].n, names);
    }
    show_types(b, ":", s->type, s->ntype);
    show_types(b, "->", s->otype, s->notype);
    if (s->dir) show_directive(b, s->dir);
    show_block(b, "{", s->body, names);
    show_block(b, "else {", s->orelse, names);
}

static void show_block(StrBuf *b, const char *label, const Stmt *s, const Names *names) {
    if (!s) return;
    sb_printf(b, " %s", label);
    for (; s; s = s->next) {
        sb_puts(b, " ");
        show(b, s, names);
        sb_puts(b, ";");
    }
    sb_puts(b, " }");
}

static void show_func(StrBuf *b, const Func *f, const Names *names) {
    sb_printf(b, "func %s(", f->name);
    for (int i = 0; i < f->nargs; i++) {
        if (i) sb_puts(b, ", ");
        if (f->args[i].name != UINT32_MAX) sb_printf(b, "%%%s: ", names_text(names, f->args[i].name));
        show_type(b, &f->args[i].type);
    }
    sb_printf(b, ")%s%s", f->entry ? " entry" : "", f->cube ? " cube" : "");
    show_block(b, "{", f->body, names);
    sb_puts(b, "\n");
}

/* Reads to the end. Statements first, then functions, one a line; then the first message. */
static void read_all(Reading *r, const char *text, size_t n) {
    const Stmt *s;
    begin(r, text, n);
    while ((s = trace_next(r->reader))) {
        show(&r->out, s, r->names);
        sb_puts(&r->out, "\n");
    }
    for (const Func *f = trace_funcs(r->reader); f; f = f->next) show_func(&r->out, f, r->names);
    if (!diag_count(r->diag)) return;
    const DiagMsg *m = diag_at(r->diag, 0);
    sb_printf(&r->out, "%u:%u: %s", m->loc.line, m->loc.col, m->text);
    if (m->hint) sb_printf(&r->out, " | %s", m->hint);
}

static void expect_reading(const char *text, const char *expected) {
    Reading r;
    read_all(&r, text, strlen(text));
    if (strcmp(r.out.s ? r.out.s : "", expected) != 0)
        fail_msg("for:\n%s\nexpected:\n%s\nfound:\n%s", text, expected, r.out.s ? r.out.s : "");
    end(&r);
}

typedef struct Case {
    const char *text, *expected;
} Case;

static void expect_readings(const Case *c) {
    for (; c->text; c++) expect_reading(c->text, c->expected);
}

#include "trace_cases.h"

static void test_instructions(void **state) { (void)state; expect_readings(instruction_cases); }
static void test_statements(void **state) { (void)state; expect_readings(statement_cases); }
static void test_sync(void **state) { (void)state; expect_readings(sync_cases); }
static void test_regions(void **state) { (void)state; expect_readings(region_cases); }
static void test_containers(void **state) { (void)state; expect_readings(container_cases); }
static void test_directives(void **state) { (void)state; expect_readings(directive_cases); }
static void test_comments(void **state) { (void)state; expect_readings(comment_cases); }
static void test_errors(void **state) {
    (void)state;
    assert_true(sizeof error_cases / sizeof *error_cases > 60);
    expect_readings(error_cases);
}

/* What cannot be read, and around it what was read. */
static void on_gap(void *ctx, const TraceGap *g) {
    StrBuf *b = ctx;
    int n = (int)strcspn(g->text, "\n");
    sb_printf(b, "%u:%u ", g->loc.line, g->loc.col);
    if (g->construct) sb_printf(b, "construct %s%s%s\n", g->construct, g->unit ? ", " : "", g->unit ? g->unit : "");
    else sb_printf(b, "in %s: %.*s\n", g->operation ? g->operation : "no operation", n, g->text);
}

static void go_on(Reading *r, const char *text, size_t n) {
    begin(r, text, n);
    trace_go_on(r->reader, on_gap, &r->out);
    for (const Stmt *s; (s = trace_next(r->reader));) {
        show(&r->out, s, r->names);
        sb_puts(&r->out, "\n");
    }
    for (const Func *f = trace_funcs(r->reader); f; f = f->next) show_func(&r->out, f, r->names);
}

static void test_going_on(void **state) {
    (void)state;
    for (const Case *c = gap_cases; c->text; c++) {
        Reading r;
        go_on(&r, c->text, strlen(c->text));
        if (strcmp(r.out.s ? r.out.s : "", c->expected) != 0) fail_msg("for:\n%s\nexpected:\n%s\nfound:\n%s", c->text, c->expected, r.out.s ? r.out.s : "");
        assert_int_equal(diag_count(r.diag), 0);
        end(&r);
    }
}

/* Going on ends, whatever the text. */
static void test_going_on_anywhere(void **state) {
    (void)state;
    static const char replacements[] = "\0 \n\"#%()<>{}[],:=!@-/x0?^";
    size_t n = strlen(sample);
    uint32_t seed = 7;
    char *copy = xmalloc(n);
    for (size_t i = 0; i < n; i += 4) {
        Reading r;
        memcpy(copy, sample, n);
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525 + 1013904223;
            copy[(i + (seed >> 4) % 40) % n] = replacements[(seed >> 12) % (sizeof replacements - 1)];
        }
        go_on(&r, copy, i % 3 ? n : i);
        end(&r);
    }
    free(copy);
}

static void test_types(void **state) {
    (void)state;
    for (const Case *c = type_cases; c->text; c++) {
        Type t;
        TypeError e;
        StrBuf b = {0};
        if (type_parse(c->text, strlen(c->text), &t, &e)) show_type(&b, &t);
        else sb_printf(&b, "%zu: %s", e.at, e.text);
        if (strcmp(b.s, c->expected) != 0) fail_msg("for %s\nexpected %s\nfound    %s", c->text, c->expected, b.s);
        sb_free(&b);
    }
}

/* One type object per spelling, aliases included. */
static void test_type_cache(void **state) {
    (void)state;
    static const char tile[] = "!pto.tile_buf<vec, 16x64xf32>";
    Types *t = types_new();
    TypeError e;
    const Type *a = types_find(t, tile, strlen(tile), &e);
    assert_non_null(a);
    assert_ptr_equal(types_find(t, tile, strlen(tile), &e), a);
    assert_ptr_not_equal(types_find(t, "f32", 3, &e), a);
    types_alias(t, "!t", 2, a);
    assert_ptr_equal(types_find(t, "!t", 2, &e), a);
    assert_null(types_find(t, "!u", 2, &e));
    types_free(t);
}

/* Every operand, statement and function knows where it stands. */
static void test_positions(void **state) {
    (void)state;
    static const char text[] =
        "\n  %d = tmins %a,\n\t%s : f32\n"
        "/* no */";
    Reading r;
    begin(&r, text, strlen(text));
    const Stmt *s = trace_next(r.reader);
    assert_non_null(s);
    assert_string_equal(s->loc.file, file_name);
    assert_int_equal(s->loc.line, 2);
    assert_int_equal(s->loc.col, 8);
    assert_int_equal(s->results[0].loc.col, 3);
    assert_int_equal(s->ins[0].loc.col, 14);
    assert_int_equal(s->ins[1].loc.line, 3);
    assert_int_equal(s->ins[1].loc.col, 2);
    assert_null(trace_next(r.reader));
    const DiagMsg *m = diag_at(r.diag, 0);
    assert_int_equal(m->loc.line, 4);
    assert_string_equal(m->excerpt, "/* no */");
    assert_true(diag_unreadable(r.diag));
    assert_null(trace_next(r.reader)); /* reading has stopped for good */
    end(&r);
}

/* The excerpt of a line that left the window long ago comes from the file. */
static void test_source_lines(void **state) {
    (void)state;
    StrBuf b = {0};
    for (int i = 1; i <= 20000; i++) sb_printf(&b, "%%d%d = tmins %%a, %d : f32\n", i, i);
    Reading r;
    read_all(&r, b.s, b.n);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t line = 20000; line > 0; line -= 4999) {
            size_t n = 0;
            char want[64];
            const char *s = trace_source_line(r.reader, (Loc){file_name, line, 1}, &n);
            snprintf(want, sizeof want, "%%d%u = tmins %%a, %u : f32", line, line);
            assert_non_null(s);
            assert_int_equal(n, strlen(want));
            assert_memory_equal(s, want, n);
            if (line < 4999) break;
        }
    size_t n;
    assert_null(trace_source_line(r.reader, (Loc){file_name, 30000, 1}, &n));
    assert_null(trace_source_line(r.reader, (Loc){"other", 1, 1}, &n));
    end(&r);
    sb_free(&b);
}

static TraceScan scan(const char *text) {
    Reading r;
    begin(&r, text, strlen(text));
    TraceScan s = *trace_scan(r.reader);
    end(&r);
    return s;
}

static void test_scan(void **state) {
    (void)state;
    static const char *const with[] = {
        "pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]", "pto.wait_flag_dyn[\"PIPE_V\", \"PIPE_S\", %i]", "  pto.barrier <PIPE_V>",
        "pto.barrier_sync [<TVEC>]", "pto.record_event [<TLOAD>, <TVEC>, <EVENT_ID0>]", "pto.wait_event [<TLOAD>, <TVEC>, <EVENT_ID0>]",
        "pto.get_buf \"PIPE_V\", 0, 0", "// pto.barrier <PIPE_V>\npto.barrier <PIPE_V>",
        "%a = pto.alloc_tile {u = \"http://x\"} : f32 pto.barrier <PIPE_ALL>", "pto.x #pto.layout<nd>, pto.barrier <PIPE_ALL>",
    };
    static const char *const without[] = {
        "", "// pto.set_flag[<PIPE_V>, <PIPE_S>, <EVENT_ID0>]", "# pto.barrier <PIPE_V>", "#pto.barrier <PIPE_V>\n",
        "%a = tmins %b, %c // pto.barrier <PIPE_V>", "%set_flag = tmins %wait_flag, %barrier", "pto.tmins ins(%a : f32) // x\n// pto.wait_flag\n",
    };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!scan(with[i]).has_sync) fail_msg("no synchronisation found in %s", with[i]);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (scan(without[i]).has_sync) fail_msg("synchronisation found in %s", without[i]);
    assert_string_equal(scan("module attributes {pto.target_arch = \"a5\"} {\n}").target_arch, "a5");
    assert_string_equal(scan("// pto.target_arch = \"a5\"\n").target_arch, "");
    assert_string_equal(scan("%a = tmins %b\n  //!  target  configs/my file.yaml  \n").target_directive, "configs/my");
    assert_string_equal(scan("//! targets 950\n// //! target 950\n").target_directive, "");
    assert_string_equal(scan("//! dump %a = npy(\"a\")\n//! target 950").target_directive, "950");
}

static void assert_at(Loc found, uint32_t line, uint32_t col) {
    assert_int_equal(found.line, line);
    assert_int_equal(found.col, col);
}

static void test_scan_places(void **state) {
    (void)state;
    assert_at(scan("//! target 950").directive_loc, 1, 12);
    assert_at(scan("// target 950\n\n  //!  target\t950\n").directive_loc, 3, 15);
    assert_at(scan("// pto.target_arch = \"a5\"\nmodule attributes {pto.target_arch = \"a5\"} {\n}").arch_loc, 2, 39);
}

/* The scan reads in pieces; a word may lie across their border. */
static void test_scan_pieces(void **state) {
    (void)state;
    for (int shift = 0; shift < 40; shift++) {
        StrBuf b = {0};
        for (int i = 0; i < (1 << 20) - 30 + shift; i++) sb_puts(&b, i % 100 ? " " : "\n");
        sb_puts(&b, "\npto.barrier <PIPE_V>\n//! target 950\n");
        TraceScan s = scan(b.s);
        assert_true(s.has_sync);
        assert_string_equal(s.target_directive, "950");
        uint32_t lines = 0;
        for (size_t i = 0; i < b.n; i++) lines += b.s[i] == '\n';
        assert_at(s.directive_loc, lines, 12);
        sb_free(&b);
    }
}

/* Wherever the window ends, the same program is read. */
static void test_window(void **state) {
    (void)state;
    Reading whole;
    read_all(&whole, sample, strlen(sample));
    assert_int_equal(diag_count(whole.diag), 0);
    size_t n = strlen(sample), piece = 64 << 10;
    StrBuf blanks = {0};
    while (blanks.n < piece) sb_puts(&blanks, blanks.n % 61 ? " " : "\n");
    for (size_t cut = 0; cut < n; cut += 3) {
        StrBuf b = {0};
        Reading r;
        sb_add(&b, blanks.s, piece - cut);
        sb_add(&b, sample, n);
        read_all(&r, b.s, b.n);
        if (strcmp(r.out.s, whole.out.s) != 0) fail_msg("with the window's end at byte %zu:\n%s\nnot\n%s", cut, r.out.s, whole.out.s);
        end(&r);
        sb_free(&b);
    }
    sb_free(&blanks);
    end(&whole);
}

/* Byte offsets of the tokens in the file, in order. */
static size_t token_starts(const char *text, size_t *at, size_t cap) {
    FILE *f = fopen(file_name, "wb");
    size_t n = strlen(text), count = 0;
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
    Lex l;
    lex_open(&l, fopen(file_name, "rb"), file_name);
    const char *line = text;
    for (uint32_t number = 1; l.t.kind != T_END; lex_next(&l)) {
        for (; number < l.t.loc.line; number++) line = strchr(line, '\n') + 1;
        assert_true(count < cap);
        at[count++] = (size_t)(line - text) + l.t.loc.col - 1;
        lex_mark(&l);
    }
    lex_close(&l);
    return count;
}

/* Whether a blank would change the meaning of the token at `to`: behind #name, which a line end makes a comment of
 * the documents; and in front of what an operation may have on its line. */
static bool is_tied(const char *text, size_t from, size_t to) {
    static const char *const ops[] = {"pipe_barrier", "tsync", "barrier"};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (to - from > strlen(ops[i]) && strncmp(text + from + 4, ops[i], strlen(ops[i])) == 0) return true;
    return text[from] == '#';
}

/* Comments and line ends may stand in front of every token. */
static void test_comments_anywhere(void **state) {
    (void)state;
    static size_t at[4000];
    static const char *const blanks[] = {" // <c> %x \"{[(\n", "\n", "\t\r\n ", " # note: ) } >\n"};
    Reading plain;
    size_t n = token_starts(sample, at, sizeof at / sizeof *at), len = strlen(sample);
    assert_true(n > 500);
    read_all(&plain, sample, len);
    for (size_t b = 0; b < sizeof blanks / sizeof *blanks; b++) {
        StrBuf all = {0};
        for (size_t k = 0; k <= n; k++) {
            size_t from = k ? at[k - 1] : 0, to = k < n ? at[k] : len;
            sb_add(&all, sample + from, to - from);
            if (k < n && !(k && is_tied(sample, from, to))) sb_puts(&all, blanks[b]);
        }
        Reading r;
        read_all(&r, all.s, all.n);
        if (strcmp(r.out.s, plain.out.s) != 0) fail_msg("with '%s' in front of every token:\n%s\nnot\n%s", blanks[b], r.out.s, plain.out.s);
        end(&r);
        sb_free(&all);
    }
    end(&plain);
}

/* Keys of a tile type may stand in any order, in both spellings. */
static void test_key_order(void **state) {
    (void)state;
    static const char *const compact[] = {"valid=8x?", "blayout=col_major", "slayout=row_major", "fractal=32", "pad=2", "compact=1"};
    static const char *const verbose[] = {"loc=mat", "dtype=ui16", "rows=16", "cols=32", "v_row=8", "v_col=?", "blayout=col_major",
                                          "slayout=row_major", "fractal=32", "pad=2", "compact=1"};
    uint32_t seed = 5;
    for (int round = 0; round < 2000; round++) {
        bool short_form = round % 2;
        const char *key[11];
        int n = short_form ? 6 : 11;
        memcpy(key, short_form ? compact : verbose, (size_t)n * sizeof *key);
        for (int i = n - 1; i > 0; i--) {
            seed = seed * 1664525 + 1013904223;
            int j = (int)((seed >> 8) % (uint32_t)(i + 1));
            const char *t = key[i];
            key[i] = key[j], key[j] = t;
        }
        StrBuf text = {0}, found = {0};
        sb_puts(&text, short_form ? "!pto.tile_buf<mat, 16x32xui16" : "!pto.tile_buf<");
        for (int i = 0; i < n; i++) sb_printf(&text, "%s%s", short_form || i ? ", " : "", key[i]);
        sb_puts(&text, ">");
        Type t;
        TypeError e;
        if (!type_parse(text.s, text.n, &t, &e)) fail_msg("%s: %s", text.s, e.text);
        show_type(&found, &t);
        assert_string_equal(found.s, "mat 16x32xu16 v=8x-1 col box1 fractal32 pad2 compact1");
        sb_free(&text);
        sb_free(&found);
    }
}

/* Whatever is cut off, the reader says so or reads what is left; it never crashes. */
static void test_truncation(void **state) {
    (void)state;
    for (size_t n = strlen(sample); n-- > 0;) {
        Reading r;
        read_all(&r, sample, n);
        assert_true(diag_count(r.diag) <= 1);
        end(&r);
    }
}

static void test_mutation(void **state) {
    (void)state;
    static const char replacements[] = "\0 \n\"#%()<>{}[],:=!@-/x0?";
    size_t n = strlen(sample);
    uint32_t seed = 1;
    char *copy = xmalloc(n);
    for (size_t i = 0; i < n; i++) {
        Reading r;
        memcpy(copy, sample, n);
        seed = seed * 1664525 + 1013904223;
        copy[i] = seed >> 31 ? replacements[(seed >> 8) % (sizeof replacements - 1)] : (char)(seed >> 16);
        read_all(&r, copy, n);
        for (size_t m = 0; m < diag_count(r.diag); m++) assert_true(diag_at(r.diag, m)->loc.line > 0);
        end(&r);
    }
    free(copy);
}

static void test_deep_nesting(void **state) {
    (void)state;
    StrBuf b = {0};
    for (int i = 0; i < 100000; i++) sb_puts(&b, "scf.if %c {");
    Reading r;
    read_all(&r, b.s, b.n);
    assert_string_equal(r.out.s, "1:2212: nested more than 200 deep");
    end(&r);
    b.n = 0;
    sb_puts(&b, "module attributes {a = ");
    for (int i = 0; i < 100000; i++) sb_puts(&b, "[");
    read_all(&r, b.s, b.n);
    assert_string_equal(r.out.s, "1:224: nested more than 200 deep");
    end(&r);
    b.n = 0;
    for (int i = 0; i < 2000; i++) sb_puts(&b, "pto.mystery {\n");
    go_on(&r, b.s, b.n);
    assert_non_null(strstr(r.out.s, "nested more than 200 deep"));
    end(&r);
    sb_free(&b);
}

/* Each spelling of an operation is looked up once; tables grow while bodies are being read. */
static void test_many_spellings(void **state) {
    (void)state;
    StrBuf b = {0};
    sb_puts(&b, "pto.section.vector {");
    for (int i = 0; i < 256; i++) {
        char name[] = "pto.tmins";
        for (int bit = 0; bit < 8; bit++)
            if (i >> bit & 1 && name[bit] != '.') name[bit] ^= 32;
        sb_printf(&b, " %%a = %s %%b, %%c", name);
    }
    sb_puts(&b, " }");
    Reading r;
    begin(&r, b.s, b.n);
    const Stmt *s = trace_next(r.reader);
    assert_non_null(s);
    assert_string_equal(s->op, "vector");
    int n = 0;
    for (s = s->body; s; s = s->next, n++) assert_int_equal(s->instr, I_TMINS);
    assert_int_equal(n, 256);
    end(&r);
    sb_free(&b);
}

/* A single line of many megabytes, read with little memory. */
static void test_long_line(void **state) {
    (void)state;
    enum { STATEMENTS = 200000 };
    StrBuf b = {0};
    for (int i = 0; i < STATEMENTS; i++) sb_puts(&b, "%d = tmins %a, %s : !pto.tile_buf<vec, 16x64xf32>, f32 ");
    Reading r;
    begin(&r, b.s, b.n);
    sb_free(&b);
    int n = 0;
    uint32_t col = 0;
    for (const Stmt *s; (s = trace_next(r.reader)); n++) col = s->loc.col;
    assert_int_equal(n, STATEMENTS);
    assert_int_equal(col, (STATEMENTS - 1) * strlen("%d = tmins %a, %s : !pto.tile_buf<vec, 16x64xf32>, f32 ") + 6);
    assert_int_equal(names_count(r.names), 3);
    end(&r);
}

/* Statements beyond 64 MiB are refused, comments of any length are not. */
static void test_long_statement(void **state) {
    (void)state;
    enum { MIB = 1 << 20 };
    static const char head[] = "func.call @f(";
    size_t n = 65 * MIB;
    char *text = xmalloc(n);
    memset(text, 'a', n);
    memcpy(text, head, strlen(head));
    for (size_t i = strlen(head); i + 2 < n; i += 1024) memcpy(text + i, i == strlen(head) ? " %" : ",%", 2);
    Reading r;
    read_all(&r, text, n);
    assert_non_null(strstr(r.out.s, "statement of more than 64 MiB"));
    end(&r);
    memset(text, 'x', n);
    memcpy(text, "//", 2);
    memcpy(text + n - 13, "\n%d = tmins 1\n", 13);
    read_all(&r, text, n);
    assert_string_equal(r.out.s, "instr tmins res(%d) in(1)\n");
    end(&r);
    free(text);
}

/* ---- lines that come again ---- */

static const char *const repeated[] = {
    "%d = tmins %a, %s", "%d = tmins %a, 1.5 : !t, f32 -> !t", "  pto.tmins ins(%a, 1.5 : !t, f32) outs(%d : !t)", "pto.tcmp ins(%a, %b : !t, !t) outs(%d : !t)",
    "{cmpMode = #pto<cmp lt>}", "!t = !pto.tile_buf<vec, 1x64xf32>", "!t = !pto.tile_buf<vec, 2x64xf32>", "", "pto.barrier <PIPE_V>",
    "pto.set_flag[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]", "%d = tmins %a, %s; %e = tmins %d, %s", "%d = tmins %a, 2 loc(\"x\":1:2)", "pto.tmins ins(%a,",
    "  %s : !t, f32) outs(%d : !t)", "%v = arith.constant 1.0 : f32",
};
enum { REPEATED = sizeof repeated / sizeof *repeated };

static void show_places(StrBuf *b, const Operand *o, int n) {
    for (int k = 0; k < n; k++) sb_printf(b, " %u:%u", o[k].loc.line, o[k].loc.col);
}

/* Statements with all their places, and what stopped the reading. */
static void read_places(Reading *r, const char *text) {
    begin(r, text, strlen(text));
    sb_puts(&r->out, "");
    for (const Stmt *s; (s = trace_next(r->reader));) {
        show(&r->out, s, r->names);
        sb_printf(&r->out, " at %u:%u", s->loc.line, s->loc.col);
        show_places(&r->out, s->results, s->nresults);
        show_places(&r->out, s->ins, s->nins);
        show_places(&r->out, s->outs, s->nouts);
        for (int k = 0; k < s->nnamed; k++) {
            sb_printf(&r->out, " %u:%u", s->named[k].loc.line, s->named[k].loc.col);
            show_places(&r->out, s->named[k].v, s->named[k].n);
        }
        sb_puts(&r->out, "\n");
    }
    for (uint32_t k = 0; k < diag_count(r->diag); k++) sb_printf(&r->out, "%u:%u %s\n", diag_at(r->diag, k)->loc.line, diag_at(r->diag, k)->loc.col, diag_at(r->diag, k)->text);
}

/* A line that came before is read as the first time, whatever stands around it: the same text with a
 * remark of its own behind every line has no line twice. */
static void test_repeated_lines(void **state) {
    (void)state;
    uint32_t seed = 1, whole = 0;
    for (int round = 0; round < 2000; round++) {
        StrBuf plain = {0}, different = {0};
        uint32_t lines = 1 + (seed >> 8) % 40, kinds = 1 + (seed >> 16) % REPEATED;
        sb_puts(&plain, "!t = !pto.tile_buf<vec, 4x64xf32>\n");
        sb_puts(&different, "!t = !pto.tile_buf<vec, 4x64xf32>\n");
        for (uint32_t k = 0; k < lines; k++) {
            seed = seed * 1664525u + 1013904223u;
            const char *line = repeated[(seed >> 16) % kinds];
            sb_printf(&plain, "%s\n", line);
            sb_printf(&different, "%s // %u\n", line, k);
        }
        Reading a, b;
        read_places(&a, plain.s);
        whole += diag_count(a.diag) == 0;
        end(&(Reading){a.diag, a.names, a.reader, {0}});
        read_places(&b, different.s);
        size_t same = 0;
        while (a.out.s[same] && a.out.s[same] == b.out.s[same]) same++;
        if (a.out.s[same] || b.out.s[same])
            fail_msg("round %d, repeated:\n%.200s\nalone:\n%.200s\nin:\n%s", round, a.out.s + same, b.out.s + same, plain.s);
        end(&b);
        sb_free(&a.out);
        sb_free(&plain);
        sb_free(&different);
    }
    assert_in_range(whole, 500, 1999); /* some texts can be read to the end, some cannot */
}

static void test_files(void **state) {
    (void)state;
    Diag *d = diag_new();
    Names *names = names_new();
    assert_null(trace_open("no/such/file.pto", names, d));
    assert_null(trace_open(".", names, d));
    assert_int_equal(diag_count(d), 2);
    assert_int_equal(diag_at(d, 0)->id, DIAG_IO);
    assert_non_null(strstr(diag_at(d, 1)->text, "directory"));
    assert_true(diag_unreadable(d));
    diag_free(d);
    names_free(names);
}

/* Standard input: read as it comes, excerpts from the window. */
static void test_standard_input(void **state) {
    (void)state;
    int fd[2], saved = dup(0);
    static const char text[] = "//! target 950\n%d = tmins %a, %s\npto.barrier <PIPE_V>\npto.tmins )\n";
    assert_int_equal(pipe(fd), 0);
    assert_int_equal(write(fd[1], text, strlen(text)), strlen(text));
    close(fd[1]);
    dup2(fd[0], 0);
    close(fd[0]);
    Diag *d = diag_new();
    Names *names = names_new();
    TraceReader *r = trace_open("-", names, d);
    diag_set_source(d, trace_source_line, r);
    assert_true(trace_scan(r)->has_sync);
    assert_string_equal(trace_scan(r)->target_directive, "950");
    int n = 0;
    while (trace_next(r)) n++;
    assert_int_equal(n, 3);
    assert_string_equal(diag_at(d, 0)->loc.file, "<stdin>");
    assert_string_equal(diag_at(d, 0)->excerpt, "pto.tmins )");
    trace_close(r);
    diag_free(d);
    names_free(names);
    dup2(saved, 0);
    close(saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions), cmocka_unit_test(test_statements), cmocka_unit_test(test_sync),
        cmocka_unit_test(test_regions), cmocka_unit_test(test_containers), cmocka_unit_test(test_directives),
        cmocka_unit_test(test_comments), cmocka_unit_test(test_types), cmocka_unit_test(test_type_cache),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_going_on), cmocka_unit_test(test_going_on_anywhere), cmocka_unit_test(test_positions), cmocka_unit_test(test_source_lines),
        cmocka_unit_test(test_scan), cmocka_unit_test(test_scan_places), cmocka_unit_test(test_scan_pieces), cmocka_unit_test(test_window),
        cmocka_unit_test(test_comments_anywhere), cmocka_unit_test(test_key_order), cmocka_unit_test(test_truncation), cmocka_unit_test(test_mutation), cmocka_unit_test(test_deep_nesting),
        cmocka_unit_test(test_many_spellings),
        cmocka_unit_test(test_long_line), cmocka_unit_test(test_long_statement), cmocka_unit_test(test_repeated_lines), cmocka_unit_test(test_files),
        cmocka_unit_test(test_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
