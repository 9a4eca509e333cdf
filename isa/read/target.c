#include "isa/read/target_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "isa/base/text.h"
#include "isa/read/yaml.h"

/* ---- the key table ---- */

typedef enum KeyType { TEXT, WORDS, SWITCH, NUMBER, INTEGER, FLAG, BYTES } KeyType;
typedef enum Need { MUST, MAY } Need;

typedef struct Key {
    const char *path;
    size_t offset; /* into Target */
    KeyType type;
    int families;
    const char *words;
    double low, high;
    Need need;
    const char *doc;
} Key;

static const Key keys[] = {
#define KEY(path, field, type, fam, words, low, high, need, doc) \
    {path, offsetof(Target, field), type, FAM_##fam, words, low, high, need, doc},
#include "isa/read/target.def"
#undef KEY
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };
_Static_assert(sizeof(MinMaxNan) == sizeof(unsigned) && sizeof(ReduceNan) == sizeof(unsigned) &&
               sizeof(Family) == sizeof(unsigned), "WORDS binds an unsigned");

static const char *const family_name[FAMILY_COUNT] = {"a2a3", "950"};
static const int family_bit[FAMILY_COUNT] = {FAM_A, FAM_R};
static const char prov_words[] = "documented|measured|fit|assumed";

const char *prov_name(Prov p) {
    static const char *const names[PROV_COUNT] = {"documented", "measured", "fit", "assumed"};
    return names[p];
}

/* uops.KEY.FIELD: the Nums of a UopCost. */
enum { COST_LATENCY, COST_INTERVAL, COST_PORT, COST_COUNT };
static const struct CostField {
    const char *name;
    int families;
    double low, high;
    const char *doc[FAMILY_COUNT];
} cost_field[COST_COUNT] = {
    {"latency", FAM_AR, 0, 10000, {"cycles from the end of issue until a barrier behind it is released", "cycles from start to done"}},
    {"interval", FAM_AR, 1, 10000, {"issue cycles per repeat", "initiation interval on its port in cycles"}},
    {"port", FAM_R, 0, 1, {"", "1: execution port 0 only; 0: any port"}},
};
static const char forward_doc[] = "cycles from the start of the first to the start of the second, which uses its result";

static Num *cost_num(UopCost *c, int field) {
    Num *const num[COST_COUNT] = {&c->latency, &c->interval, &c->port};
    return num[field];
}

/* ---- lane types of a cost: uops.KEY.FIELD.LANES ----
 * The narrower name wins, in any order: one type, then `int`, then a width, then `default`, which
 * is also what a value without lanes means. */
typedef struct Lanes {
    enum { LANES_NONE, LANES_DEFAULT, LANES_WIDTH, LANES_INT, LANES_ONE, LANES_SET } rank;
    unsigned width;
    DType type;
} Lanes;
static const char lanes_words[] = "default, b8, b16, b32, b64, int, or one type such as f16";

static Lanes lanes_parse(const char *s) {
    static const char *const width[] = {"b8", "b16", "b32", "b64"};
    if (!s || strcmp(s, "default") == 0) return (Lanes){.rank = LANES_DEFAULT};
    if (strcmp(s, "int") == 0) return (Lanes){.rank = LANES_INT};
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(s, width[i]) == 0) return (Lanes){.rank = LANES_WIDTH, .width = 1u << i};
    for (DType t = DT_NONE + 1; t < DT_COUNT; t++)
        if (strcmp(s, dtype_name(t)) == 0) return (Lanes){.rank = LANES_ONE, .type = t};
    return (Lanes){.rank = LANES_NONE};
}

static bool lanes_cover(Lanes l, DType t) {
    switch (l.rank) {
    case LANES_WIDTH: return t != DT_NONE && dtype_size(t) == l.width;
    case LANES_INT: return t != DT_NONE && !dtype_is_float(t);
    case LANES_ONE: return t == l.type;
    default: return true;
    }
}

/* ---- loading ---- */

/* The file's key list, for printing. */
typedef struct Listing {
    Arena *arena; /* every text of the target */
    TargetKey *key;
    size_t n, cap;
} Listing;

/* A key of the file or of --set with what was given for it. */
typedef struct Leaf {
    const char *path;
    const char *text, *source, *kind; /* NULL: not given */
    Loc loc, kind_loc;                /* of the value (of the key if there is none); of the kind */
    Loc key_loc;
    bool quoted, record;              /* record: the { value, source, kind } form */
    bool set;                         /* from --set */
} Leaf;

