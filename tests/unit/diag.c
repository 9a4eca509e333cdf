#include "isa/base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const Loc here = {"a.pto", 3, 7};

static int setup(void **state) {
    *state = diag_new();
    return 0;
}

static int teardown(void **state) {
    diag_free(*state);
    return 0;
}

static void rules_are_found_by_id(void **state) {
    (void)state;
    for (int i = 0; i < DIAG_COUNT; i++) assert_int_equal(diag_find(diag_rule((DiagId)i)->id), i);
    assert_string_equal(diag_rule(DIAG_UB_OOB)->id, "UB_OOB");
    assert_int_equal(diag_find("NO_SUCH_RULE"), DIAG_COUNT);
    assert_int_equal(diag_find(""), DIAG_COUNT);
}

static void a_message_keeps_what_was_said(void **state) {
    Diag *d = *state;
    diag(d, DIAG_TMP_SMALL, here, "needs %d elements, has %d\nuse %d columns", 384, 264, 384);
    diag(d, DIAG_NOP, here, "nothing");
    assert_int_equal(diag_count(d), 2);
    const DiagMsg *m = diag_at(d, 0);
    assert_int_equal(m->id, DIAG_TMP_SMALL);
    assert_int_equal(m->severity, SEV_ERROR);
    assert_int_equal(m->loc.line, 3);
    assert_int_equal(m->loc.col, 7);
    assert_string_equal(m->text, "needs 384 elements, has 264");
    assert_string_equal(m->hint, "use 384 columns");
    assert_null(m->excerpt);
    assert_int_equal(m->count, 1);
    assert_false(m->syntax);
    assert_int_equal(diag_at(d, 1)->severity, SEV_NOTE);
    assert_null(diag_at(d, 1)->hint);
    assert_false(diag_unreadable(d));
}

static void equal_messages_are_counted(void **state) {
    Diag *d = *state;
    char copy[] = "a.pto"; /* equal text at another address */
    for (int i = 0; i < 100000; i++) diag(d, DIAG_NAN_SEEN, i % 2 ? here : (Loc){copy, 3, 7}, "row %d\nhint %d", i % 4, i);
    assert_int_equal(diag_count(d), 4);
    for (size_t i = 0; i < 4; i++) assert_int_equal(diag_at(d, i)->count, 25000);
    assert_string_equal(diag_at(d, 3)->text, "row 3");
    assert_string_equal(diag_at(d, 3)->hint, "hint 3");
    assert_int_equal(diag_total(d, SEV_NOTE), 100000);
    assert_int_equal(diag_total(d, SEV_ERROR), 0);
}

static void id_place_and_text_tell_messages_apart(void **state) {
    Diag *d = *state;
    const Loc places[] = {here, {"a.pto", 3, 8}, {"a.pto", 4, 7}, {"b.pto", 3, 7}, {NULL, 3, 7}};
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 5; i++) diag(d, DIAG_ALIGN, places[i], "t");
        diag(d, DIAG_UB_OOB, here, "t");
        diag(d, DIAG_ALIGN, here, "u");
    }
    assert_int_equal(diag_count(d), 7);
    for (size_t i = 0; i < 7; i++) assert_int_equal(diag_at(d, i)->count, 2);
}

static void distinct_messages_are_bounded(void **state) {
    Diag *d = *state;
    for (uint32_t i = 0; i < 30000; i++) diag(d, DIAG_OVERLAP, (Loc){"a.pto", i + 1, 1}, "t");
    diag(d, DIAG_OVERLAP, (Loc){"a.pto", 10000, 1}, "t");
    assert_int_equal(diag_count(d), 10000);
    assert_int_equal(diag_at(d, 9998)->count, 1);
    assert_int_equal(diag_at(d, 9999)->count, 2);
    assert_int_equal(diag_total(d, SEV_NOTE), 30001);
    diag(d, DIAG_SYNTAX, here, "not stored any more");
    assert_true(diag_unreadable(d));
}

static void severity_can_be_chosen(void **state) {
    Diag *d = *state;
    diag_sev(d, DIAG_TMP_SPILL, SEV_ERROR, here, "t");
    assert_int_equal(diag_at(d, 0)->severity, SEV_ERROR);
    assert_int_equal(diag_total(d, SEV_ERROR), 1);
    assert_int_equal(diag_total(d, SEV_WARNING), 0);
}

