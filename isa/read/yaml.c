#include "isa/read/yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "isa/base/text.h"

/* libyaml has no limits of its own and is quadratic in flow depth: the depth is checked at every
 * event, long before that shows. Short keys bound the memory of the paths. */
enum { MAX_TEXT = 1 << 20, MAX_DEPTH = 16, MAX_SCALARS = 20000, MAX_SCALAR = 4096, MAX_KEY = 64 };

struct YamlDoc {
    Arena *arena; /* values */
    Names *paths;
    YamlItem *item;
    size_t n, cap;
};

/* An open mapping or list. */
typedef struct Level {
    bool map, want_key;
    size_t path_len;  /* of the path of the mapping or list itself */
    uint32_t members; /* so far; also the number of the next list item */
    Loc key_loc;      /* of the key whose value is being read */
} Level;

typedef struct Reader {
    yaml_parser_t parser;
    const char *name, *text;
    size_t n;
    Diag *d;
    YamlDoc *doc;
    StrBuf path;
    Level level[MAX_DEPTH];
    int depth, documents;
    Loc *first;            /* where each path of doc->paths was met first */
    size_t first_cap;
    size_t chars, bytes;   /* a position in text, both ways to count it */
    bool failed;
} Reader;

#define FAIL(r, loc, ...) ((r)->failed = true, diag((r)->d, DIAG_CONFIG, loc, __VA_ARGS__))

static bool continues(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

/* Byte offset of a character. Walks from the last position: marks come almost in order. */
static size_t byte_offset(Reader *r, size_t chars) {
    while (r->chars < chars && r->bytes < r->n) {
        do r->bytes++;
        while (r->bytes < r->n && continues(r->text[r->bytes]));
        r->chars++;
    }
    while (r->chars > chars) {
        do r->bytes--;
        while (continues(r->text[r->bytes]));
        r->chars--;
    }
    return r->bytes;
}

/* Marks count characters, a Loc counts bytes. */
static Loc mark_loc(Reader *r, yaml_mark_t m) {
    size_t line_start = byte_offset(r, m.index - m.column);
    size_t here = byte_offset(r, m.index);
    return (Loc){r->name, (uint32_t)m.line + 1, (uint32_t)(here - line_start) + 1};
}

/* For errors of libyaml's decoder, which know only the byte. */
static Loc offset_loc(const Reader *r, size_t offset) {
    Loc loc = {r->name, 1, 1};
    for (size_t i = 0; i < offset && i < r->n; i++) {
        bool newline = r->text[i] == '\n' || (r->text[i] == '\r' && !(i + 1 < r->n && r->text[i + 1] == '\n'));
        loc.line += newline;
        loc.col = newline ? 1 : loc.col + 1;
    }
    return loc;
}

static void fail_parser(Reader *r) {
    const yaml_parser_t *p = &r->parser;
    if (p->error == YAML_READER_ERROR) {
        Loc loc = offset_loc(r, p->problem_offset);
        if (p->problem_value < 0)
            FAIL(r, loc, "%s", p->problem);
        else
            FAIL(r, loc, "%s (0x%02X)", p->problem, (unsigned)p->problem_value);
    } else if (p->context) {
        FAIL(r, mark_loc(r, p->problem_mark), "%s %s (from line %zu)", p->problem, p->context, p->context_mark.line + 1);
    } else {
        FAIL(r, mark_loc(r, p->problem_mark), "%s", p->problem ? p->problem : "out of memory");
    }
}

static Level *top(Reader *r) { return r->depth ? &r->level[r->depth - 1] : NULL; }

/* Replaces what follows the path of the open mapping or list. */
static void path_member(Reader *r, const Level *l, const char *name) {
    r->path.n = l->path_len;
    if (r->path.n) sb_puts(&r->path, ".");
    sb_puts(&r->path, name);
}

static bool plain_word(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '-') return false;
    return n > 0;
}