typedef struct Load {
    Target *t;
    Listing *list;
    Diag *d;
    const char *file;
    YamlDoc *y;        /* its texts, and those of names, are those of the leaves */
    Names *names;
    int families;      /* one family; both while it is unknown */
    int offered;       /* families whose keys messages suggest: of all targets that are loaded together */
    Leaf *leaf;
    size_t nleaf;
    unsigned failed;
    bool seen[KEY_COUNT];
    uint8_t rank[UOP_COUNT][COST_COUNT][DT_COUNT]; /* of the Lanes that gave the value */
} Load;

enum { MAX_ERRORS = 100 };

static const char set_file[] = "--set";
#define FAIL(l, loc, ...) ((l)->failed++, diag((l)->d, DIAG_CONFIG, loc, __VA_ARGS__))

/* A text of the user as messages show it: short and on one line. */
typedef struct Shown { char s[48]; } Shown;
static Shown show(const char *text) {
    Shown out = {""};
    size_t n = strlen(text), cut = n < sizeof out.s ? n : sizeof out.s - 4;
    for (size_t i = 0; i < cut; i++) out.s[i] = iscntrl((unsigned char)text[i]) ? '?' : text[i];
    if (cut < n) strcpy(out.s + cut, "...");
    return out;
}

static const char *keep(const Load *l, const char *s) { return arena_strdup(l->list->arena, s, strlen(s)); }

/* Index of s among words that are separated by '|', or -1. */
static int word_index(const char *words, const char *s) {
    size_t n = strlen(s);
    for (int i = 0;; i++) {
        size_t len = strcspn(words, "|");
        if (len == n && memcmp(words, s, n) == 0) return i;
        if (!words[len]) return -1;
        words += len + 1;
    }
}

/* Decimal or hexadecimal integers and decimal fractions; no octal, nothing that depends on a locale. */
static bool parse_number(const char *s, double *v) {
    const char *p = s + (*s == '-'), *digits = p;
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    if (hex) {
        size_t n = strspn(p + 2, "0123456789abcdefABCDEF");
        *v = strtod(s, NULL);
        return n > 0 && n <= 12 && !p[2 + n];
    }
    p += strspn(p, "0123456789");
    if (p == digits || (*digits == '0' && p - digits > 1)) return false;
    if (*p == '.' && isdigit((unsigned char)p[1])) p += 1 + strspn(p + 1, "0123456789");
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '+' || p[1] == '-');
        if (!isdigit((unsigned char)*p)) return false;
        p += strspn(p, "0123456789");
    }
    *v = strtod(s, NULL);
    return !*p;
}

static bool check_number(Load *l, const Leaf *f, KeyType type, double low, double high, double v) {
    const char *fault = NULL;
    if (!(v >= low && v <= high)) {
        FAIL(l, f->loc, "'%s' is %s, out of range\nallowed: %.15g to %.15g", f->path, show(f->text).s, low, high);
        return false;
    }
    if (type != NUMBER && v != (double)(int64_t)v)
        fault = "an integer";
    else if (type == BYTES && (int64_t)v % BLOCK_BYTES)
        fault = "a multiple of 32";
    if (fault) FAIL(l, f->loc, "'%s' is %s, expected %s", f->path, show(f->text).s, fault);
    return !fault;
}

static bool check_provenance(Load *l, const Leaf *f) {
    bool ok = f->source && *f->source;
    if (!ok) FAIL(l, f->loc, "'%s' has no source\nwrite { value: ..., source: \"...\", kind: ... }", f->path);
    if (!f->kind)
        FAIL(l, f->loc, "'%s' has no kind\none of %s", f->path, prov_words);
    else if (word_index(prov_words, f->kind) < 0)
        FAIL(l, f->kind_loc, "'%s.kind' is '%s'\none of %s", f->path, show(f->kind).s, prov_words);
    else
        return ok;
    return false;
}

