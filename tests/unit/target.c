/* Target files: the built-in ones are complete, every fault of a file is reported at its place, and
 * --set overrides any key. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/base/text.h"
#include "isa/read/target_file.h"

static Target *load(const char *name, Diag **d) {
    *d = diag_new();
    return target_load(name, NULL, 0, *d);
}

static void expect_clean(Diag *d) {
    for (size_t i = 0; i < diag_count(d); i++) print_error("%u: %s\n", diag_at(d, i)->loc.line, diag_at(d, i)->text);
    assert_int_equal(diag_count(d), 0);
    diag_free(d);
}

/* ---- built-in targets ---- */

static void expect_num(const Num *n) {
    assert_non_null(n->source);
    assert_true(strlen(n->source) > 2);
    assert_in_range(n->prov, 0, PROV_COUNT - 1);
}

/* A structure of Nums only: every one must have come from the file. */
static void expect_nums(const void *p, size_t size) {
    assert_int_equal(size % sizeof(Num), 0);
    for (size_t i = 0; i < size / sizeof(Num); i++) expect_num((const Num *)p + i);
}

static void builtin_is_complete(const char *name, Family family, int bit) {
    Diag *d;
    Target *t = load(name, &d);
    assert_non_null(t);
    expect_clean(d);
    assert_string_equal(t->name, name);
    assert_int_equal(t->family, family);
    expect_num(&t->clock_hz);
    expect_nums(&t->ub, sizeof t->ub);
    expect_nums(&t->load, sizeof t->load);
    expect_nums(&t->store, sizeof t->store);
    if (family == FAMILY_A2A3)
        expect_nums(&t->a2a3, sizeof t->a2a3);
    else
        expect_nums(&t->v950, sizeof t->v950);
    for (int u = 0; u < UOP_COUNT; u++) {
        if (!(uop_info[u].families & bit) || !*uop_info[u].timing) continue;
        for (DType lane = DT_NONE; lane < DT_COUNT; lane++) {
            expect_nums(&t->cost[u][lane], sizeof t->cost[u][lane]);
            assert_true(t->cost[u][lane].interval.v >= 1);
        }
    }
    target_free(t);
}

static void builtins_are_complete(void **state) {
    (void)state;
    builtin_is_complete("a2a3", FAMILY_A2A3, FAM_A);
    builtin_is_complete("950", FAMILY_950, FAM_R);
    assert_string_equal(target_builtin()[0], "a2a3");
    assert_string_equal(target_builtin()[1], "950");
    assert_null(target_builtin()[2]);
}

static void every_key_is_documented(void **state) {
    (void)state;
    for (int i = 0; target_builtin()[i]; i++) {
        Diag *d;
        Target *t = load(target_builtin()[i], &d);
        expect_clean(d);
        assert_true(target_key_count(t) > 80);
        for (size_t k = 0; k < target_key_count(t); k++) {
            const TargetKey *key = target_key_at(t, k);
            assert_true(strlen(key->doc) > 8);
            assert_true(*key->value);
            if (key->numeric) expect_num(&key->num);
            for (size_t j = 0; j < k; j++) assert_string_not_equal(key->path, target_key_at(t, j)->path);
        }
        assert_string_equal(target_key_at(t, 0)->path, "name");
        assert_string_equal(target_key_at(t, target_key_count(t) - 1)->path, "semantics.f16_saturate");
        target_free(t);
    }
}

