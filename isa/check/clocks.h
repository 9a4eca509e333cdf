/* Vector clocks of the pipes: which work of one pipe is known to be done when another goes on.
 *
 * Work is numbered per pipe from 1. A flag carries what its source pipe knows; a barrier drains.
 */
#ifndef NPU_ISA_CLOCKS_H
#define NPU_ISA_CLOCKS_H

#include "isa/table/target.h"
#include "isa/table/uop.h"

enum { EVENTS = 8, BUFFERS = 32 };

/* Per pipe: the number of the last piece of work that is known to be done. */
typedef struct Clock {
    uint64_t seq[PIPE_COUNT];
} Clock;

typedef struct Clocks {
    Family family;
    Clock known[PIPE_COUNT];      /* by waiting pipe */
    uint64_t last[PIPE_COUNT];    /* last piece of work entered */
    uint64_t drained[PIPE_COUNT]; /* last one before the pipe's last barrier */
    Clock flag[PIPE_COUNT][PIPE_COUNT][EVENTS];
    Clock buffer[BUFFERS][PIPE_COUNT]; /* by releasing pipe */
} Clocks;

void clock_merge(Clock *into, const Clock *c);
/* The last work of pipe `by` that is done before new work of `pipe` starts. */
uint64_t clocks_done(const Clocks *c, Pipe pipe, Pipe by);
void clocks_barrier(Clocks *c, Pipe pipe); /* PIPE_ALL: everything before is done for everyone */
void clocks_set_flag(Clocks *c, Pipe from, Pipe to, unsigned event);
void clocks_wait_flag(Clocks *c, Pipe from, Pipe to, unsigned event);
/* get_buf waits for all that other pipes did before their last rls_buf. */
void clocks_take_buffer(Clocks *c, Pipe pipe, unsigned buffer);
void clocks_release_buffer(Clocks *c, Pipe pipe, unsigned buffer);

#endif