static bool take_number(Load *l, const Leaf *f, KeyType type, double low, double high, Num *out) {
    double v = 0;
    bool ok = false;
    if (!f->record && !f->set) {
        FAIL(l, f->loc, "'%s' is a number with provenance\nwrite { value: ..., source: \"...\", kind: ... }", f->path);
        return false;
    }
    if (!f->text)
        FAIL(l, f->loc, "'%s' has no value", f->path);
    else if (f->quoted || !parse_number(f->text, &v))
        FAIL(l, f->loc, "'%s' is %s'%s', expected %s", f->path, f->quoted ? "the text " : "", show(f->text).s,
             type == NUMBER ? "a number" : "an integer");
    else
        ok = check_number(l, f, type, low, high, v);
    ok = check_provenance(l, f) && ok;
    if (ok) *out = (Num){v, (Prov)word_index(prov_words, f->kind), keep(l, f->source)};
    return ok;
}

static bool take_text(Load *l, const Leaf *f, const char *words, int *index) {
    if (f->record) {
        FAIL(l, f->key_loc, "'%s' takes a plain value without source and kind", f->path);
        return false;
    }
    *index = words ? word_index(words, f->text) : 0;
    bool ok = words ? *index >= 0 : *f->text != 0;
    if (!ok && words)
        FAIL(l, f->loc, "'%s' is '%s'\none of %s", f->path, show(f->text).s, words);
    else if (!ok)
        FAIL(l, f->loc, "'%s' is empty", f->path);
    return ok;
}

/* ---- the list of keys ---- */

static bool below(const char *path, const char *section, size_t n) {
    return strncmp(path, section, n) == 0 && (path[n] == 0 || path[n] == '.');
}

/* Where a key that the file does not have belongs: behind the last one of its innermost section. */
static size_t list_place(const Listing *s, const char *path) {
    for (size_t n = strlen(path); n > 0; n--) {
        if (path[n] && path[n] != '.') continue;
        for (size_t i = s->n; i > 0; i--)
            if (below(s->key[i - 1].path, path, n)) return i;
    }
    return s->n;
}

static void list_remove(Listing *s, size_t i) {
    s->n--;
    memmove(s->key + i, s->key + i + 1, (s->n - i) * sizeof *s->key);
}

static void list_put(Load *l, const Leaf *f, const Num *num, const char *doc) {
    Listing *s = l->list;
    TargetKey k = {keep(l, f->path), keep(l, f->text), num != NULL, num ? *num : (Num){0}, doc};
    for (size_t i = 0; f->set && i < s->n; i++)
        if (strcmp(s->key[i].path, f->path) == 0) {
            s->key[i] = k;
            return;
        }
    if (s->n == s->cap) {
        s->cap = s->cap ? s->cap * 2 : 128;
        s->key = xrealloc(s->key, s->cap * sizeof *s->key);
    }
    size_t place = f->set ? list_place(s, f->path) : s->n;
    memmove(s->key + place + 1, s->key + place, (s->n - place) * sizeof *s->key);
    s->key[place] = k;
    s->n++;
}

/* Drops the costs that --set overrides: those of the same field for no other lane types. */
static void list_drop_covered(Listing *s, const char *field_path, Lanes set) {
    size_t n = strlen(field_path);
    for (size_t i = s->n; i > 0; i--) {
        const char *path = s->key[i - 1].path;
        if (!below(path, field_path, n)) continue;
        Lanes old = lanes_parse(path[n] ? path + n + 1 : NULL);
        bool covered = true;
        for (DType t = DT_NONE; t < DT_COUNT; t++) covered &= !lanes_cover(old, t) || lanes_cover(set, t);
        if (covered) list_remove(s, i - 1);
    }
}

/* ---- unknown keys ---- */

/* The names that may follow the first n bytes of path; returns how many. */
static int section_members(const Load *l, const char *path, size_t n, StrBuf *out) {
    int members = 0;
    for (int i = 0; i < KEY_COUNT; i++) {
        const char *p = keys[i].path;
        if (!(keys[i].families & l->offered) || (n && !(below(p, path, n) && p[n]))) continue;
        const char *name = n ? p + n + 1 : p;
        size_t len = strcspn(name, ".");
        const char *same = i ? keys[i - 1].path : NULL;
        if (!n && same && strncmp(same, name, len) == 0 && (same[len] == '.' || !same[len])) continue;
        sb_printf(out, "%s%.*s", members++ ? ", " : "", (int)len, name);
    }
    if (!n) sb_puts(out, ", uops");
    return members;
}

