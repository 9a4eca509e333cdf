/* A look at the whole text before it is read: is there synchronisation, which target does it name?
 * It only searches for the few characters that matter, so it costs a fraction of reading. */
#include <stdlib.h>
#include <string.h>

#include "isa/read/trace_parse.h"

enum { SCAN_PIECE = 1 << 20, SCAN_LINE = 8 << 20 };

/* The start of p's line, in a text that starts at s. */
static const char *line_of(const char *s, const char *p) {
    while (p > s && p[-1] != '\n') p--;
    return p;
}

/* Whether p, on the line that starts at or after `start`, lies in a comment. */
static bool in_comment(const char *start, const char *p, const char *end) {
    const char *line = line_of(start, p);
    bool quoted = false, cut;
    for (; line < p; line++) {
        if (*line == '"') quoted = !quoted;
        else if (quoted) continue;
        else if (*line == '/' && line[1] == '/') return true;
        else if (*line == '#' && (line[1] - '0' + 0u >= 10u) && !lex_hash_is_attr(line, end, &cut)) return true;
    }
    return false;
}

static bool starts(const char *p, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t)(end - p) > n && memcmp(p, word, n) == 0;
}

static bool is_sync(const char *p, const char *end) {
    static const char *const words[] = {"set_flag", "wait_flag", "barrier", "pipe_barrier", "record_event",
                                        "wait_event", "tsync", "get_buf", "rls_buf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (*p == *words[i] && starts(p, end, words[i])) return true;
    return false;
}

static void copy(char out[64], const char *p, const char *end, const char *stop) {
    size_t n = 0;
    while (p < end && *p && !strchr(stop, *p) && n < 63) out[n++] = *p++;
    out[n] = 0;
}

static const char *blanks(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}

static uint32_t count_lines(const char *p, const char *end) {
    uint32_t n = 0;
    for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++) n++;
    return n;
}

/* Of p in the piece that starts at s, which begins a line. */
static Loc place(const TraceScan *out, const char *s, const char *p) {
    const char *line = line_of(s, p);
    return (Loc){.line = out->lines + count_lines(s, line) + 1, .col = (uint32_t)(p - line) + 1};
}

/* pto.target_arch = "X" */
static void read_arch(const char *s, const char *p, const char *end, TraceScan *out) {
    p = blanks(p + strlen("target_arch"), end);
    if (p == end || *p != '=') return;
    p = blanks(p + 1, end);
    if (p == end || *p != '"') return;
    copy(out->target_arch, p + 1, end, "\"\r\n");
    out->arch_loc = place(out, s, p + 1);
}

/* Most names behind `pto.` are those of tile types and instructions: two letters tell them apart. */
static bool matters(const char *p, const char *end) { return end - p > 2 && (*p != 't' || p[1] == 's' || p[1] == 'a'); }

static void scan_operations(const char *s, const char *end, TraceScan *out) {
    for (const char *p = s; (p = memchr(p, '.', (size_t)(end - p))); p++) {
        if (out->has_sync && out->target_arch[0]) return;
        if (p - s < 3 || memcmp(p - 3, "pto", 3) != 0 || !matters(p + 1, end)) continue;
        bool sync = !out->has_sync && is_sync(p + 1, end);
        bool arch = !out->target_arch[0] && starts(p + 1, end, "target_arch");
        if (!sync && !arch) continue;
        if (in_comment(s, p, end)) {
            p = memchr(p, '\n', (size_t)(end - p));
            if (!p) return;
        } else if (sync) out->has_sync = true;
        else read_arch(s, p + 1, end, out);
    }
}

static void scan_directives(const char *s, const char *end, TraceScan *out) {
    for (const char *p = s; !out->target_directive[0] && (p = memchr(p, '!', (size_t)(end - p))); p++) {
        if (p - s < 2 || p[-1] != '/' || p[-2] != '/') continue;
        const char *word = blanks(p + 1, end), *name = word + strlen("target");
        if (!starts(word, end, "target") || (*name != ' ' && *name != '\t') || in_comment(s, p - 2, end)) continue;
        name = blanks(name, end);
        copy(out->target_directive, name, end, " \t\r\n");
        out->directive_loc = place(out, s, name);
    }
}

void scan_text(const char *s, size_t n, TraceScan *out) {
    scan_operations(s, s + n, out);
    scan_directives(s, s + n, out);
    if (!out->target_directive[0]) out->lines += count_lines(s, s + n); /* a directive ends the search for names */
}

/* Whole lines at a time; the buffer grows for a long line only. */
void scan_file(FILE *f, TraceScan *out) {
    size_t cap = SCAN_PIECE, n = 0, got;
    char *buf = xmalloc(cap);
    while ((got = fread(buf + n, 1, cap - n, f)) > 0) {
        n += got;
        size_t whole = n;
        while (whole > 0 && buf[whole - 1] != '\n') whole--;
        if (whole == 0 && n == cap && cap < SCAN_LINE) buf = xrealloc(buf, cap *= 2);
        else if (whole == 0 && n == cap) whole = n;
        scan_text(buf, whole, out);
        memmove(buf, buf + whole, n - whole);
        n -= whole;
    }
    scan_text(buf, n, out);
    free(buf);
}
