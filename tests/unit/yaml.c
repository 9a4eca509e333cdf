/* The YAML reader: what it accepts, its limits, and the exact text and place of every refusal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "isa/base/text.h"
#include "isa/read/yaml.h"

typedef struct Bad {
    const char *text;
    size_t n;
    uint32_t line, col;
    const char *message, *hint;
} Bad;
#define BAD(text, line, col, ...) {text, sizeof text - 1, line, col, __VA_ARGS__}

static const char key_rule[] = "a key is 1 to 64 letters, digits, '_' or '-'";
static const char write_out[] = "write the value out";

static const Bad bad[] = {
    /* Bytes that are no text: the place is computed from the byte offset. */
    BAD("a: 1\nb: \xff\xfe\n", 2, 4, "invalid leading UTF-8 octet (0xFF)", NULL),
    BAD("a: x\xc3(\n", 1, 6, "invalid trailing UTF-8 octet (0x28)", NULL),
    BAD("a: 1\r\nb: \xc3\xa9\xc3\xa9 \x01\r\n", 2, 9, "control characters are not allowed (0x01)", NULL),
    BAD("a: 1\rb: \x07", 2, 4, "control characters are not allowed (0x07)", NULL),
    BAD("\xef\xbb\xbf" "a: \x07", 1, 4, "control characters are not allowed (0x07)", NULL),
    BAD("a: \0b", 1, 4, "control characters are not allowed (0x00)", NULL),
    BAD("a: \xe2\x82", 1, 4, "incomplete UTF-8 octet sequence", NULL),
    BAD("a: \xc0\x80\n", 1, 4, "invalid length of a UTF-8 sequence", NULL),
    BAD("a: \xed\xa0\x80\n", 1, 4, "invalid Unicode character (0xD800)", NULL),
    BAD("\xff\xfe" "a\0:\0", 1, 1, "invalid leading UTF-8 octet (0xFF)", NULL),
    /* Text that is no YAML: libyaml's message, columns in bytes. */
    BAD("a: 1\n\tb: 2\n", 2, 1, "found a tab character that violates indentation while scanning a plain scalar (from line 1)", NULL),
    BAD("\ta: 1\n", 1, 1, "found character that cannot start any token while scanning for the next token (from line 1)", NULL),
    BAD("a: @x\n", 1, 4, "found character that cannot start any token while scanning for the next token (from line 1)", NULL),
    BAD("a: {b: 1\n", 2, 1, "did not find expected ',' or '}' while parsing a flow mapping (from line 1)", NULL),
    BAD("a: [1, 2\nb: 3\n", 2, 2, "did not find expected ',' or ']' while parsing a flow sequence (from line 1)", NULL),
    BAD("a: \xc3\xa9 : x: y\n", 1, 7, "mapping values are not allowed in this context", NULL),
    BAD("a:\n  b: 1\n c: 2\n", 3, 2, "did not find expected key while parsing a block mapping (from line 1)", NULL),
    BAD("a: 'x\n", 2, 1, "found unexpected end of stream while scanning a quoted scalar (from line 1)", NULL),
    BAD("a: \"\\q\"\n", 1, 5, "found unknown escape character while parsing a quoted scalar (from line 1)", NULL),
    BAD("a: }\n", 1, 4, "did not find expected node content while parsing a block node (from line 1)", NULL),
    BAD("{a: 1}}\n", 1, 7, "did not find expected <document start>", NULL),
    BAD("%YAML 9.9\n---\na: 1\n", 1, 1, "found incompatible YAML document", NULL),
    /* YAML that a target file has no use for. */
    BAD("a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key 'a'", "first at line 1, column 1"),
    BAD("a: {b: 1,\n    b: 2}\n", 2, 5, "duplicate key 'a.b'", "first at line 1, column 5"),
    BAD("a: {b: 1}\na: 2\n", 2, 1, "duplicate key 'a'", "first at line 1, column 1"),
    BAD("a: &x 1\nb: *x\n", 1, 4, "anchors (&name) are not supported", write_out),
    BAD("a: &x {b: 1}\n", 1, 4, "anchors (&name) are not supported", write_out),
    BAD("a: &x [1]\n", 1, 4, "anchors (&name) are not supported", write_out),
    BAD("&x a: 1\n", 1, 1, "anchors (&name) are not supported", write_out),
    BAD("a: *x\n", 1, 4, "aliases (*name) are not supported", write_out),
    BAD("*x : 1\n", 1, 1, "aliases (*name) are not supported", write_out),
    BAD("a: !!int 3\n", 1, 4, "tags (!name) are not supported", write_out),
    BAD("a: !t [1]\n", 1, 4, "tags (!name) are not supported", write_out),
    BAD("a: {<<: {b: 1}}\n", 1, 5, "merge keys (<<) are not supported", "write the keys out"),
    BAD("? [a, b]\n: c\n", 1, 3, "a key must be a word, not a mapping or list", NULL),
    BAD("a: {\xc3\xa9: 1}\n", 1, 5, key_rule, NULL),
    BAD("a.b: 1\n", 1, 1, key_rule, NULL),
    BAD("\"\": 1\n", 1, 1, key_rule, NULL),
    BAD("12345678901234567890123456789012345678901234567890123456789012345: 1\n", 1, 1, key_rule, NULL),
    BAD("a: 1\n---\nb: 2\n", 2, 1, "a second document", "a file holds one document"),
    BAD("hello\n", 1, 1, "expected a mapping of keys to values", NULL),
    BAD("a: []\n", 1, 5, "empty list", NULL),
    BAD("a: {b: {}}\n", 1, 9, "empty mapping", NULL),
    BAD("", 1, 1, "the file is empty", NULL),
    BAD("# only a comment\n", 1, 1, "the file is empty", NULL),
};