static void unknown_key(Load *l, const Leaf *f) {
    enum { SMALL_SECTION = 12 };
    Nearest near = nearest_to(f->path);
    const char *dot = strrchr(f->path, '.');
    size_t section = dot ? (size_t)(dot - f->path) : 0;
    StrBuf hint = {0};
    sb_puts(&hint, "");
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].families & l->offered) nearest_try(&near, keys[i].path);
    if (near.best) sb_printf(&hint, "did you mean '%s'? ", near.best);
    StrBuf members = {0};
    sb_puts(&members, "");
    int n = section_members(l, f->path, section, &members);
    while (n == 0) { /* no such section: the one around it */
        do section--;
        while (section && f->path[section] != '.');
        members.n = 0;
        n = section_members(l, f->path, section, &members);
    }
    if (n <= SMALL_SECTION || !near.best)
        sb_printf(&hint, "%s%.*s: %s", section ? "keys of " : "keys and sections", (int)section, f->path, members.s);
    FAIL(l, f->key_loc, "unknown key '%s'\n%s", show(f->path).s, hint.s);
    sb_free(&hint);
    sb_free(&members);
}

static void unknown_uop(Load *l, const Leaf *f, const char *name) {
    Nearest near = nearest_to(name);
    for (int u = 0; u < UOP_COUNT; u++) {
        if (strcmp(uop_info[u].timing, name) == 0) {
            FAIL(l, f->key_loc, "'%s': the family %s has no micro-operation '%s'", show(f->path).s, family_name[l->t->family], name);
            return;
        }
        if ((uop_info[u].families & l->offered) && *uop_info[u].timing) nearest_try(&near, uop_info[u].timing);
    }
    FAIL(l, f->key_loc, "'%s': unknown micro-operation '%s'\n%s%s%s", show(f->path).s, show(name).s,
         near.best ? "did you mean '" : "npusim isa lists the micro-operations", near.best ? near.best : "", near.best ? "'?" : "");
}

/* ---- what a path names ---- */

enum { MAX_PARTS = 5 };

/* Cuts a copy of the path at its dots. Returns the number of parts, at most MAX_PARTS. */
static int split(char *path, char *part[MAX_PARTS]) {
    int n = 0;
    for (char *p = path; p && n < MAX_PARTS; n++) {
        part[n] = p;
        p = strchr(p, '.');
        if (p) *p++ = 0;
    }
    return n;
}

static bool uop_known(int families, const char *timing) {
    for (int u = 0; u < UOP_COUNT; u++)
        if ((uop_info[u].families & families) && *timing && strcmp(uop_info[u].timing, timing) == 0) return true;
    return false;
}

static int cost_field_find(int families, const char *name) {
    for (int i = 0; i < COST_COUNT; i++)
        if ((cost_field[i].families & families) && strcmp(cost_field[i].name, name) == 0) return i;
    return -1;
}

static void bind_cost(Load *l, const Leaf *f, const char *timing, int field, Lanes lanes, const Num *num) {
    uint8_t rank = f->set ? LANES_SET : lanes.rank;
    for (int u = 0; u < UOP_COUNT; u++) {
        if (!(uop_info[u].families & l->families) || strcmp(uop_info[u].timing, timing) != 0) continue;
        for (DType t = DT_NONE; t < DT_COUNT; t++) {
            if (!lanes_cover(lanes, t) || l->rank[u][field][t] > rank) continue;
            l->rank[u][field][t] = rank;
            if (num) *cost_num(&l->t->cost[u][t], field) = *num;
        }
    }
}

static void take_cost(Load *l, const Leaf *f, char *part[], int n) {
    int field = n > 2 ? cost_field_find(l->families, part[2]) : -1;
    Lanes lanes = lanes_parse(n > 3 ? part[3] : NULL);
    if (n < 2) {
        FAIL(l, f->key_loc, "'uops' holds one section per micro-operation");
    } else if (!uop_known(l->families, part[1])) {
        unknown_uop(l, f, part[1]);
    } else if (field < 0) {
        FAIL(l, f->key_loc, "unknown key '%s'\nkeys of uops.%s: latency, interval%s", show(f->path).s, part[1],
             l->offered & FAM_R ? ", port" : "");
    } else if (lanes.rank == LANES_NONE || n > 4) {
        FAIL(l, f->key_loc, "'%s' names no lane type\nallowed: %s", show(f->path).s, lanes_words);
    } else {
        const struct CostField *c = &cost_field[field];
        Num num;
        bool ok = take_number(l, f, INTEGER, c->low, c->high, &num);
        bind_cost(l, f, part[1], field, lanes, ok ? &num : NULL);
        if (!ok) return;
        StrBuf path = {0};
        sb_printf(&path, "uops.%s.%s", part[1], part[2]);
        if (f->set) list_drop_covered(l->list, path.s, lanes);
        sb_free(&path);
        list_put(l, f, &num, c->doc[l->t->family]);
    }
}

