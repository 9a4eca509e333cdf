/* Synchronisation: every spelling of pipes, event types and events becomes the same words. */
#include <stdio.h>
#include <string.h>

#include "isa/read/trace_parse.h"

/* Pipes and the operation classes of record_event and barrier_sync. */
static const struct {
    const char *word, *pipe;
} pipes[] = {
    {"PIPE_S", "PIPE_S"}, {"PIPE_V", "PIPE_V"}, {"PIPE_MTE1", "PIPE_MTE1"}, {"PIPE_MTE2", "PIPE_MTE2"},
    {"PIPE_MTE3", "PIPE_MTE3"}, {"PIPE_M", "PIPE_M"}, {"PIPE_ALL", "PIPE_ALL"}, {"PIPE_MTE4", "PIPE_MTE4"}, {"PIPE_MTE5", "PIPE_MTE5"},
    {"PIPE_V2", "PIPE_V2"}, {"PIPE_FIX", "PIPE_FIX"},
    {"TLOAD", "PIPE_MTE2"}, {"TSTORE", "PIPE_MTE3"}, {"TSTORE_VEC", "PIPE_MTE3"}, {"TSTORE_ACC", "PIPE_FIX"},
    {"TVEC", "PIPE_V"}, {"TVECWAIT_EVENT", "PIPE_V"}, {"TMATMUL", "PIPE_M"}, {"TMOV_M2L", "PIPE_MTE1"}, {"TMOV_M2B", "PIPE_MTE1"},
    {"TMOV_M2S", "PIPE_FIX"}, {"TMOV_M2V", "PIPE_V"}, {"TMOV_V2M", "PIPE_FIX"},
    {"EVENT_LOAD_FROM_GM", "PIPE_MTE2"}, {"EVENT_COMPUTE_VEC", "PIPE_V"},
};

/* "PIPE_V", <PIPE_V>, #pto.pipe<PIPE_V>, #pto.pipe_event_type<TVEC>, PIPE_V */
static void parse_pipe(Parser *p) {
    static const char expected[] = "a pipe (PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL ...)";
    int k = tok(p)->kind;
    if (k != T_STRING && k != '<' && k != T_ATTR && k != T_WORD) parse_expected(p, "%s", expected);
    size_t mark = p->operands.n;
    parse_attr_value(p);
    Operand *o = (Operand *)(void *)p->operands.items + mark;
    for (size_t i = 0; o->kind == OPD_WORD && i < sizeof pipes / sizeof *pipes; i++)
        if (strcmp(o->word, pipes[i].word) == 0) {
            o->word = pipes[i].pipe;
            return;
        }
    parse_fail(p, DIAG_SYNTAX, o->loc, "expected %s, found '%.40s'", expected, o->kind == OPD_WORD ? o->word : "");
}

/* "EVENT_ID0", <EVENT_ID0>, #pto.event<EVENT_ID0>, EVENT_ID0, 0, %id */
static void parse_event(Parser *p) {
    static const char *const events[] = {"EVENT_ID0", "EVENT_ID1", "EVENT_ID2", "EVENT_ID3",
                                         "EVENT_ID4", "EVENT_ID5", "EVENT_ID6", "EVENT_ID7"};
    static const char expected[] = "EVENT_ID0 to EVENT_ID7";
    int k = tok(p)->kind;
    bool word = k == T_STRING || k == '<' || k == T_ATTR || k == T_WORD;
    if (!word && k != T_VALUE && k != T_NUMBER) parse_expected(p, "%s", expected);
    size_t mark = p->operands.n;
    parse_attr_value(p);
    Operand *o = (Operand *)(void *)p->operands.items + mark;
    if (o->kind == OPD_NAME) return;
    for (int i = 0; i < 8; i++)
        if (o->kind == OPD_WORD ? strcmp(o->word, events[i]) == 0 : o->kind == OPD_INT && o->i == i) {
            o->kind = OPD_WORD;
            o->word = events[i];
            return;
        }
    if (o->kind == OPD_WORD) parse_fail(p, DIAG_SYNTAX, o->loc, "expected %s, found '%.40s'", expected, o->word);
    parse_fail(p, DIAG_SYNTAX, o->loc, "expected %s, found another number", expected);
}

/* pto.set_flag[PIPE, PIPE, EVENT] */
void parse_flag(Parser *p, Stmt *s, const OpRow *row) {
    (void)s, (void)row;
    size_t mark = p->operands.n;
    bool bracket = accept(p, '[');
    parse_pipe(p);
    expect(p, ',', "',' and the waiting pipe");
    parse_pipe(p);
    expect(p, ',', "',' and the event");
    parse_event(p);
    if (bracket) expect(p, ']', "']'");
    add_named(p, "pipes", mark);
}

static void push_all(Parser *p) {
    Operand *o = push_operand(p);
    o->kind = OPD_WORD;
    o->word = "PIPE_ALL";
}

/* pto.barrier PIPE, pto.barrier_sync [CLASS]; nothing: all pipes */
void parse_barrier(Parser *p, Stmt *s, const OpRow *row) {
    (void)row;
    size_t mark = p->operands.n;
    bool bracket = accept(p, '[');
    int k = tok(p)->kind;
    /* A word or a string on the next line starts the next statement. */
    bool here = tok(p)->loc.line == s->loc.line && (k == T_STRING || (k == T_WORD && !at_word(p, "loc")));
    bool anywhere = k == '<' || (k == T_ATTR && lex_peek(&p->lex) != '=');
    if (bracket || here || anywhere) parse_pipe(p);
    else push_all(p);
    if (bracket) expect(p, ']', "']'");
    add_named(p, "pipes", mark);
}

/* pto.tsync waits for the events it names. They are results of operations, which the tile forms do
 * not have, so it waits for everything. */
void parse_tsync(Parser *p, Stmt *s, const OpRow *row) {
    OpRow waits = *row;
    waits.kind = ST_IGNORED;
    size_t mark = p->operands.n;
    push_all(p);
    add_named(p, "pipes", mark);
    if (at_word(p, "ins")) parse_instr(p, s, &waits);
    else parse_plain(p, s, row);
}

/* pto.get_buf "PIPE_V", id, mode [: i64, i64] */
void parse_buf(Parser *p, Stmt *s, const OpRow *row) {
    size_t mark = p->operands.n;
    bool bracket = accept(p, '[');
    parse_pipe(p);
    add_named(p, "pipes", mark);
    expect(p, ',', "',' and the buffer id");
    if (!bracket) {
        parse_plain(p, s, row);
        return;
    }
    parse_operands(p);
    s->ins = take_operands(p, mark, &s->nins);
    expect(p, ']', "']'");
}