/* Remembers the path at its first place. False if it was there before. */
static bool path_is_new(Reader *r, Loc loc, Loc *before) {
    uint32_t known = names_count(r->doc->paths);
    uint32_t id = names_intern(r->doc->paths, r->path.s, r->path.n);
    if (id < known) {
        *before = r->first[id];
        return false;
    }
    if (id >= r->first_cap) {
        r->first_cap = r->first_cap ? r->first_cap * 2 : 256;
        r->first = xrealloc(r->first, r->first_cap * sizeof *r->first);
    }
    r->first[id] = loc;
    return true;
}

static void on_key(Reader *r, Level *l, const yaml_event_t *e) {
    Loc loc = mark_loc(r, e->start_mark), before;
    if (e->type != YAML_SCALAR_EVENT) {
        FAIL(r, loc, "a key must be a word, not a mapping or list");
        return;
    }
    const char *key = (const char *)e->data.scalar.value;
    size_t n = e->data.scalar.length;
    if (n == 2 && memcmp(key, "<<", 2) == 0) {
        FAIL(r, loc, "merge keys (<<) are not supported\nwrite the keys out");
        return;
    }
    if (n > MAX_KEY || !plain_word(key, n)) {
        FAIL(r, loc, "a key is 1 to %d letters, digits, '_' or '-'", MAX_KEY);
        return;
    }
    path_member(r, l, key);
    if (!path_is_new(r, loc, &before)) {
        FAIL(r, loc, "duplicate key '%s'\nfirst at line %u, column %u", r->path.s, before.line, before.col);
        return;
    }
    l->members++;
    l->key_loc = loc;
    l->want_key = false;
}

/* Called before every value: names the items of a list. */
static void begin_value(Reader *r, const yaml_event_t *e) {
    Level *l = top(r);
    if (!l || l->map) return;
    char number[16];
    Loc before;
    snprintf(number, sizeof number, "%u", l->members++);
    path_member(r, l, number);
    l->key_loc = mark_loc(r, e->start_mark);
    path_is_new(r, l->key_loc, &before);
}

static void end_value(Reader *r) {
    Level *l = top(r);
    if (l) l->want_key = l->map;
}

static void on_scalar(Reader *r, const yaml_event_t *e) {
    Loc loc = mark_loc(r, e->start_mark);
    YamlDoc *y = r->doc;
    size_t n = e->data.scalar.length;
    if (!r->depth) {
        FAIL(r, loc, "expected a mapping of keys to values");
        return;
    }
    if (n > MAX_SCALAR) {
        FAIL(r, loc, "value of more than %d bytes", MAX_SCALAR);
        return;
    }
    if (y->n == MAX_SCALARS) {
        FAIL(r, loc, "more than %d values", MAX_SCALARS);
        return;
    }
    begin_value(r, e);
    if (y->n == y->cap) {
        y->cap = y->cap ? y->cap * 2 : 256;
        y->item = xrealloc(y->item, y->cap * sizeof *y->item);
    }
    y->item[y->n++] = (YamlItem){
        .path = names_text(y->paths, names_intern(y->paths, r->path.s, r->path.n)),
        .value = arena_strdup(y->arena, (const char *)e->data.scalar.value, n),
        .quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE,
        .key_loc = top(r)->key_loc,
        .loc = loc,
        .owner_loc = r->depth > 1 ? r->level[r->depth - 2].key_loc : (Loc){r->name, 0, 0},
    };
    end_value(r);
}

static void on_open(Reader *r, const yaml_event_t *e) {
    if (r->depth == MAX_DEPTH) {
        FAIL(r, mark_loc(r, e->start_mark), "more than %d levels of nesting", MAX_DEPTH);
        return;
    }
    begin_value(r, e);
    bool map = e->type == YAML_MAPPING_START_EVENT;
    r->level[r->depth++] = (Level){.map = map, .want_key = map, .path_len = r->path.n};
}

static void on_close(Reader *r, const yaml_event_t *e) {
    const Level *l = top(r);
    if (!l->members) {
        FAIL(r, mark_loc(r, e->start_mark), "empty %s", l->map ? "mapping" : "list");
        return;
    }
    r->path.n = l->path_len;
    r->depth--;
    end_value(r);
}