static void take_forward(Load *l, const Leaf *f, const char *from, const char *to) {
    Num num;
    if (!uop_known(l->families, from)) {
        unknown_uop(l, f, from);
    } else if (!uop_known(l->families, to)) {
        unknown_uop(l, f, to);
    } else if (take_number(l, f, INTEGER, 0, 10000, &num)) {
        for (int p = 0; p < UOP_COUNT; p++)
            for (int c = 0; c < UOP_COUNT; c++)
                if (strcmp(uop_info[p].timing, from) == 0 && strcmp(uop_info[c].timing, to) == 0) l->t->forward[p][c] = num;
        list_put(l, f, &num, forward_doc);
    }
}

static void take_key(Load *l, const Leaf *f, int k) {
    const Key *key = &keys[k];
    void *field = (char *)l->t + key->offset;
    int index;
    Num num;
    l->seen[k] = true;
    if (!(key->families & l->families)) {
        FAIL(l, f->key_loc, "'%s' is a key of the family %s, this target is of the family %s", f->path,
             family_name[l->t->family == FAMILY_A2A3], family_name[l->t->family]);
    } else if (key->type >= NUMBER) {
        if (!take_number(l, f, key->type, key->low, key->high, &num)) return;
        memcpy(field, &num, sizeof num);
        list_put(l, f, &num, key->doc);
    } else if (take_text(l, f, key->words, &index)) {
        if (key->type == SWITCH)
            *(bool *)field = index;
        else if (key->type == WORDS)
            memcpy(field, &index, sizeof index);
        else
            *(const char **)field = keep(l, f->text);
        list_put(l, f, NULL, key->doc);
    }
}

static int key_find(const char *path) {
    for (int k = 0; k < KEY_COUNT; k++)
        if (*keys[k].path == *path && strcmp(keys[k].path, path) == 0) return k;
    return -1;
}

static void take_leaf(Load *l, const Leaf *f) {
    int k = key_find(f->path);
    if (k >= 0) {
        take_key(l, f, k);
        return;
    }
    char *part[MAX_PARTS] = {NULL}, *copy = arena_strdup(l->list->arena, f->path, strlen(f->path));
    int n = split(copy, part);
    if (strcmp(part[0], "uops") == 0)
        take_cost(l, f, part, n);
    else if (n == 3 && strcmp(part[0], "forward") == 0 && (l->families & FAM_R))
        take_forward(l, f, part[1], part[2]);
    else
        unknown_key(l, f);
}

/* ---- the file ---- */

/* Splits off .value, .source or .kind; returns the length of the rest. */
static size_t record_base(const char *path, const char **member) {
    const char *dot = strrchr(path, '.');
    *member = NULL;
    if (!dot || word_index("value|source|kind", dot + 1) < 0) return strlen(path);
    *member = dot + 1;
    return (size_t)(dot - path);
}

static void add_item(Leaf *f, const YamlItem *item, const char *member) {
    f->record = member != NULL;
    if (!member || *member == 'v') {
        f->text = item->value;
        f->quoted = item->quoted;
        f->loc = item->loc;
    } else if (*member == 's') {
        f->source = item->value;
    } else {
        f->kind = item->value;
        f->kind_loc = item->loc;
    }
}

/* Groups the scalars of the file into leaves, in file order. */
static void collect(Load *l) {
    l->leaf = xcalloc(yaml_count(l->y), sizeof *l->leaf);
    for (size_t i = 0; i < yaml_count(l->y); i++) {
        const YamlItem *item = yaml_at(l->y, i);
        const char *member;
        size_t n = record_base(item->path, &member);
        uint32_t id = names_intern(l->names, item->path, n);
        Leaf *f = &l->leaf[id];
        if (id == l->nleaf) {
            Loc key = member ? item->owner_loc : item->key_loc;
            *f = (Leaf){.path = names_text(l->names, id), .loc = key, .key_loc = key};
            l->nleaf++;
        }
        add_item(f, item, member);
    }
}

