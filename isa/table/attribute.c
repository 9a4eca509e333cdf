#include "isa/table/attribute.h"

#include <string.h>

#include "isa/base/text.h"

/* What statements take, by the places that ask for it. */
static const char *const taken[] = {
    "rmode", "satmode", "sat_mode", "cmpMode", "maskPattern", "axis", "offset", "padValue", "descending", "upperOrLower",
    "exhausted", "coalesce", "gatherOob", "scatterOob", "atomicType",                                      /* instructions */
    "pad_mode", "pad_value", "left_padding_num", "right_padding_num", "init_out_buffer", "init_condition", /* tload */
    "layout",                                                                                              /* make_tensor_view */
};

/* What compilers print beside them. */
static const char *const silent[] = {
    "operandSegmentSizes", "resultSegmentSizes", "operand_segment_sizes", "result_segment_sizes", /* how operands are grouped: the text shows it */
    "candidates",                                                                                 /* implementations that a pass weighs */
    "isBinary",                                                                                   /* tcolsum: its tmp says the same */
};

static bool among(const char *const *list, size_t n, const char *key) {
    for (size_t i = 0; i < n; i++)
        if (*list[i] == *key && strcmp(list[i], key) == 0) return true;
    return false;
}

/* A key with a dialect in front (pto.entry) is a remark of that dialect's passes, never an operand. */
bool attribute_known(const char *key) {
    return among(taken, sizeof taken / sizeof *taken, key) || among(silent, sizeof silent / sizeof *silent, key) || strchr(key, '.');
}

const char *attribute_near(const char *key) {
    Nearest n = nearest_to(key);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) nearest_try(&n, taken[i]);
    return n.best;
}