static YamlDoc *read_text(const char *text, size_t n, Diag **d) {
    *d = diag_new();
    return yaml_read_text("t.yaml", text, n, *d);
}

static void malformed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Diag *d;
        assert_null(read_text(bad[i].text, bad[i].n, &d));
        assert_int_equal(diag_count(d), 1);
        const DiagMsg *m = diag_at(d, 0);
        assert_string_equal(m->text, bad[i].message);
        assert_string_equal(m->loc.file, "t.yaml");
        assert_int_equal(m->loc.line, bad[i].line);
        assert_int_equal(m->loc.col, bad[i].col);
        assert_int_equal(m->id, DIAG_CONFIG);
        if (bad[i].hint)
            assert_string_equal(m->hint, bad[i].hint);
        else
            assert_null(m->hint);
        diag_free(d);
    }
}

static void expect_item(const YamlDoc *y, size_t i, const char *path, const char *value, uint32_t line, uint32_t col) {
    const YamlItem *item = yaml_at(y, i);
    assert_string_equal(item->path, path);
    assert_string_equal(item->value, value);
    assert_int_equal(item->loc.line, line);
    assert_int_equal(item->loc.col, col);
}

static void paths_and_places(void **state) {
    (void)state;
    static const char text[] =
        "\xef\xbb\xbf" "a: \xc3\xa9 b\r\n" /* BOM, CRLF */
        "s: {v: \"7\", w: 010}\r\n"
        "list:\r\n"
        "  - 1_000\r\n"
        "  - {x: no}\r\n"
        "empty:\r\n";
    Diag *d;
    YamlDoc *y = read_text(text, sizeof text - 1, &d);
    assert_non_null(y);
    assert_int_equal(diag_count(d), 0);
    assert_int_equal(yaml_count(y), 6);
    expect_item(y, 0, "a", "\xc3\xa9 b", 1, 4);
    expect_item(y, 1, "s.v", "7", 2, 8);
    expect_item(y, 2, "s.w", "010", 2, 16); /* text: numbers are the business of the caller */
    expect_item(y, 3, "list.0", "1_000", 4, 5);
    expect_item(y, 4, "list.1.x", "no", 5, 9);
    expect_item(y, 5, "empty", "", 6, 7);
    assert_true(yaml_at(y, 1)->quoted);
    assert_false(yaml_at(y, 2)->quoted);
    assert_int_equal(yaml_at(y, 1)->key_loc.col, 5);
    assert_int_equal(yaml_at(y, 1)->owner_loc.line, 2);
    assert_int_equal(yaml_at(y, 1)->owner_loc.col, 1);
    assert_int_equal(yaml_at(y, 0)->owner_loc.line, 0);
    yaml_doc_free(y);
    diag_free(d);
}

static StrBuf repeat(const char *before, const char *part, int times, const char *after) {
    StrBuf b = {0};
    sb_puts(&b, before);
    for (int i = 0; i < times; i++) sb_puts(&b, part);
    sb_puts(&b, after);
    return b;
}