/* The family decides what the other keys may be, so it is read first. */
static void take_family(Load *l) {
    l->families = FAM_AR;
    for (size_t i = 0; i < l->nleaf; i++) {
        int family;
        const Leaf *f = &l->leaf[i];
        if (strcmp(f->path, "family") != 0 || f->record) continue;
        family = word_index("a2a3|950", f->text);
        if (family < 0) continue;
        l->t->family = (Family)family;
        l->families = family_bit[family];
    }
}

static void take_file(Load *l) {
    take_family(l);
    l->offered = l->families;
    for (size_t i = 0; i < l->nleaf; i++) {
        if (l->failed >= MAX_ERRORS) {
            FAIL(l, l->leaf[i].key_loc, "more than %d errors: the rest of the file is not checked", MAX_ERRORS);
            return;
        }
        take_leaf(l, &l->leaf[i]);
    }
}

static void take_set(Load *l, const char *set) {
    const char *eq = strchr(set, '=');
    Loc loc = {set_file, 0, 0};
    if (!eq || eq == set) {
        FAIL(l, loc, "'%s' is not KEY=VALUE", show(set).s);
        return;
    }
    Leaf f = {.path = arena_strdup(l->list->arena, set, (size_t)(eq - set)), .text = eq + 1, .source = set_file,
              .kind = "assumed", .loc = loc, .kind_loc = loc, .key_loc = loc, .set = true};
    if (strcmp(f.path, "family") == 0)
        FAIL(l, loc, "'family' is fixed by the target file\nchoose the target with --target");
    else
        take_leaf(l, &f);
}

/* Whether a target of these families has the key of KEY=VALUE. */
static bool has_key(int families, const char *set) {
    StrBuf path = {0};
    sb_add(&path, set, strcspn(set, "="));
    char *part[MAX_PARTS] = {NULL};
    int k = key_find(path.s), n = split(path.s, part);
    bool has = k >= 0 && (keys[k].families & families);
    if (strcmp(part[0], "uops") == 0) has = n > 2 && uop_known(families, part[1]) && cost_field_find(families, part[2]) >= 0;
    if (k < 0 && n == 3 && strcmp(part[0], "forward") == 0) has = (families & FAM_R) && uop_known(families, part[1]) && uop_known(families, part[2]);
    sb_free(&path);
    return has;
}

/* An override is for the targets that have its key. If none has it, the first one says what is wrong;
 * a value that one target does not take is an error, and said once. */
static void take_sets(Load *const *l, int n, const char *const *sets, int nsets) {
    int families = 0;
    for (int k = 0; k < n; k++) families |= l[k]->families;
    for (int k = 0; k < n; k++) l[k]->offered = families;
    for (int s = 0; s < nsets; s++) {
        bool taken = false, ok = true;
        for (int k = 0; k < n && ok; k++) {
            if (!has_key(l[k]->families, sets[s])) continue;
            unsigned failed = l[k]->failed;
            take_set(l[k], sets[s]);
            taken = true;
            ok = l[k]->failed == failed;
        }
        if (!taken && n) take_set(l[0], sets[s]);
    }
}

/* ---- completeness ---- */

/* Place of the innermost section of the file around a path (of the key itself for "key."). */
static Loc section_loc(const Load *l, const char *path) {
    for (size_t n = strlen(path); n > 0; n--) {
        if (path[n] != '.') continue;
        for (size_t i = 0; i < l->nleaf; i++)
            if (below(l->leaf[i].path, path, n)) return l->leaf[i].key_loc;
    }
    return (Loc){l->file, 1, 1};
}

static bool first_with_timing(const Load *l, int u) {
    if (!*uop_info[u].timing || !(uop_info[u].families & l->families)) return false;
    for (int v = 0; v < u; v++)
        if ((uop_info[v].families & l->families) && strcmp(uop_info[v].timing, uop_info[u].timing) == 0) return false;
    return true;
}

static void check_cost(Load *l, int u, int field) {
    StrBuf path = {0}, lanes = {0};
    int missing = 0;
    sb_printf(&path, "uops.%s.%s", uop_info[u].timing, cost_field[field].name);
    for (DType t = DT_NONE + 1; t < DT_COUNT; t++)
        if (!l->rank[u][field][t]) sb_printf(&lanes, "%s%s", missing++ ? ", " : "", dtype_name(t));
    if (missing == DT_COUNT - 1)
        FAIL(l, section_loc(l, path.s), "missing key '%s' (micro-operation: %s)", path.s, uop_info[u].doc);
    else if (missing)
        FAIL(l, section_loc(l, path.s), "'%s' has no value for %s\nadd them, or `default`", path.s, lanes.s);
    sb_free(&path);
    sb_free(&lanes);
}

