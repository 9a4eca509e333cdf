#include "isa/table/program.h"

#include <string.h>

const Named *stmt_named(const Stmt *s, const char *key) {
    for (int i = 0; i < s->nnamed; i++)
        if (strcmp(s->named[i].key, key) == 0) return &s->named[i];
    return NULL;
}
