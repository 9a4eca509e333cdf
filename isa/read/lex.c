#include "isa/read/lex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "isa/base/text.h"

enum { C_WORD = 1, C_VALUE = 2, C_DIGIT = 4, C_PUNCT = 8 };
enum { PAD = 4 };               /* zero bytes behind the window: looking ahead needs no check */
enum { EXCERPT = 256 << 10 };   /* how far back a statement's first line is kept for messages */

static void classify(unsigned char *cls) {
    for (int c = 'a'; c <= 'z'; c++) cls[c] = cls[c - 'a' + 'A'] = C_WORD | C_VALUE;
    for (int c = '0'; c <= '9'; c++) cls[c] = C_WORD | C_VALUE | C_DIGIT;
    for (const char *p = "_.$"; *p; p++) cls[(unsigned char)*p] = C_WORD | C_VALUE;
    for (const char *p = "()[]{},:=<>;^?*+/|&"; *p; p++) cls[(unsigned char)*p] = C_PUNCT;
    cls['-'] = C_VALUE | C_PUNCT;
}

/* Drops the window before `from`, which lies on `line`, and reads on. A long token doubles the
 * window, so that scanning it anew after each read costs no more than twice its length. False when
 * nothing was read. */
static bool refill(Lex *l, size_t from, uint32_t line, bool whole) {
    if (l->eof || l->error) return false;
    memmove(l->buf, l->buf + from, l->n - from);
    l->n -= from;
    l->pos -= from;
    l->line_start -= (int64_t)from;
    l->keep = 0;
    l->first_line = l->keep_line = line;
    l->first_whole = l->keep_whole = whole;
    size_t want = l->n > LEX_PIECE ? l->n : LEX_PIECE;
    if (l->cap < l->n + want + PAD) {
        l->cap = l->n + want + PAD;
        l->buf = xrealloc(l->buf, l->cap);
    }
    size_t got = fread(l->buf + l->n, 1, want, l->file);
    if (got == 0 && ferror(l->file)) l->error = errno ? errno : EIO;
    l->eof = got == 0;
    l->n += got;
    memset(l->buf + l->n, 0, PAD);
    return got > 0;
}

/* Between tokens everything before pos may go. */
static bool refill_blank(Lex *l) { return refill(l, l->pos, l->line, l->line_start == (int64_t)l->pos); }

/* Inside a token its statement's first line is kept too, unless it lies far back. */
static bool refill_token(Lex *l) {
    if (l->spent + (l->n - l->pos) > LEX_STATEMENT) return false;
    if (l->pos - l->keep > EXCERPT) return refill_blank(l);
    return refill(l, l->keep, l->keep_line, l->keep_whole);
}

static void skip_line(Lex *l) {
    for (;;) {
        char *p = memchr(l->buf + l->pos, '\n', l->n - l->pos);
        l->pos = p ? (size_t)(p - l->buf) : l->n;
        if (p || !refill_blank(l)) return;
    }
}

bool lex_hash_is_attr(const char *p, const char *end, bool *cut) {
    const char *s = ++p;
    while (p < end && ((*p | 32) - 'a' + 0u < 26u || *p - '0' + 0u < 10u || (*p && strchr("_.$", *p)))) p++;
    bool name = p > s && *s - '0' + 0u >= 10u, body = p < end && *p == '<';
    if (name)
        while (p < end && (*p == ' ' || *p == '\t')) p++;
    *cut = p == end || (*p == 'a' && end - p < 3);
    bool call_site = end - s > 6 && memcmp(s, "loc", 3) == 0 && end - p >= 3 && memcmp(p, "at ", 3) == 0; /* callsite(#loc1 at #loc2) */
    return name && p < end && *p && (body || call_site || strchr("=,)]}>", *p));
}