static void suppressed_messages_leave_no_trace(void **state) {
    Diag *d = *state;
    diag_suppress(d, DIAG_HAZARD, 0);
    diag_suppress(d, DIAG_ALIGN, 3);
    diag(d, DIAG_HAZARD, here, "t");
    diag(d, DIAG_HAZARD, (Loc){"a.pto", 9, 1}, "t");
    diag(d, DIAG_ALIGN, here, "t");
    assert_int_equal(diag_count(d), 0);
    assert_int_equal(diag_total(d, SEV_ERROR), 0);
    diag(d, DIAG_ALIGN, (Loc){"a.pto", 4, 1}, "t");
    diag(d, DIAG_FLAG, here, "t");
    assert_int_equal(diag_count(d), 2);
}

static void allow_holds_until_its_end(void **state) {
    Diag *d = *state;
    diag_allow(d, DIAG_ALIAS);
    diag_allow(d, DIAG_NOP);
    diag(d, DIAG_ALIAS, here, "t");
    diag(d, DIAG_NOP, here, "t");
    assert_int_equal(diag_count(d), 0);
    diag_allow_end(d);
    diag(d, DIAG_ALIAS, here, "t");
    diag(d, DIAG_NOP, here, "t");
    assert_int_equal(diag_count(d), 2);
}

/* An input that could not be read must never look like success. */
static void unreadable_input_cannot_be_suppressed(void **state) {
    const DiagId group[] = {DIAG_SYNTAX, DIAG_UNKNOWN_OP, DIAG_IO, DIAG_CONFIG, DIAG_USAGE};
    for (int i = 0; i < 5; i++) {
        Diag *d = diag_new();
        diag_sev(d, group[i], SEV_WARNING, here, "only a warning");
        assert_false(diag_unreadable(d));
        diag_suppress(d, group[i], 0);
        diag_allow(d, group[i]);
        diag(d, group[i], here, "t");
        assert_true(diag_unreadable(d));
        assert_false(diag_at(d, 0)->syntax);
        assert_true(diag_at(d, 1)->syntax);
        diag_free(d);
    }
    diag(*state, DIAG_NAME, here, "t");
    assert_false(diag_unreadable(*state));
}

typedef struct Source {
    const char *text;
    size_t len;
    int calls;
} Source;

static const char *source_line(void *ctx, Loc loc, size_t *len) {
    Source *s = ctx;
    s->calls++;
    *len = s->len;
    return loc.line == 3 ? s->text : NULL;
}

static void the_source_line_is_taken_once(void **state) {
    Diag *d = *state;
    Source s = {"tmins ins(%a)\nnext", 13, 0};
    diag_set_source(d, source_line, &s);
    for (int i = 0; i < 10; i++) diag(d, DIAG_OPERANDS, here, "t");
    assert_int_equal(s.calls, 1);
    assert_string_equal(diag_at(d, 0)->excerpt, "tmins ins(%a)");
    diag(d, DIAG_OPERANDS, (Loc){"a.pto", 9, 1}, "t");
    diag(d, DIAG_OPERANDS, (Loc){"a.pto", 0, 0}, "whole file");
    assert_null(diag_at(d, 1)->excerpt);
    assert_null(diag_at(d, 2)->excerpt);
    assert_int_equal(s.calls, 2);
}

static void huge_texts_are_cut(void **state) {
    Diag *d = *state;
    size_t n = 1 << 20;
    char *text = malloc(n + 1);
    memset(text, 'x', n);
    text[n] = 0;
    Source s = {text, n, 0};
    diag_set_source(d, source_line, &s);
    for (int i = 0; i < 2; i++) diag(d, DIAG_SYNTAX, here, "%s\n%s", text, text);
    assert_int_equal(diag_count(d), 1);
    const DiagMsg *m = diag_at(d, 0);
    assert_int_equal(m->count, 2);
    assert_int_equal(strlen(m->text), 4096);
    assert_int_equal(strlen(m->hint), 4096);
    assert_int_equal(strlen(m->excerpt), 4096);
    free(text);
}

int main(void) {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(rules_are_found_by_id),
        TEST(a_message_keeps_what_was_said),
        TEST(equal_messages_are_counted),
        TEST(id_place_and_text_tell_messages_apart),
        TEST(distinct_messages_are_bounded),
        TEST(severity_can_be_chosen),
        TEST(suppressed_messages_leave_no_trace),
        TEST(allow_holds_until_its_end),
        TEST(unreadable_input_cannot_be_suppressed),
        TEST(the_source_line_is_taken_once),
        TEST(huge_texts_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
