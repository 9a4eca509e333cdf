#include "isa/table/instr.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static InstrId find(const char *s) { return instr_find(s, strlen(s)); }

static void instructions_are_found_by_name(void **state) {
    (void)state;
    for (int i = 0; i < INSTR_COUNT; i++) assert_int_equal(find(instr_info[i].name), i);
    assert_int_equal(find("TMINS"), I_TMINS);
    assert_int_equal(find("pto.tmins"), I_TMINS);
    assert_int_equal(find("PTO.TRowArgMax"), I_TROWARGMAX);
    assert_int_equal(instr_find("tminsx", 5), I_TMINS);
    static const char *const unknown[] = {"", "tmi", "tminsx", "pto.", "pto.pto.tmins", "pto", "tmins "};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) assert_int_equal(find(unknown[i]), INSTR_COUNT);
}

/* The name is the id in lower case, and every family that lists types has a lowering. */
static void rows_are_consistent(void **state) {
    (void)state;
    static const char *const ids[] = {
#define INSTR(id, ...) #id,
#include "isa/table/instr.def"
#undef INSTR
    };
    for (int i = 0; i < INSTR_COUNT; i++) {
        const InstrInfo *row = &instr_info[i];
        for (size_t k = 0; k <= strlen(row->name); k++) assert_int_equal(row->name[k], tolower(ids[i][k]));
        assert_true(row->check || i == I_TPRINT); /* any tile can be printed */
        for (int f = 0; f < FAMILY_COUNT; f++) assert_int_equal(row->types[f][0] != 0, row->lower[f] != NULL);
        assert_int_equal(row->tmp != NULL, instr_signature((InstrId)i)->tmp);
        assert_int_equal(row->tmp != NULL, instr_tmp_formula(row) != NULL);
    }
}

/* Every word of every type list must be an element type: a misspelt one would only be missing. */
static void type_lists_hold_types(void **state) {
    (void)state;
    for (int i = 0; i < INSTR_COUNT; i++)
        for (int f = 0; f < FAMILY_COUNT; f++) {
            int words = 0, accepted = 0;
            const char *s = instr_info[i].types[f];
            for (size_t n; (n = strcspn(s, " ")) != 0; s += n + (s[n] == ' '), words++)
                assert_int_not_equal(dtype_parse(s, n), DT_NONE);
            for (DType t = DT_NONE; t < DT_COUNT; t++) accepted += instr_type_ok(&instr_info[i], (Family)f, t);
            assert_int_equal(accepted, words);
        }
    assert_true(instr_type_ok(&instr_info[I_TMINS], FAMILY_A2A3, DT_F16));
    assert_false(instr_type_ok(&instr_info[I_TMINS], FAMILY_A2A3, DT_BF16));
    assert_true(instr_type_ok(&instr_info[I_TMINS], FAMILY_950, DT_BF16));
    assert_false(instr_type_ok(&instr_info[I_TMINS], FAMILY_950, DT_NONE));
}

static void signatures_list_the_operands(void **state) {
    (void)state;
    const Signature *s = instr_signature(I_TMINS);
    assert_int_equal(s->nin, 1);
    assert_string_equal(s->in_name[0], "src");
    assert_true(s->scalar);
    assert_false(s->tmp);
    assert_int_equal(s->nout[0], 1);
    assert_int_equal(s->nout[1], 0);
    assert_string_equal(s->out_name[0][0], "dst");

    s = instr_signature(I_TPARTARGMIN);
    assert_int_equal(s->nin, 4);
    assert_string_equal(s->in_name[3], "src1Idx");
    assert_int_equal(s->nout[0], 2);
    assert_int_equal(s->nout[1], 0);
    assert_string_equal(s->out_name[0][1], "dstIdx");

    s = instr_signature(I_TROWARGMAX);
    assert_int_equal(s->nin, 1);
    assert_true(s->tmp);
    assert_false(s->scalar);
    assert_int_equal(s->nout[0], 1);
    assert_int_equal(s->nout[1], 2);
    assert_string_equal(s->out_name[0][0], "dst");
    assert_string_equal(s->out_name[1][0], "dstVal");
    assert_string_equal(s->out_name[1][1], "dstIdx");
    assert_ptr_equal(s, instr_signature(I_TROWARGMAX));
}

static void transfers_have_a_view_on_one_side(void **state) {
    (void)state;
    const Signature *load = instr_signature(I_TLOAD), *store = instr_signature(I_TSTORE);
    assert_true(load->view_in && !load->view_out);
    assert_int_equal(load->nin, 0);
    assert_int_equal(load->nout[0], 1);
    assert_true(store->view_out && !store->view_in);
    assert_int_equal(store->nin, 1);
    assert_int_equal(store->nout[0], 0);
    assert_int_equal(instr_info[I_TLOAD].pipe[FAMILY_A2A3], PIPE_MTE2);
    assert_int_equal(instr_info[I_TSTORE].pipe[FAMILY_950], PIPE_MTE3);
    assert_int_equal(instr_info[I_MGATHER].pipe[FAMILY_A2A3], PIPE_MTE2); /* threads of the vector core on the 950 */
    assert_int_equal(instr_info[I_MGATHER].pipe[FAMILY_950], PIPE_V);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_found_by_name),
        cmocka_unit_test(rows_are_consistent),
        cmocka_unit_test(type_lists_hold_types),
        cmocka_unit_test(signatures_list_the_operands),
        cmocka_unit_test(transfers_have_a_view_on_one_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