static void check_complete(Load *l) {
    if (l->families == FAM_AR) return;
    for (int k = 0; k < KEY_COUNT; k++)
        if (keys[k].need == MUST && (keys[k].families & l->families) && !l->seen[k])
            FAIL(l, section_loc(l, keys[k].path), "missing key '%s'\n%s", keys[k].path, keys[k].doc);
    for (int u = 0; u < UOP_COUNT; u++)
        for (int field = 0; field < COST_PORT && first_with_timing(l, u); field++) check_cost(l, u, field);
}

/* Values that are given by others. An operation without lane type costs what f32 does. */
static void fill_defaults(Load *l) {
    DmaParams *const dma[] = {&l->t->load, &l->t->store};
    for (int i = 0; i < 2; i++) {
        if (!dma[i]->small_startup.source) dma[i]->small_startup = dma[i]->startup;
        if (!dma[i]->small_bytes_per_cycle.source) dma[i]->small_bytes_per_cycle = dma[i]->bytes_per_cycle;
        if (!dma[i]->small_bytes.source) dma[i]->small_bytes = (Num){0, dma[i]->startup.prov, dma[i]->startup.source};
    }
    for (int u = 0; u < UOP_COUNT; u++) {
        UopCost *cost = l->t->cost[u];
        for (DType t = DT_NONE; t < DT_COUNT; t++)
            if (!l->rank[u][COST_PORT][t]) cost[t].port = (Num){0, cost[t].latency.prov, cost[t].latency.source};
        for (int field = 0; field < COST_COUNT; field++)
            if (!l->rank[u][field][DT_NONE]) *cost_num(&cost[DT_NONE], field) = *cost_num(&cost[DT_F32], field);
    }
}

static void check_uop_latency(Load *l, int u, double least, const char *name) {
    StrBuf path = {0};
    sb_printf(&path, "uops.%s.latency.", uop_info[u].timing);
    for (DType t = DT_NONE + 1; t < DT_COUNT; t++) {
        double latency = l->t->cost[u][t].latency.v;
        if (latency >= least) continue;
        FAIL(l, section_loc(l, path.s), "the latency of %s %s is %g, less than '%s' (%g)", uop_info[u].timing, dtype_name(t),
             latency, name, least);
        break;
    }
    sb_free(&path);
}

/* Differences that the models take must not be negative. */
static void check_latency(Load *l, const Num *less, const char *name) {
    for (int u = 0; u < UOP_COUNT; u++)
        if (first_with_timing(l, u)) check_uop_latency(l, u, less->v, name);
}

static void check_relations(Load *l) {
    const Target *t = l->t;
    if (t->ub.reserved_top.v > t->ub.bytes.v)
        FAIL(l, section_loc(l, "ub.reserved_top."), "'ub.reserved_top' is larger than 'ub.bytes'");
    if (t->family == FAMILY_A2A3) {
        check_latency(l, &t->a2a3.write_back, "a2a3.write_back");
        if (t->ub.groups.v * t->ub.banks.v > 64) FAIL(l, section_loc(l, "ub.banks."), "'ub.groups' x 'ub.banks' is more than 64 banks");
    } else {
        check_latency(l, &t->forward_compute, "forward.compute_default");
        check_latency(l, &t->forward_store, "forward.store_default");
    }
}

/* ---- names ---- */

const char *const *target_builtin(void) {
    static const char *const names[] = {"a2a3", "950", NULL};
    return names;
}

const char *target_canonical(const char *name) {
    static const char *const alias[][2] = {
        {"a2a3", "a2a3"}, {"a2", "a2a3"}, {"a3", "a2a3"}, {"ascend910b", "a2a3"}, {"ascend910c", "a2a3"},
        {"950", "950"}, {"a5", "950"}, {"950pr", "950"}, {"950dt", "950"}, {"ascend950", "950"},
        {"ascend950pr", "950"}, {"ascend950dt", "950"},
    };
    for (size_t i = 0; i < sizeof alias / sizeof alias[0]; i++)
        if (strcasecmp(name, alias[i][0]) == 0) return alias[i][1];
    return NULL;
}