/* Reads and frees text. message: the only one, or NULL for success. */
static void expect_limit(StrBuf text, const char *message, uint32_t line, uint32_t col) {
    Diag *d;
    YamlDoc *y = read_text(text.s, text.n, &d);
    if (message) {
        assert_null(y);
        assert_int_equal(diag_count(d), 1);
        assert_string_equal(diag_at(d, 0)->text, message);
        assert_int_equal(diag_at(d, 0)->loc.line, line);
        assert_int_equal(diag_at(d, 0)->loc.col, col);
    } else {
        assert_non_null(y);
    }
    yaml_doc_free(y);
    diag_free(d);
    sb_free(&text);
}

static void limits(void **state) {
    (void)state;
    static const char deep[] = "more than 16 levels of nesting";
    expect_limit(repeat("", "{a: ", 16, "1}}}}}}}}}}}}}}}}"), NULL, 0, 0);
    expect_limit(repeat("", "{a: ", 17, "1}}}}}}}}}}}}}}}}}"), deep, 1, 65);
    expect_limit(repeat("a: ", "[", 17, "1]]]]]]]]]]]]]]]]]"), deep, 1, 19);
    expect_limit(repeat("a: \"", "x", 4096, "\""), NULL, 0, 0);
    expect_limit(repeat("a: \"", "x", 4097, "\""), "value of more than 4096 bytes", 1, 4);
    expect_limit(repeat("a:\n", "- 1\n", 20000, ""), NULL, 0, 0);
    expect_limit(repeat("a:\n", "- 1\n", 20001, ""), "more than 20000 values", 20002, 3);
    expect_limit(repeat("a: 1\n", "#\n", (1 << 19) - 3, "#"), NULL, 0, 0);
    expect_limit(repeat("a: 1\n", "#\n", (1 << 19) - 2, ""), "more than 1048576 bytes", 0, 0);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* libyaml alone needs most of a minute for the first of these. */
static void depth_is_cut_early(void **state) {
    (void)state;
    double start = seconds();
    expect_limit(repeat("", "[", 100000, ""), "more than 16 levels of nesting", 1, 17);
    expect_limit(repeat("", "{", 100000, ""), "a key must be a word, not a mapping or list", 1, 2);
    expect_limit(repeat("", "- ", 100000, ""), "more than 16 levels of nesting", 1, 33);
    assert_true(seconds() - start < 2);
}

/* Every prefix, and every byte replaced: no crash, and either a document or exactly one error. */
static void damaged_text(void **state) {
    (void)state;
    static const char text[] = "a: {value: 7, source: \"x\", kind: fit}\nb:\n  c: [1, 'q']\n  d: |\n    t\n";
    static const char bytes[] = "\0\t\n\r #&*-:?[]{}|!%\"'\\\x7f\x80\xc3\xff";
    char copy[sizeof text];
    for (size_t n = 0; n < sizeof text; n++)
        for (size_t k = 0; k < sizeof bytes; k++) {
            Diag *d;
            memcpy(copy, text, sizeof text);
            bool prefix = k == sizeof bytes - 1;
            if (!prefix) copy[n] = bytes[k];
            YamlDoc *y = read_text(copy, prefix ? n : sizeof text - 1, &d);
            assert_int_equal(diag_count(d), y ? 0 : 1);
            yaml_doc_free(y);
            diag_free(d);
        }
}

static void unreadable_files(void **state) {
    (void)state;
    static const char *const name[] = {"/nonexistent/x.yaml", NPUSIM_SOURCE_DIR};
    static const char *const message[] = {"cannot read the file: No such file or directory", "cannot read the file: Is a directory"};
    for (int i = 0; i < 2; i++) {
        Diag *d = diag_new();
        assert_null(yaml_read_file(name[i], d));
        assert_int_equal(diag_count(d), 1);
        assert_int_equal(diag_at(d, 0)->id, DIAG_IO);
        assert_string_equal(diag_at(d, 0)->text, message[i]);
        assert_string_equal(diag_at(d, 0)->loc.file, name[i]);
        diag_free(d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed),
        cmocka_unit_test(paths_and_places),
        cmocka_unit_test(limits),
        cmocka_unit_test(depth_is_cut_early),
        cmocka_unit_test(damaged_text),
        cmocka_unit_test(unreadable_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
