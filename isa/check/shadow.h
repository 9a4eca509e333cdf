/* Between the files of the full checks. */
#ifndef NPU_ISA_SHADOW_H
#define NPU_ISA_SHADOW_H

#include "isa/check/check.h"
#include "isa/check/clocks.h"
#include "isa/check/crossing.h"

/* What a byte of UB holds. */
enum { UNWRITTEN = 0, WRITTEN = 1, UNDEFINED = 2 };

/* A stamp names one micro-op: pipe and number on the pipe. 0: none. */
typedef uint32_t Stamp;
enum { STAMP_PIPE_BITS = 2 };
static inline Stamp stamp_of(Pipe p, uint64_t seq) { return (Stamp)(seq << STAMP_PIPE_BITS | (uint64_t)p); }
static inline Pipe stamp_pipe(Stamp s) { return (Pipe)(s & ((1u << STAMP_PIPE_BITS) - 1)); }
static inline uint64_t stamp_seq(Stamp s) { return s >> STAMP_PIPE_BITS; }

/* Which instruction a stamp belongs to, for as long as it is remembered. */
enum { HISTORY = 4096 };
typedef struct Origin {
    uint64_t first_seq;  /* of its micro-ops on the pipe */
    Loc loc;
    const char *op;
} Origin;

typedef enum HazardKind { RAW, WAW, WAR } HazardKind;

/* Hazards of one instruction, joined by what they depend on. */
enum { MAX_HAZARDS = 8 };
typedef struct Hazard {
    HazardKind kind;
    Pipe before, now;
    uint32_t line;
    const char *op;
    uint64_t lo, hi;
} Hazard;

struct Check {
    const Target *target;
    Diag *diag;
    CheckOptions o;
    uint32_t size;
    uint8_t *state;                  /* UNWRITTEN, WRITTEN, UNDEFINED */
    Stamp *writer;                   /* last write */
    Stamp *reader[PIPE_COUNT];       /* last read by pipe; as_written only */
    uint8_t *old;                    /* bytes before the last instruction that wrote them; stale only */
    RepeatMap repeats;
    uint64_t cmp_valid[2];           /* compare mask bits that the last compare wrote */
    Clocks clocks;                   /* of micro-ops */
    uint64_t wrote[PIPE_COUNT], read[PIPE_COUNT]; /* last micro-op that wrote, read UB */
    Origin origin[PIPE_COUNT][HISTORY];
    uint32_t norigin[PIPE_COUNT];

    /* The instruction at hand. */
    const Instr *i;
    Loc loc;
    const char *op;
    bool listing;
    uint64_t first[PIPE_COUNT];      /* its first micro-op on each pipe */
    Hazard hazard[MAX_HAZARDS];
    int nhazard;
    uint32_t said;                   /* rules that it has broken already, one message each */
    uint64_t spills, paddings;       /* TMP_SPILL, PAD_WRITE raised before its checks */
    bool spilled;                    /* the checks have said that tmp is left */

    /* The micro-op at hand. */
    const Uop *uop;
    const char *uop_name;
    Pipe pipe;
    Stamp stamp;
    uint64_t done[PIPE_COUNT];       /* work of each pipe that it comes after */
    bool ordered;                    /* it comes after all writes and reads */
    const uint8_t *ub;               /* contents while it is executed; stale only */
    uint32_t *patch, npatch, patch_cap; /* bytes that it sees stale */
};

enum { SAID_UNINIT = 1, SAID_UNDEFINED = 2, SAID_OUTSIDE = 4, SAID_PADDING = 8, SAID_REPEATS = 16, SAID_CMPMASK = 32, SAID_FEEDS = 64 };
/* True the first time. */
static inline bool say_once(Check *c, uint32_t what) {
    bool first = !(c->said & what);
    c->said |= what;
    return first;
}

/* shadow_order.c: stamps, hazards. */
void shadow_enter(Check *c, const Uop *u, Pipe pipe);      /* the micro-op becomes the one at hand */
void shadow_read_order(Check *c, uint64_t lo, uint64_t hi);
void shadow_write_order(Check *c, uint64_t lo, uint64_t hi);
void shadow_report_hazards(Check *c);
void shadow_open(Check *c, Loc loc, const char *op);       /* an instruction begins */

/* A tile of a bare listing that nothing ever wrote is one of its inputs; then it counts as written. */
bool shadow_given(Check *c, uint64_t byte);
/* A byte without contents is used. */
void shadow_bad_read(Check *c, uint64_t byte);
static inline uint64_t shadow_cut(const Check *c, uint64_t hi) { return hi < c->size ? hi : c->size; }

/* shadow_carry.c: micro-ops that move bytes and take their marks along. false: it is none of them. */
bool shadow_carry(Check *c, const Uop *u, const Shape *s);
void shadow_gather_tail(Check *c, const Uop *u, const Shape *s);
void shadow_write(Check *c, uint64_t lo, uint64_t hi);       /* order and place of a write; contents are the caller's */
/* Some elements of the operand at addr are accessed: the data decide which. */
void shadow_read_somewhere(Check *c, uint64_t addr);
void shadow_write_somewhere(Check *c, uint64_t addr);

/* shadow_region.c: tiles and valid regions. */
const Tile *shadow_tile_at(const Check *c, uint64_t byte); /* operand whose storage holds the byte; NULL: none */
void shadow_write_region(Check *c, uint64_t lo, uint64_t hi);
void shadow_read_region(Check *c, uint64_t lo, uint64_t hi);
void shadow_read_valid(Check *c, uint64_t lo, uint64_t hi); /* order of the part that is valid in some source */
void shadow_valid_runs(const Tile *t, RunFn f, void *ctx);  /* runs of the valid region */
void shadow_complete(Check *c);                            /* every valid element of the results was written */

#endif