/* Messages and locations point to the file's name until the program ends, also when loading failed:
 * names that are put together here are kept for good. */
static const char *keep_file_name(const char *s) {
    static Names *kept;
    if (!kept) kept = names_new();
    return names_text(kept, names_intern(kept, s, strlen(s)));
}

static bool is_path(const char *name) {
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".yaml") == 0) || (n > 4 && strcmp(name + n - 4, ".yml") == 0);
}

/* The file of a built-in target: from the environment, the source tree, or where it is installed. */
static const char *find_builtin(const char *name, Diag *d) {
    const char *const dir[] = {getenv("NPUSIM_CONFIG_DIR"), NPUSIM_CONFIG_DIR, NPUSIM_CONFIG_INSTALL_DIR};
    const char *found = NULL;
    StrBuf path = {0};
    for (int i = 0; i < 3 && !found; i++) {
        if (!dir[i] || !*dir[i]) continue;
        path.n = 0;
        sb_printf(&path, "%s/%s.yaml", dir[i], name);
        if (access(path.s, R_OK) == 0) found = keep_file_name(path.s);
    }
    if (!found) diag(d, DIAG_IO, (Loc){0}, "the file of the target '%s' is missing: %s\nset NPUSIM_CONFIG_DIR to the folder that holds it", name, path.s);
    sb_free(&path);
    return found;
}

static const char *find_file(const char *name, Diag *d) {
    if (is_path(name)) return keep_file_name(name);
    const char *builtin = target_canonical(name);
    if (builtin) return find_builtin(builtin, d);
    diag(d, DIAG_USAGE, (Loc){0}, "unknown target '%s'\nthe targets are a2a3 (also a2, a3) and 950 (also a5); a path to a .yaml file names any other", show(name).s);
    return NULL;
}

/* ---- entry points ---- */

static Target *target_new(const char *file) {
    Target *t = xcalloc(1, sizeof *t);
    Listing *list = xcalloc(1, sizeof *list);
    list->arena = arena_new();
    t->priv = list;
    t->path = arena_strdup(list->arena, file, strlen(file));
    for (int p = 0; p < UOP_COUNT; p++)
        for (int c = 0; c < UOP_COUNT; c++) t->forward[p][c].v = -1;
    return t;
}

static Load *load_file(const char *name, Diag *d) {
    const char *file = find_file(name, d);
    YamlDoc *y = file ? yaml_read_file(file, d) : NULL;
    if (!y) return NULL;
    Load *l = xcalloc(1, sizeof *l);
    l->t = target_new(file);
    l->list = l->t->priv;
    l->d = d;
    l->file = file;
    l->y = y;
    l->names = names_new();
    collect(l);
    take_file(l);
    return l;
}

/* Frees l. NULL after errors. */
static Target *load_end(Load *l) {
    if (l->failed < MAX_ERRORS) check_complete(l);
    fill_defaults(l);
    if (!l->failed) check_relations(l);
    Target *t = l->t;
    if (l->failed) {
        target_free(t);
        t = NULL;
    }
    free(l->leaf);
    names_free(l->names);
    yaml_doc_free(l->y);
    free(l);
    return t;
}

bool targets_load(const char *const *names, int n, const char *const *sets, int nsets, Target **out, Diag *d) {
    Load **l = xcalloc((size_t)n, sizeof *l);
    bool ok = true;
    for (int k = 0; k < n; k++) ok &= (l[k] = load_file(names[k], d)) != NULL;
    if (ok) take_sets(l, n, sets, nsets);
    for (int k = 0; k < n; k++) ok &= (out[k] = l[k] ? load_end(l[k]) : NULL) != NULL;
    for (int k = 0; k < n && !ok; k++) {
        target_free(out[k]);
        out[k] = NULL;
    }
    free(l);
    return ok;
}

Target *target_load(const char *name, const char *const *sets, int nsets, Diag *d) {
    Target *t;
    targets_load(&name, 1, sets, nsets, &t, d);
    return t;
}

void target_free(Target *t) {
    if (!t) return;
    Listing *list = t->priv;
    arena_free(list->arena);
    free(list->key);
    free(list);
    free(t);
}

size_t target_key_count(const Target *t) { return ((const Listing *)t->priv)->n; }
const TargetKey *target_key_at(const Target *t, size_t i) { return &((const Listing *)t->priv)->key[i]; }