/* A `#` that starts an attribute is a token, any other starts a comment. */
static bool hash_is_comment(Lex *l) {
    bool cut;
    do {
        if (lex_hash_is_attr(l->buf + l->pos, l->buf + l->n, &cut)) return false;
    } while (cut && refill_token(l));
    return true;
}

static bool slash_is_comment(Lex *l) {
    while (l->n - l->pos < 3 && refill_token(l)) {}
    const char *p = l->buf + l->pos;
    return p[1] == '/' && p[2] != '!';
}

/* Steps over blanks and comments. False at the end of the text. */
static bool skip_blank(Lex *l) {
    for (;;) {
        const char *p = l->buf + l->pos;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
        l->pos = (size_t)(p - l->buf);
        char c = *p; /* looking ahead may move the window */
        if (c == '\n') {
            l->line++;
            l->line_start = (int64_t)++l->pos;
        } else if (l->pos == l->n) {
            if (!refill_blank(l)) return false;
        } else if ((c == '/' && slash_is_comment(l)) || (c == '#' && hash_is_comment(l))) {
            skip_line(l);
        } else {
            return true;
        }
    }
}

static const char *run(const Lex *l, const char *p, int cls) {
    while (l->cls[(unsigned char)*p] & cls) p++;
    return p;
}

static const char *token(Lex *l, int kind, const char *s, const char *end) {
    l->t.kind = kind;
    l->t.s = s;
    l->t.n = (size_t)(end - s);
    return end;
}

static const char *bad(Lex *l, const char *message, const char *end) {
    token(l, T_BAD, message, message + strlen(message));
    return end;
}

static const char *scan_value(Lex *l, const char *p) {
    const char *s = p + 1, *end = run(l, s, C_VALUE);
    if (end > s && end[-1] == '-' && *end == '>') end--; /* %a-> is %a and an arrow */
    if (end == s) return bad(l, "expected a name after '%'", end);
    token(l, T_VALUE, s, end);
    if (*end != '#' || !(l->cls[(unsigned char)end[1]] & C_DIGIT)) return end;
    for (end++; l->cls[(unsigned char)*end] & C_DIGIT; end++)
        if (l->t.sub < 1000000) l->t.sub = l->t.sub * 10 + (uint32_t)(*end - '0');
    return end;
}

static const char *scan_string(Lex *l, const char *p) {
    const char *s = p + 1, *end = l->buf + l->n;
    for (p = s; p < end && *p != '"' && *p != '\n'; p++)
        if (*p == '\\' && p + 1 < end) p++;
    if (p < end && *p == '"') {
        token(l, T_STRING, s, p);
        return p + 1;
    }
    return bad(l, "string without closing '\"'", p);
}

static const char *scan_symbol(Lex *l, const char *p) {
    if (p[1] == '"') {
        p = scan_string(l, p + 1);
        if (l->t.kind == T_STRING) l->t.kind = T_SYMBOL;
        return p;
    }
    const char *end = run(l, p + 1, C_VALUE);
    return end > p + 1 ? token(l, T_SYMBOL, p + 1, end) : bad(l, "expected a name after '@'", end);
}

/* From the < at p behind the matching >. NULL: there is none; *cut: because the text ends. */
static const char *matching(const char *p, const char *end, bool *cut) {
    *cut = false;
    for (int depth = 0; p < end; p++) {
        if (*p == '<') depth++;
        else if (*p == '>' && --depth == 0) return p + 1;
        else if (*p == '-' && p[1] == '>') p++;
        else if (*p == '/' && p[1] == '/' && !(p = memchr(p, '\n', (size_t)(end - p)))) break;
        else if (strchr("(){}%\"", *p)) return NULL;
    }
    *cut = true;
    return NULL;
}

/* From p, with parameters from the < at `name`. Nearly all types are flat and free of comments: three
 * searches instead of a walk. */
