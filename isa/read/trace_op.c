/* The operations of the trace text, one row each; tile instructions come from the instruction table. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "isa/read/trace_parse.h"

#define BINARY(name) {"arith." name, ST_ARITH, parse_plain, 2, 2, 1, 1, 0, SIG_TYPE, NULL}
#define CAST(name) {"arith." name, ST_ARITH, parse_plain, 1, 1, 1, 1, 0, SIG_TO, NULL}
#define INFO(name) {"pto." name, ST_BLOCK_INFO, parse_plain, 0, 0, 1, 1, 0, SIG_OPTIONAL, NULL}

static const OpRow rows[] = {
    /* name, kind, shape, operands, results, subscript, signature, keys */
    {"arith.constant", ST_CONSTANT, parse_constant, 1, 1, 1, 1, 0, SIG_OPTIONAL, NULL},
    {"vector.extract", ST_EXTRACT, parse_extract, 2, 2, 1, 1, 1, SIG_TYPE, NULL},
    BINARY("addi"), BINARY("subi"), BINARY("muli"), BINARY("divsi"), BINARY("divui"), BINARY("ceildivsi"),
    BINARY("ceildivui"), BINARY("floordivsi"), BINARY("remsi"), BINARY("remui"), BINARY("andi"), BINARY("ori"), BINARY("xori"), BINARY("shli"),
    BINARY("shrsi"), BINARY("shrui"), BINARY("maxsi"), BINARY("maxui"), BINARY("minsi"), BINARY("minui"),
    BINARY("addf"), BINARY("subf"), BINARY("mulf"), BINARY("divf"), BINARY("remf"), BINARY("maximumf"), BINARY("minimumf"),
    BINARY("maxnumf"), BINARY("minnumf"), BINARY("maxf"), BINARY("minf"),
    {"arith.negf", ST_ARITH, parse_plain, 1, 1, 1, 1, 0, SIG_TYPE, NULL},
    {"arith.cmpi", ST_ARITH, parse_compare, 2, 2, 1, 1, 0, SIG_TYPE, "eq ne slt sle sgt sge ult ule ugt uge"},
    {"arith.cmpf", ST_ARITH, parse_compare, 2, 2, 1, 1, 0, SIG_TYPE,
     "oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true false"},
    {"arith.select", ST_ARITH, parse_plain, 3, 3, 1, 1, 0, SIG_TYPE, NULL},
    CAST("index_cast"), CAST("index_castui"), CAST("trunci"), CAST("extsi"), CAST("extui"), CAST("truncf"), CAST("extf"),
    CAST("fptosi"), CAST("fptoui"), CAST("sitofp"), CAST("uitofp"), CAST("bitcast"),

    {"pto.alloc_tile", ST_ALLOC_TILE, parse_keyed, 0, 0, 1, 1, 0, SIG_TYPE, "addr valid_row valid_col"},
    {"pto.alloc_multi_tile", ST_ALLOC_MULTI, parse_keyed, 0, 0, 1, 1, 0, SIG_TYPE, "addr valid_row valid_col"},
    {"pto.multi_tile_get", ST_MULTI_GET, parse_plain, 2, 2, 1, 1, 1, SIG_OPTIONAL, NULL},
    {"pto.tassign", ST_TASSIGN, parse_plain, 2, 2, 0, 1, 0, SIG_OPTIONAL, NULL},
    {"tassign", ST_TASSIGN, parse_plain, 2, 2, 0, 1, 0, SIG_OPTIONAL, NULL},
    {"pto.make_tensor_view", ST_TENSOR_VIEW, parse_keyed, 1, 1, 1, 1, 0, SIG_TYPE, "shape! strides!"},
    {"pto.partition_view", ST_PARTITION, parse_keyed, 1, 1, 1, 1, 0, SIG_OPTIONAL, "offsets! sizes!"},
    {"pto.subview", ST_SUBVIEW, parse_keyed, 1, 1, 1, 1, 0, SIG_OPTIONAL, "offsets! sizes! valid"},
    {"pto.set_validshape", ST_SET_VALIDSHAPE, parse_plain, 3, 3, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"pto.get_validshape", ST_GET_VALIDSHAPE, parse_plain, 1, 1, 2, 2, 0, SIG_OPTIONAL, NULL},
    {"pto.tile_valid_rows", ST_GET_VALIDSHAPE, parse_plain, 1, 1, 1, 1, 0, SIG_OPTIONAL, NULL},
    {"pto.tile_valid_cols", ST_GET_VALIDSHAPE, parse_plain, 1, 1, 1, 1, 0, SIG_OPTIONAL, NULL},
    {"pto.treshape", ST_TRESHAPE, parse_plain, 1, 1, 1, 1, 0, SIG_ARROW, NULL},
    {"pto.bitcast", ST_TRESHAPE, parse_plain, 1, 1, 1, 1, 0, SIG_ARROW, NULL},
    {"pto.load_scalar", ST_LOAD_SCALAR, parse_plain, 2, 2, 1, 1, 1, SIG_ARROW, NULL},
    {"pto.store_scalar", ST_STORE_SCALAR, parse_plain, 3, 3, 0, 0, 2, SIG_OPTIONAL, NULL},
    {"pto.tgetval", ST_TGETVAL, parse_instr, 2, 2, 0, 1, 0, SIG_OPTIONAL, NULL},
    {"pto.tsetval", ST_TSETVAL, parse_instr, 2, 2, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"pto.tprefetch", ST_IGNORED, parse_instr, 1, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    INFO("get_block_idx"), INFO("get_block_num"), INFO("get_subblock_idx"), INFO("get_subblock_num"),

    {"pto.set_flag", ST_SET_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.wait_flag", ST_WAIT_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.set_flag_dyn", ST_SET_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.wait_flag_dyn", ST_WAIT_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.record_event", ST_SET_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.wait_event", ST_WAIT_FLAG, parse_flag, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.barrier", ST_BARRIER, parse_barrier, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.pipe_barrier", ST_BARRIER, parse_barrier, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.barrier_sync", ST_BARRIER, parse_barrier, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.tsync", ST_BARRIER, parse_tsync, 0, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"pto.get_buf", ST_BUF, parse_buf, 2, 2, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"pto.rls_buf", ST_BUF, parse_buf, 2, 2, 0, 0, 0, SIG_OPTIONAL, NULL},

    {"scf.for", ST_FOR, parse_for, 3, 3, 0, -1, 0, SIG_OPTIONAL, NULL},
    {"scf.if", ST_IF, parse_if, 1, 1, 0, -1, 0, SIG_OPTIONAL, NULL},
    {"scf.while", ST_WHILE, parse_while, 0, -1, 0, -1, 0, SIG_OPTIONAL, NULL},
    {"scf.condition", ST_CONDITION, parse_condition, 1, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"scf.yield", ST_YIELD, parse_plain, 0, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"func.call", ST_CALL, parse_call, 0, -1, 0, -1, 0, SIG_OPTIONAL, NULL},
    {"call", ST_CALL, parse_call, 0, -1, 0, -1, 0, SIG_OPTIONAL, NULL},
    {"return", ST_RETURN, parse_plain, 0, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"func.return", ST_RETURN, parse_plain, 0, -1, 0, 0, 0, SIG_OPTIONAL, NULL},
    {"pto.section.vector", ST_SECTION, parse_section, 0, 0, 0, 0, 0, SIG_NONE, NULL},
    {"pto.section.cube", ST_SECTION, parse_section, 0, 0, 0, 0, 0, SIG_NONE, NULL},
};
enum { NROWS = sizeof rows / sizeof *rows };

const OpRow instr_row = {"instruction", ST_INSTR, parse_instr, 0, -1, 0, MAX_OUT, 0, SIG_OPTIONAL, NULL};

static const char cube[] = "cube unit", cores[] = "several cores", registers[] = "register level";

/* Operations of other parts of the chip, so that a message can say more than "unknown". */
static const struct {
    const char *prefix, *unit, *what;
} foreign[] = {
    {"tmatmul", cube, "runs on the cube unit, which npusim does not model"},
    {"tgemv", cube, "runs on the cube unit, which npusim does not model"},
    {"tmad", cube, "runs on the cube unit, which npusim does not model"},
    {"mad", cube, "runs on the cube unit, which npusim does not model"},
    {"timg2col", cube, "feeds the cube unit, which npusim does not model"},
    {"set_quant", cube, "configures the cube unit's output, which npusim does not model"},
    {"sync.", cores, "synchronises several cores; npusim models one vector core"},
    {"comm.", cores, "moves data between cores; npusim models one vector core"},
    {"tpush", cores, "hands a tile to another core; npusim models one vector core"},
    {"tpop", cores, "takes a tile from another core; npusim models one vector core"},
    {"tfree", cores, "gives a slot back to another core; npusim models one vector core"},
    {"talloc", cores, "takes a slot of a pipe between cores; npusim models one vector core"},
    {"declare_tile", cores, "declares a tile that a pipe between cores fills; npusim models one vector core"},
    {"declare_global", cores, "declares a view that a pipe between cores fills; npusim models one vector core"},
    {"reserve_buffer", cores, "is part of a pipe between cores; npusim models one vector core"},
    {"import_reserved_buffer", cores, "is part of a pipe between cores; npusim models one vector core"},
    {"initialize_l2", cores, "sets up a pipe between cores; npusim models one vector core"},
    {"aic_initialize_pipe", cores, "sets up a pipe between cores; npusim models one vector core"},
    {"aiv_initialize_pipe", cores, "sets up a pipe between cores; npusim models one vector core"},
    {"simt_", registers, "runs on SIMT threads; npusim reads tile instructions"},
    {"section.simt", registers, "runs on SIMT threads; npusim reads tile instructions"},
    {"strict_vecscope", registers, "holds register-level instructions; npusim reads tile instructions"},
    {"mem_bar", registers, "is a register-level instruction; npusim reads tile instructions"},
    {"copy_", registers, "is a transfer below the level of tiles; npusim reads tile instructions"},
    {"plt_b", registers, "is a register-level instruction; npusim reads tile instructions"},
    {"pset_b", registers, "is a register-level instruction; npusim reads tile instructions"},
    {"pge_b", registers, "is a register-level instruction; npusim reads tile instructions"},
    {"v", registers, "is a register-level instruction; npusim reads tile instructions"},
    {"fusion_region", NULL, "groups instructions for a pass of the compiler; print the file after that pass"},
};

static bool has_dialect(const char *name) { return strncasecmp(name, "pto.", 4) == 0; }

/* The most similar operation, close enough to be meant. */
static const char *nearest_op(const char *word) {
    const char *bare = has_dialect(word) ? word + 4 : word;
    const char *name = NULL;
    Nearest n = nearest_to(bare);
    for (int i = 0; i < INSTR_COUNT; i++)
        if (nearest_try(&n, instr_info[i].name)) name = instr_info[i].name;
    for (int i = 0; i < NROWS; i++)
        if (nearest_try(&n, has_dialect(rows[i].name) ? rows[i].name + 4 : rows[i].name)) name = rows[i].name;
    return name;
}

/* Whether some operation of the reader has the dialect of this name. */
static bool reads_dialect(const char *name) {
    size_t n = strcspn(name, ".") + 1;
    for (int i = 0; i < NROWS; i++)
        if (strncmp(rows[i].name, name, n) == 0) return true;
    return !name[n - 1];
}

static _Noreturn void unknown(Parser *p, const char *word) {
    char text[80];
    snprintf(text, sizeof text, "%.60s", word);
    for (char *c = text; *c; c++) *c = (char)tolower((unsigned char)*c);
    for (size_t i = 0; has_dialect(text) && i < sizeof foreign / sizeof *foreign; i++)
        if (strncmp(text + 4, foreign[i].prefix, strlen(foreign[i].prefix)) == 0)
            parse_unknown(p, text, foreign[i].unit, "'%.60s' %s", word, foreign[i].what);
    const char *near = nearest_op(text);
    const char *dialect = near && has_dialect(text) && !strchr(near, '.') ? "pto." : "";
    if (near) parse_unknown(p, text, NULL, "unknown operation '%.60s'\ndid you mean '%s%s'?", word, dialect, near);
    if (!reads_dialect(text))
        parse_unknown(p, text, NULL, "'%.60s' belongs to the dialect '%.*s'\nnpusim reads the dialects pto, arith, scf and func", word,
                      (int)strcspn(text, "."), text);
    parse_unknown(p, text, NULL, "unknown operation '%.60s'\n`npusim isa` lists the instructions", word);
}

static const OpRow *find_row(const char *name, InstrId *instr) {
    *instr = INSTR_COUNT;
    for (int i = 0; i < NROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    *instr = instr_find(name, strlen(name));
    return *instr == INSTR_COUNT ? NULL : &instr_row;
}

OpName parse_op(Parser *p) {
    const Token *t = tok(p);
    if (t->kind == T_STRING)
        parse_unknown(p, "quoted generic form", NULL, "expected a statement, found \"%.*s\"\nthe quoted generic form is not read; print the custom form",
                      (int)(t->n < 40 ? t->n : 40), t->s);
    if (t->kind == '^')
        parse_unknown(p, "blocks and branches", NULL, "expected a statement, found a block label\nblocks and branches are not read; print structured control flow (scf)");
    if (t->kind != T_WORD) parse_expected(p, "a statement");
    uint32_t id = names_intern(p->spellings, t->s, t->n);
    if (id >= p->nop) {
        uint32_t n = id * 2 + 32;
        p->op = xrealloc(p->op, n * sizeof *p->op);
        memset(p->op + p->nop, 0, (n - p->nop) * sizeof *p->op);
        p->nop = n;
    }
    OpName *op = &p->op[id];
    if (op->row) return *op;
    op->text = names_text(p->spellings, id);
    op->row = find_row(op->text, &op->instr);
    if (!op->row) unknown(p, op->text);
    return *op;
}

bool is_operation(const Parser *p) {
    static const char *const containers[] = {"module", "builtin.module", "func", "func.func"};
    InstrId instr;
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        if (at_word(p, containers[i])) return true;
    char name[64];
    const Token *t = tok(p);
    snprintf(name, sizeof name, "%.*s", (int)(t->n < sizeof name ? t->n : 0), t->s);
    return find_row(name, &instr) != NULL;
}