static const char *unsupported(const yaml_event_t *e) {
    switch (e->type) {
    case YAML_ALIAS_EVENT: return "aliases (*name)";
    case YAML_SCALAR_EVENT:
        return e->data.scalar.anchor ? "anchors (&name)" : e->data.scalar.tag ? "tags (!name)" : NULL;
    case YAML_MAPPING_START_EVENT:
        return e->data.mapping_start.anchor ? "anchors (&name)" : e->data.mapping_start.tag ? "tags (!name)" : NULL;
    case YAML_SEQUENCE_START_EVENT:
        return e->data.sequence_start.anchor ? "anchors (&name)" : e->data.sequence_start.tag ? "tags (!name)" : NULL;
    default: return NULL;
    }
}

static void on_event(Reader *r, const yaml_event_t *e) {
    const char *what = unsupported(e);
    Level *l = top(r);
    if (what) {
        FAIL(r, mark_loc(r, e->start_mark), "%s are not supported\nwrite the value out", what);
        return;
    }
    if (l && l->want_key && e->type != YAML_MAPPING_END_EVENT) {
        on_key(r, l, e);
        return;
    }
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (r->documents++) FAIL(r, mark_loc(r, e->start_mark), "a second document\na file holds one document");
        break;
    case YAML_SCALAR_EVENT: on_scalar(r, e); break;
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT: on_open(r, e); break;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT: on_close(r, e); break;
    default: break;
    }
}

static void read_events(Reader *r) {
    bool end = false;
    while (!end && !r->failed) {
        yaml_event_t e;
        if (!yaml_parser_parse(&r->parser, &e)) {
            fail_parser(r);
            return;
        }
        end = e.type == YAML_STREAM_END_EVENT;
        on_event(r, &e);
        yaml_event_delete(&e);
    }
    if (!r->failed && !r->documents) FAIL(r, ((Loc){r->name, 1, 1}), "the file is empty");
}

YamlDoc *yaml_read_text(const char *name, const char *text, size_t n, Diag *d) {
    if (n > MAX_TEXT) {
        diag(d, DIAG_CONFIG, (Loc){name, 0, 0}, "more than %d bytes", MAX_TEXT);
        return NULL;
    }
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* so that columns count from the text */
        text += 3;
        n -= 3;
    }
    YamlDoc *y = xcalloc(1, sizeof *y);
    *y = (YamlDoc){.arena = arena_new(), .paths = names_new()};
    Reader r = {.name = name, .text = text, .n = n, .d = d, .doc = y};
    sb_puts(&r.path, "");
    if (yaml_parser_initialize(&r.parser)) {
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, n);
        read_events(&r);
    } else {
        FAIL(&r, ((Loc){name, 0, 0}), "out of memory");
    }
    yaml_parser_delete(&r.parser);
    sb_free(&r.path);
    free(r.first);
    if (!r.failed) return y;
    yaml_doc_free(y);
    return NULL;
}

YamlDoc *yaml_read_file(const char *name, Diag *d) {
    FILE *f = fopen(name, "rb");
    char *text = xmalloc(MAX_TEXT + 1);
    size_t n = f ? fread(text, 1, MAX_TEXT + 1, f) : 0;
    YamlDoc *y = NULL;
    if (!f || ferror(f))
        diag(d, DIAG_IO, (Loc){name, 0, 0}, "cannot read the file: %s", strerror(errno));
    else
        y = yaml_read_text(name, text, n, d);
    if (f) fclose(f);
    free(text);
    return y;
}

void yaml_doc_free(YamlDoc *y) {
    if (!y) return;
    arena_free(y->arena);
    names_free(y->paths);
    free(y->item);
    free(y);
}

size_t yaml_count(const YamlDoc *y) { return y->n; }
const YamlItem *yaml_at(const YamlDoc *y, size_t i) { return &y->item[i]; }