static const char *scan_parameters(Lex *l, const char *p, const char *name) {
    const char *end = l->buf + l->n;
    const char *close = memchr(name, '>', (size_t)(end - name));
    size_t n = close ? (size_t)(close - name - 1) : 0;
    if (close && !memchr(name + 1, '<', n) && !memchr(name + 1, '/', n)) return token(l, T_TYPE, p, close + 1);
    bool cut;
    close = matching(name, end, &cut);
    return close ? token(l, T_TYPE, p, close) : bad(l, "type without closing '>'", cut ? end : name);
}

static const char *scan_type(Lex *l, const char *p) {
    const char *name = run(l, p + 1, C_WORD);
    if (name == p + 1) return bad(l, "expected a type name after '!'", name);
    return *name == '<' ? scan_parameters(l, p, name) : token(l, T_TYPE, p, name);
}

/* A builtin type with parameters is no word. */
static const char *scan_word(Lex *l, const char *p) {
    static const char vector[] = "vector";
    const char *end = run(l, p, C_WORD);
    bool type = *end == '<' && end - p == sizeof vector - 1 && memcmp(p, vector, sizeof vector - 1) == 0;
    return type ? scan_parameters(l, p, end) : token(l, T_WORD, p, end);
}

static const char *scan_number(Lex *l, const char *p) {
    const char *s = p;
    bool hex = p[0] == '0' && (p[1] | 32) == 'x';
    do p = run(l, p + 1, C_WORD);
    while (!hex && (*p == '+' || *p == '-') && (p[-1] | 32) == 'e' && (l->cls[(unsigned char)p[1]] & C_DIGIT));
    return token(l, T_NUMBER, s, p);
}

static const char *scan_directive(Lex *l, const char *p) {
    const char *end = memchr(p, '\n', l->n - l->pos), *stop = end ? end : l->buf + l->n;
    const char *last = stop;
    while (last > p + 3 && (last[-1] == ' ' || last[-1] == '\t' || last[-1] == '\r')) last--;
    token(l, T_DIRECTIVE, p + 3, last);
    return stop;
}

static const char *scan_other(Lex *l, const char *p) {
    unsigned char c = (unsigned char)*p;
    if (c == '-' && p[1] == '>') return token(l, T_ARROW, p, p + 2);
    if (l->cls[c] & C_PUNCT) return token(l, c, p, p + 1);
    snprintf(l->message, sizeof l->message, c > 32 && c < 127 ? "unexpected character '%c'" : "unexpected byte 0x%02x", c);
    return bad(l, l->message, p + 1);
}

/* Scans the token at pos as far as the window goes and returns its end. */
static const char *scan(Lex *l) {
    const char *p = l->buf + l->pos;
    unsigned char cls = l->cls[(unsigned char)*p];
    l->t.sub = 0;
    if (*p == '%') return scan_value(l, p);
    if (cls & C_DIGIT || (*p == '-' && l->cls[(unsigned char)p[1]] & C_DIGIT)) return scan_number(l, p);
    if (cls & C_WORD) return scan_word(l, p);
    if (*p == '!') return scan_type(l, p);
    if (*p == '"') return scan_string(l, p);
    if (*p == '@') return scan_symbol(l, p);
    if (*p == '#') return token(l, T_ATTR, p + 1, run(l, p + 1, C_WORD));
    if (*p == '/' && p[1] == '/') return scan_directive(l, p);
    return scan_other(l, p);
}

/* Types may span lines. */
static void count_lines(Lex *l, const char *p, const char *end) {
    while ((p = memchr(p, '\n', (size_t)(end - p)))) {
        l->line++;
        l->line_start = ++p - l->buf;
    }
}

static void end_of_text(Lex *l) {
    token(l, T_END, l->buf + l->n, l->buf + l->n);
    if (l->error) bad(l, strerror(l->error), l->buf);
}