/* The numbers that the reference results rest on. */
static void known_numbers(void **state) {
    (void)state;
    Diag *d;
    Target *t = load("a2a3", &d);
    expect_clean(d);
    assert_true(t->a2a3.dispatch.v == 7 && t->a2a3.mask_cold.v == 17 && t->a2a3.mask_wide.v == 20);
    assert_true(t->cost[U_VMINS][DT_F32].latency.v == 16 && t->cost[U_VMINS][DT_F32].interval.v == 1);
    assert_true(t->cost[U_VADD][DT_F16].latency.v == 18 && t->cost[U_VADD][DT_I16].latency.v == 16);
    assert_true(t->cost[U_VCMIN][DT_F32].latency.v == 8 && t->cost[U_VCMIN][DT_F16].latency.v == 9);
    assert_true(t->cost[U_VDIV][DT_F32].interval.v == 4 && t->cost[U_VDIV][DT_F16].interval.v == 8);
    assert_true(t->ub.bytes.v == 196608 && t->load.small_bytes.v == 0);
    assert_true(t->sem.zero_ordered && !t->sem.library && !t->sem.f16_saturate);
    assert_true(t->sem.minmax_nan == NAN_PROPAGATE && t->sem.reduce_nan == NAN_FIRST);
    target_free(t);
    t = load("950", &d);
    expect_clean(d);
    assert_true(t->v950.window.v == 150 && t->v950.write_delay.v == 5 && t->v950.start_nest.v == 24);
    assert_true(t->cost[U_VEXP][DT_F32].latency.v == 16 && t->cost[U_VEXP][DT_BF16].latency.v == 21);
    assert_true(t->cost[U_VCMIN][DT_F16].port.v == 1 && t->cost[U_VMIN][DT_F16].port.v == 0);
    assert_true(t->cost[U_VCONV][DT_F16].latency.v == 7 && t->cost[U_VCONV][DT_I32].latency.v == 8);
    assert_true(t->ub.bytes.v == 262144 && t->store.small_startup.v == t->store.startup.v);
    assert_int_equal(target_forward(t, U_VMINS, DT_F32, U_VSTS, true), 4);
    assert_int_equal(target_forward(t, U_VCMIN, DT_F32, U_VDINTLV, false), 13);
    assert_int_equal(target_forward(t, U_VCMP_GT, DT_F32, U_VSEL, false), 2);
    assert_int_equal(target_forward(t, U_VADD, DT_I32, U_VSEL, false), 5);
    assert_int_equal(target_forward(t, U_VSEL, DT_F32, U_VCMP_LT, false), 2);
    assert_int_equal(target_forward(t, U_VSEL, DT_F32, U_VMOV, false), 3);
    target_free(t);
}

static void names_and_aliases(void **state) {
    (void)state;
    static const char *const alias[][2] = {
        {"a2", "a2a3"}, {"A3", "a2a3"}, {"a2a3", "a2a3"}, {"Ascend910B", "a2a3"}, {"950", "950"}, {"a5", "950"},
        {"950PR", "950"}, {"950dt", "950"}, {"Ascend950", "950"},
    };
    for (size_t i = 0; i < sizeof alias / sizeof alias[0]; i++)
        assert_string_equal(target_canonical(alias[i][0]), alias[i][1]);
    assert_null(target_canonical("a4"));
    assert_null(target_canonical(""));
    Diag *d;
    Target *t = load("A5", &d);
    assert_string_equal(t->name, "950");
    target_free(t);
    expect_clean(d);

    assert_null(load("a4", &d));
    assert_int_equal(diag_count(d), 1);
    assert_int_equal(diag_at(d, 0)->id, DIAG_USAGE);
    assert_string_equal(diag_at(d, 0)->text, "unknown target 'a4'");
    assert_non_null(strstr(diag_at(d, 0)->hint, "a2a3 (also a2, a3) and 950 (also a5)"));
    diag_free(d);
}

static void provenance_order(void **state) {
    (void)state;
    static const char *const names[] = {"documented", "measured", "fit", "assumed"};
    assert_int_equal(PROV_COUNT, 4);
    for (int p = 0; p < PROV_COUNT; p++) assert_string_equal(prov_name((Prov)p), names[p]);
    Diag *d;
    Target *t = load("a2a3", &d);
    assert_int_equal(t->ub.groups.prov, PROV_DOCUMENTED);
    assert_int_equal(t->cost[U_VEXP][DT_F32].latency.prov, PROV_MEASURED);
    assert_int_equal(t->cost[U_VCMAX][DT_F32].latency.prov, PROV_FIT);
    assert_int_equal(t->a2a3.scalar_iter.prov, PROV_ASSUMED);
    /* A port that the file leaves out is as certain as the entry around it. */
    assert_int_equal(t->cost[U_VCMAX][DT_F32].port.prov, PROV_FIT);
    target_free(t);
    diag_free(d);
}

