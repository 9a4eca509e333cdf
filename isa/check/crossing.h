/* Source and destination of one micro-op that share bytes: does a repeat read what an earlier repeat
 * wrote?
 */
#ifndef NPU_ISA_CROSSING_H
#define NPU_ISA_CROSSING_H

#include "isa/check/footprint.h"

/* Work space: per byte of UB the repeat that wrote it. */
typedef struct RepeatMap {
    uint32_t *at; /* stamp + repeat */
    uint32_t size, stamp;
} RepeatMap;
void repeat_map_init(RepeatMap *m, uint32_t size);
void repeat_map_free(RepeatMap *m);

typedef enum Crossing {
    CROSS_NONE,   /* no byte in common, or the same walk */
    CROSS_BEHIND, /* bytes are written by the repeat that read them last, or later */
    CROSS_AHEAD   /* a repeat reads what an earlier one wrote */
} Crossing;
/* byte: the first one in question. */
Crossing crossing(RepeatMap *m, const Uop *u, const Shape *s, Role source, uint64_t *byte);

#endif