void lex_next(Lex *l) {
    bool text = skip_blank(l);
    l->t.loc = (Loc){l->name, l->line, (uint32_t)((int64_t)l->pos - l->line_start + 1)};
    if (!text) {
        end_of_text(l);
        return;
    }
    const char *end = scan(l);
    for (bool more = true; more && end == l->buf + l->n; end = scan(l)) more = refill_token(l);
    size_t n = (size_t)(end - (l->buf + l->pos));
    if (l->t.kind == T_TYPE) count_lines(l, l->buf + l->pos, end);
    l->pos += n;
    l->spent += n;
    if (l->error) bad(l, strerror(l->error), end);
    else if (l->spent > LEX_STATEMENT) bad(l, "statement of more than 64 MiB", end);
}

char lex_peek(const Lex *l) {
    const char *p = l->buf + l->pos;
    return p[strspn(p, " \t\r\n")];
}

/* The token is the last thing read: it starts where loc says on the current line, or further up. */
void lex_mark(Lex *l) {
    int64_t start = l->line == l->t.loc.line ? l->line_start + l->t.loc.col - 1 : (int64_t)l->pos;
    bool whole = l->line == l->t.loc.line && l->line_start >= 0 && start - l->line_start <= LEX_PIECE;
    l->keep = (size_t)(whole ? l->line_start : start);
    if (l->keep > l->pos) l->keep = l->pos;
    l->keep_line = l->line;
    l->keep_whole = whole;
    l->spent = 0;
}

const char *lex_rest(const Lex *l, size_t *n, const char **next, uint32_t *next_col) {
    int64_t start = l->line_start + l->t.loc.col - 1;
    if (l->line != l->t.loc.line || start < 0 || l->t.kind == T_BAD) return NULL;
    const char *text = l->buf + start, *end = memchr(l->buf + l->pos, '\n', l->n - l->pos);
    if (!end) return NULL;
    *n = (size_t)(end - text);
    for (*next = end + 1; **next == ' ' || **next == '\t';) ++*next;
    *next_col = (uint32_t)(*next - end);
    return text;
}

void lex_skip_line(Lex *l, const char *p) {
    l->pos = (size_t)(p - l->buf);
    lex_next(l);
}

const char *lex_line(const Lex *l, uint32_t line, size_t *len, bool *cut) {
    if (line < l->first_line || (line == l->first_line && !l->first_whole)) return NULL;
    const char *p = l->buf, *end = l->buf + l->n;
    for (uint32_t i = l->first_line; i < line; i++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p) return NULL;
        p++;
    }
    const char *stop = memchr(p, '\n', (size_t)(end - p));
    *cut = !stop && !l->eof;
    *len = (size_t)((stop ? stop : end) - p);
    return p;
}

void lex_describe(const Token *t, char *buf, size_t n) {
    enum { SHOWN = 40 };
    static const char *const sign[] = {[T_VALUE] = "%", [T_SYMBOL] = "@", [T_ATTR] = "#"};
    const char *s = t->kind <= T_ATTR && sign[t->kind] ? sign[t->kind] : "", *cut = t->n > SHOWN ? "..." : "";
    int shown = t->n > SHOWN ? SHOWN : (int)t->n;
    if (t->kind == T_END) snprintf(buf, n, "end of file");
    else if (t->kind == T_DIRECTIVE) snprintf(buf, n, "a directive");
    else if (t->kind == T_STRING) snprintf(buf, n, "\"%.*s%s\"", shown, t->s, cut);
    else snprintf(buf, n, "'%s%.*s%s'", s, shown, t->s, cut);
}

void lex_open(Lex *l, FILE *file, const char *name) {
    *l = (Lex){.file = file, .name = name, .line = 1};
    classify(l->cls);
    l->buf = xcalloc(1, l->cap = PAD);
    refill(l, 0, 1, true);
    if (l->n >= 3 && memcmp(l->buf, "\xEF\xBB\xBF", 3) == 0) l->line_start = (int64_t)(l->pos = 3);
    lex_next(l);
}

void lex_close(Lex *l) {
    if (l->file && l->file != stdin) fclose(l->file);
    free(l->buf);
}