/* ---- edited files ---- */

static char *read_config(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/configs/%s.yaml", NPUSIM_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = xcalloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

typedef struct Edit { const char *from, *to; } Edit;

/* The text of a built-in target with edits; each `from` must occur. */
static char *edited(const char *name, const Edit *e, int n) {
    char *text = read_config(name);
    for (int i = 0; i < n; i++) {
        char *at = strstr(text, e[i].from);
        if (!at) fail_msg("no '%s' in %s", e[i].from, name);
        StrBuf b = {0};
        sb_add(&b, text, (size_t)(at - text));
        sb_puts(&b, e[i].to);
        sb_puts(&b, at + strlen(e[i].from));
        free(text);
        text = b.s;
    }
    return text;
}

static Target *load_text(const char *text, Diag **d) {
    static char path[64];
    strcpy(path, "/tmp/npusim-target-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    char yaml[80];
    snprintf(yaml, sizeof yaml, "%s.yaml", path);
    rename(path, yaml);
    Target *t = load(yaml, d);
    unlink(yaml);
    return t;
}

static uint32_t line_of(const char *text, const char *part) {
    const char *at = strstr(text, part);
    uint32_t line = 1;
    assert_non_null(at);
    for (const char *p = text; p < at; p++) line += *p == '\n';
    return line;
}

static void expect_message(const Diag *d, size_t i, uint32_t line, uint32_t col, const char *text, const char *hint) {
    const DiagMsg *m = diag_at(d, i);
    assert_string_equal(m->text, text);
    if (hint)
        assert_string_equal(m->hint, hint);
    else
        assert_null(m->hint);
    assert_int_equal(m->loc.line, line);
    assert_int_equal(m->loc.col, col);
}

/* One fault: `from` becomes `to`; the message is at column col of the line that holds `at`. */
typedef struct Fault {
    const char *target, *from, *to, *at;
    uint32_t col;
    const char *message, *hint;
} Fault;

#define UB_KEYS "keys of ub: bytes, reserved_top, groups, banks"
#define RECORD "write { value: ..., source: \"...\", kind: ... }"
#define KINDS "one of documented|measured|fit|assumed"
#define SOURCED(v) "{ value: " v ", source: \"s\", kind: fit }"

static const Fault faults[] = {
    /* Keys. */
    {"a2a3", "  groups:", "  gruops: " SOURCED("1") "\n  groups:", "gruops", 3, "unknown key 'ub.gruops'", "did you mean 'ub.groups'? " UB_KEYS},
    {"a2a3", "ub:\n", "ub:\n  zzzzzzzzz: " SOURCED("1") "\n", "zzzzz", 3, "unknown key 'ub.zzzzzzzzz'", UB_KEYS},
    {"a2a3", "ub:\n", "ub:\n  x: 1\n", "x: 1", 3, "unknown key 'ub.x'", UB_KEYS},
    {"a2a3", "clock_hz:", "clock_mhz: " SOURCED("1") "\nclock_hz:", "clock_mhz", 1, "unknown key 'clock_mhz'",
     "did you mean 'clock_hz'? keys and sections: name, title, family, clock_hz, ub, load, store, a2a3, semantics, uops"},
    {"a2a3", "  vmaxs:\n", "  vmaxz:\n    latency: " SOURCED("1") "\n  vmaxs:\n", "latency: " SOURCED("1"), 5,
     "'uops.vmaxz.latency': unknown micro-operation 'vmaxz'", "did you mean 'vmax'?"},
    {"a2a3", "  vmaxs:\n", "  vbr:\n    latency: " SOURCED("1") "\n  vmaxs:\n", "latency: " SOURCED("1"), 5,
     "'uops.vbr.latency': the family a2a3 has no micro-operation 'vbr'", NULL},
    {"a2a3", "  vmaxs:\n", "  vmaxs:\n    slope: " SOURCED("1") "\n", "slope:", 5, "unknown key 'uops.vmaxs.slope'",
     "keys of uops.vmaxs: latency, interval"},
    {"a2a3", "  vmaxs:\n", "  vmaxs:\n    port: " SOURCED("1") "\n", "port: {", 5, "unknown key 'uops.vmaxs.port'",
     "keys of uops.vmaxs: latency, interval"},
    {"a2a3", "      int: { value: 16", "      ints: { value: 16", "ints: {", 7, "'uops.vadd.latency.ints' names no lane type",
     "allowed: default, b8, b16, b32, b64, int, or one type such as f16"},
    {"a2a3", "semantics:\n", "forward:\n  compute_default: " SOURCED("3") "\nsemantics:\n", "compute_default", 3,
     "'forward.compute_default' is a key of the family 950, this target is of the family a2a3", NULL},
    {"950", "  vadd:\n    vadd: { value: 3", "  vadd:\n    vsell: { value: 3", "vsell: {", 5,
     "'forward.vadd.vsell': unknown micro-operation 'vsell'", "did you mean 'vsel'?"},
    {"a2a3", "title: ", "# title: ", "# Target a2a3", 1, "missing key 'title'", "one line about the chip"},
    {"a2a3", "  dispatch:", "#", "  mask_cold:", 3, "missing key 'a2a3.dispatch'", "cycles from scalar issue to the earliest vector issue"},
    {"a2a3", "  conformance: document\n", "", "  minmax_nan", 3, "missing key 'semantics.conformance'",
     "where documents and the shipped library differ: which one to follow"},
    {"a2a3", "    latency: { value: 10, source", "    #", "    interval: { value: 2, source: \"GE V1 GatherMask", 5,
     "missing key 'uops.vreducev2.latency' (micro-operation: pack the elements that a pattern selects, or bits at src1 (pattern 0))", NULL},
    {"950", "    interval: { value: 1, source: \"GE V2 Relu\", kind: fit }\n", "", "    latency: { value: 5, source: \"GE V2 Relu", 5,
     "missing key 'uops.vrelu.interval' (micro-operation: dst = max(src0, 0))", NULL},
    {"a2a3", "      default: { value: 18,", "      f32: { value: 18,", "      f32: { value: 18", 7,
     "'uops.vadd.latency' has no value for f16, bf16", "add them, or `default`"},
    /* Values. */
    {"a2a3", "value: 7, ", "value: seven, ", "seven", 22, "'a2a3.dispatch' is 'seven', expected an integer", NULL},
    {"a2a3", "value: 7, ", "value: 7.5, ", "7.5", 22, "'a2a3.dispatch' is 7.5, expected an integer", NULL},
    {"a2a3", "value: 7, ", "value: \"7\", ", "\"7\"", 22, "'a2a3.dispatch' is the text '7', expected an integer", NULL},
    {"a2a3", "value: 7, ", "value: 07, ", "value: 07", 22, "'a2a3.dispatch' is '07', expected an integer", NULL},
    {"a2a3", "value: 7, ", "value: -1, ", "-1, ", 22, "'a2a3.dispatch' is -1, out of range", "allowed: 0 to 100000"},
    {"a2a3", "value: 7, ", "value: 1e400, ", "1e400", 22, "'a2a3.dispatch' is 1e400, out of range", "allowed: 0 to 100000"},
    {"a2a3", "value: 7, ", "", "  dispatch", 3, "'a2a3.dispatch' has no value", NULL},
    {"a2a3", "read_conflicts: { value: 1", "read_conflicts: { value: 2", "read_conflicts: {", 28,
     "'a2a3.read_conflicts' is 2, out of range", "allowed: 0 to 1"},
    {"a2a3", "value: 196608", "value: 196600", "196600", 19, "'ub.bytes' is 196600, expected a multiple of 32", NULL},
    {"a2a3", "value: 143.5", "value: fast", "fast", 29, "'load.bytes_per_cycle' is 'fast', expected a number", NULL},
    {"a2a3", "  dispatch: {", "  dispatch: 7\n  #", "dispatch: 7", 13, "'a2a3.dispatch' is a number with provenance", RECORD},
    {"950", "port: { value: 1", "port: { value: 3", "port: { value: 3", 20, "'uops.vcmax.port' is 3, out of range", "allowed: 0 to 1"},
    {"a2a3", "family: a2a3", "family: a5", "family: a5", 9, "'family' is 'a5'", "one of a2a3|950"},
    {"a2a3", "minmax_nan: propagate", "minmax_nan: quiet", "quiet", 15, "'semantics.minmax_nan' is 'quiet'", "one of propagate|number|second"},
    {"a2a3", "minmax_nan: propagate", "minmax_nan: { value: number }", "minmax_nan", 3,
     "'semantics.minmax_nan' takes a plain value without source and kind", NULL},
    {"a2a3", "name: a2a3", "name:", "name:\n", 6, "'name' is empty", NULL},
    /* Provenance. */
    {"a2a3", "source: \"platform file Ascend910B2C; developer guide\", ", "", "196608", 19, "'ub.bytes' has no source", RECORD},
    {"a2a3", "source: \"platform file Ascend910B2C; developer guide\"", "source: \"\"", "196608", 19, "'ub.bytes' has no source", RECORD},
    {"a2a3", "developer guide\", kind: documented }", "developer guide\" }", "196608", 19, "'ub.bytes' has no kind", KINDS},
    {"a2a3", "developer guide\", kind: documented }", "developer guide\", kind: guess }", "guess", 88, "'ub.bytes.kind' is 'guess'", KINDS},
    /* Relations. */
    {"a2a3", "reserved_top: { value: 8192", "reserved_top: { value: 262144", "reserved_top", 3, "'ub.reserved_top' is larger than 'ub.bytes'", NULL},
    {"950", "    latency: { value: 5, source: \"GE V2 Relu", "    latency: { value: 2, source: \"GE V2 Relu", "GE V2 Relu 2 + 3", 5,
     "the latency of vrelu f32 is 2, less than 'forward.compute_default' (3)", NULL},
    /* What the reader refuses. */
    {"a2a3", "name: a2a3", "name: a2a3\nname: b", "name: b", 1, "duplicate key 'name'", "first at line 13, column 1"},
};

static void every_fault_is_reported(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        const Fault *f = &faults[i];
        Diag *d;
        char *text = edited(f->target, &(Edit){f->from, f->to}, 1);
        assert_null(load_text(text, &d));
        if (diag_count(d) != 1 || strcmp(diag_at(d, 0)->text, f->message) != 0)
            for (size_t k = 0; k < diag_count(d); k++) print_error("fault %zu: %s\n", i, diag_at(d, k)->text);
        assert_int_equal(diag_count(d), 1);
        expect_message(d, 0, line_of(text, f->at), f->col, f->message, f->hint);
        assert_int_equal(diag_at(d, 0)->id, DIAG_CONFIG);
        diag_free(d);
        free(text);
    }
}

static void all_faults_of_a_file(void **state) {
    (void)state;
    static const Edit e[] = {
        {"  banks: {", "  bonks: {"},
        {"value: 7, ", "value: x, "},
        {"\", kind: measured }", "\" }"},
    };
    Diag *d;
    char *text = edited("a2a3", e, 3);
    assert_null(load_text(text, &d));
    assert_int_equal(diag_count(d), 4); /* the three faults and the key that the first one hides */
    expect_message(d, 0, line_of(text, "bonks"), 3, "unknown key 'ub.bonks'", "did you mean 'ub.banks'? " UB_KEYS);
    expect_message(d, 1, line_of(text, "value: x"), 22, "'a2a3.dispatch' is 'x', expected an integer", NULL);
    expect_message(d, 2, line_of(text, "TADD i32 151"), 21, "'uops.vadd.latency.int' has no kind", KINDS);
    expect_message(d, 3, line_of(text, "  bytes: { value: 196608"), 3, "missing key 'ub.banks'", "banks per group of UB");
    diag_free(d);
    free(text);
}

static void three_faults_are_three_messages(void **state) {
    (void)state;
    static const Edit e[] = {
        {"value: 7, ", "value: x, "},
        {"value: 143.5", "value: -1"},
        {"minmax_zero: ordered", "minmax_zero: sorted"},
    };
    Diag *d;
    char *text = edited("a2a3", e, 3);
    assert_null(load_text(text, &d));
    assert_int_equal(diag_count(d), 3);
    diag_free(d);
    free(text);
}

static void a_flood_of_faults_ends(void **state) {
    (void)state;
    StrBuf b = {0};
    Diag *d;
    for (int i = 0; i < 500; i++) sb_printf(&b, "k%d: 1\n", i);
    assert_null(load_text(b.s, &d));
    assert_int_equal(diag_count(d), 101);
    assert_string_equal(diag_at(d, 100)->text, "more than 100 errors: the rest of the file is not checked");
    diag_free(d);
    sb_free(&b);
}

/* ---- lane types ---- */

/* type, then int, then width, then default, in whatever order they are written. */
static void narrower_lanes_win(void **state) {
    (void)state;
    static const Edit e[] = {{"    latency: { value: 16, source: \"board 2.01r+23\", kind: measured }\n",
                              "    latency:\n"
                              "      i8: " SOURCED("44") "\n"
                              "      int: " SOURCED("33") "\n"
                              "      b16: " SOURCED("22") "\n"
                              "      default: " SOURCED("11") "\n"}};
    Diag *d;
    char *text = edited("a2a3", e, 1);
    Target *t = load_text(text, &d);
    expect_clean(d);
    const UopCost *c = t->cost[U_VMAX];
    assert_true(c[DT_F32].latency.v == 11 && c[DT_NONE].latency.v == 11);
    assert_true(c[DT_F16].latency.v == 22 && c[DT_BF16].latency.v == 22);
    assert_true(c[DT_I16].latency.v == 33 && c[DT_U32].latency.v == 33 && c[DT_U8].latency.v == 33);
    assert_true(c[DT_I8].latency.v == 44);
    target_free(t);
    free(text);
}

/* ---- --set ---- */

static const TargetKey *find_key(const Target *t, const char *path) {
    for (size_t i = 0; i < target_key_count(t); i++)
        if (strcmp(target_key_at(t, i)->path, path) == 0) return target_key_at(t, i);
    return NULL;
}

static void set_overrides(void **state) {
    (void)state;
    static const char *const sets[] = {
        "a2a3.dispatch=5", "ub.bytes=0x20000", "uops.vadd.latency=30", "uops.vcmax.latency.f16=40", "uops.vdiv.interval.b16=9",
        "semantics.conformance=library", "load.small_bytes=100", "a2a3.dispatch=6",
    };
    Diag *d = diag_new();
    Target *t = target_load("a3", sets, 8, d);
    expect_clean(d);
    assert_true(t->a2a3.dispatch.v == 6 && t->a2a3.dispatch.prov == PROV_ASSUMED); /* the last one counts */
    assert_string_equal(t->a2a3.dispatch.source, "--set");
    assert_true(t->ub.bytes.v == 131072);
    assert_true(t->sem.library);
    assert_true(t->load.small_bytes.v == 100 && t->load.small_startup.v == 214);
    /* Without lanes it holds for all of them, also where the file has narrower entries. */
    assert_true(t->cost[U_VADD][DT_F32].latency.v == 30 && t->cost[U_VADD][DT_I32].latency.v == 30);
    assert_true(t->cost[U_VCMAX][DT_F16].latency.v == 40 && t->cost[U_VCMAX][DT_F32].latency.v == 8);
    assert_true(t->cost[U_VDIV][DT_F16].interval.v == 9 && t->cost[U_VDIV][DT_F32].interval.v == 4);
    assert_string_equal(find_key(t, "uops.vadd.latency")->value, "30");
    assert_null(find_key(t, "uops.vadd.latency.int"));
    assert_string_equal(find_key(t, "uops.vcmax.latency.b16")->value, "9");
    assert_string_equal(find_key(t, "uops.vcmax.latency.f16")->num.source, "--set");
    assert_string_equal(find_key(t, "uops.vdiv.interval.b16")->value, "9");
    assert_string_equal(find_key(t, "a2a3.dispatch")->value, "6");
    assert_string_equal(find_key(t, "semantics.conformance")->value, "library");
    target_free(t);
}

static void set_adds_forwarding(void **state) {
    (void)state;
    static const char *const sets[] = {"forward.vcmp.vsel=7", "forward.vsub.vsel=5"};
    Diag *d = diag_new();
    Target *t = target_load("950", sets, 2, d);
    expect_clean(d);
    /* All compares share one timing key. */
    assert_int_equal(target_forward(t, U_VCMP_LT, DT_F32, U_VSEL, false), 7);
    assert_int_equal(target_forward(t, U_VCMP_NE, DT_F16, U_VSEL, false), 7);
    assert_int_equal(target_forward(t, U_VSUB, DT_F16, U_VSEL, false), 5);
    target_free(t);
}

static void set_goes_to_the_targets_that_have_the_key(void **state) {
    (void)state;
    static const char *const names[] = {"a2a3", "950"};
    static const char *const sets[] = {"950.drain=20", "a2a3.dispatch=5", "ub.bytes=0x20000", "uops.vmax.port=1", "forward.vsub.vsel=5"};
    Target *t[2];
    Diag *d = diag_new();
    assert_true(targets_load(names, 2, sets, 5, t, d));
    expect_clean(d);
    assert_true(t[0]->a2a3.dispatch.v == 5 && t[0]->ub.bytes.v == 131072);
    assert_true(t[1]->v950.drain.v == 20 && t[1]->ub.bytes.v == 131072 && t[1]->cost[U_VMAX][DT_F32].port.v == 1);
    for (int k = 0; k < 2; k++) target_free(t[k]);
}

static void set_that_no_target_takes_is_said_once(void **state) {
    (void)state;
    static const char *const names[] = {"a2a3", "950"};
    static const struct {
        const char *set, *message, *hint;
    } bad[] = {
        {"950.drein=20", "unknown key '950.drein'", "did you mean '950.drain'? "},
        {"a2a3.dispath=5", "unknown key 'a2a3.dispath'", "did you mean 'a2a3.dispatch'? "},
        {"ub.bytes=much", "'ub.bytes' is 'much', expected an integer", ""},
        {"950.drain=much", "'950.drain' is 'much', expected an integer", ""},
        {"uops.vmax.prot=1", "unknown key 'uops.vmax.prot'", "keys of uops.vmax: latency, interval, port"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Target *t[2];
        Diag *d = diag_new();
        assert_false(targets_load(names, 2, &bad[i].set, 1, t, d));
        assert_null(t[0]);
        assert_null(t[1]);
        assert_int_equal(diag_total(d, SEV_ERROR), 1);
        const DiagMsg *m = diag_at(d, 0);
        assert_string_equal(m->text, bad[i].message);
        assert_memory_equal(m->hint ? m->hint : "", bad[i].hint, strlen(bad[i].hint));
        diag_free(d);
    }
}

static void set_faults(void **state) {
    (void)state;
    static const struct {
        const char *set, *message, *hint;
    } bad[] = {
        {"a2a3.dispath=5", "unknown key 'a2a3.dispath'", "did you mean 'a2a3.dispatch'? "},
        {"ub.bytes.value=5", "unknown key 'ub.bytes.value'", UB_KEYS},
        {"uops.vmaz.latency=5", "'uops.vmaz.latency': unknown micro-operation 'vmaz'", "did you mean 'vmax'?"},
        {"uops=5", "'uops' holds one section per micro-operation", NULL},
        {"a2a3.dispatch=", "'a2a3.dispatch' is '', expected an integer", NULL},
        {"a2a3.dispatch=1e9", "'a2a3.dispatch' is 1e9, out of range", "allowed: 0 to 100000"},
        {"950.window=9", "'950.window' is a key of the family 950, this target is of the family a2a3", NULL},
        {"family=950", "'family' is fixed by the target file", "choose the target with --target"},
        {"semantics.conformance=maybe", "'semantics.conformance' is 'maybe'", "one of document|library"},
        {"uops.vmax.latency=2", "the latency of vmax f32 is 2, less than 'a2a3.write_back' (3)", NULL},
        {"a2a3.dispatch", "'a2a3.dispatch' is not KEY=VALUE", NULL},
        {"=5", "'=5' is not KEY=VALUE", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Diag *d = diag_new();
        const char *const sets[] = {bad[i].set};
        assert_null(target_load("a2a3", sets, 1, d));
        assert_int_equal(diag_count(d), 1);
        const DiagMsg *m = diag_at(d, 0);
        assert_string_equal(m->text, bad[i].message);
        if (bad[i].hint)
            assert_string_equal(m->hint, bad[i].hint);
        else
            assert_null(m->hint);
        if (!strstr(bad[i].message, "less than")) {
            assert_string_equal(m->loc.file, "--set");
            assert_int_equal(m->id, DIAG_CONFIG);
        }
        diag_free(d);
    }
}

/* ---- where built-ins are found ---- */

static void environment_comes_first(void **state) {
    (void)state;
    char dir[] = "/tmp/npusim-configs-XXXXXX", path[64];
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/a2a3.yaml", dir);
    char *text = edited("a2a3", &(Edit){"title: ", "title: changed "}, 1);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    free(text);
    setenv("NPUSIM_CONFIG_DIR", dir, 1);
    Diag *d;
    Target *t = load("a2", &d);
    assert_string_equal(t->path, path);
    assert_memory_equal(t->title, "changed ", 8);
    target_free(t);
    expect_clean(d);
    t = load("950", &d); /* not there: the source tree */
    assert_string_equal(t->name, "950");
    target_free(t);
    expect_clean(d);
    unsetenv("NPUSIM_CONFIG_DIR");
    unlink(path);
    rmdir(dir);
}

/* The place of a message outlives the target that could not be loaded. */
static void missing_file(void **state) {
    (void)state;
    char name[] = "/nonexistent/target.yaml";
    Diag *d;
    assert_null(load(name, &d));
    memset(name, 'x', sizeof name - 1);
    assert_int_equal(diag_count(d), 1);
    assert_int_equal(diag_at(d, 0)->id, DIAG_IO);
    assert_string_equal(diag_at(d, 0)->loc.file, "/nonexistent/target.yaml");
    diag_free(d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtins_are_complete),
        cmocka_unit_test(every_key_is_documented),
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(names_and_aliases),
        cmocka_unit_test(provenance_order),
        cmocka_unit_test(every_fault_is_reported),
        cmocka_unit_test(all_faults_of_a_file),
        cmocka_unit_test(three_faults_are_three_messages),
        cmocka_unit_test(a_flood_of_faults_ends),
        cmocka_unit_test(narrower_lanes_win),
        cmocka_unit_test(set_overrides),
        cmocka_unit_test(set_adds_forwarding),
        cmocka_unit_test(set_goes_to_the_targets_that_have_the_key),
        cmocka_unit_test(set_that_no_target_takes_is_said_once),
        cmocka_unit_test(set_faults),
        cmocka_unit_test(environment_comes_first),
        cmocka_unit_test(missing_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
