/* What --sync auto inserts and why: one entry per pair of places, however often they are executed. */
#ifndef NPU_ISA_SYNC_LOG_H
#define NPU_ISA_SYNC_LOG_H

#include "isa/base/diag.h"
#include "isa/run/order.h"

typedef enum SyncKind {
    SYNC_FLAG,    /* set_flag behind `after`, wait_flag in front of `before` */
    SYNC_BARRIER, /* pipe_barrier(PIPE_V) in front of `before` */
    SYNC_FULL,    /* pipe_barrier(PIPE_ALL) in its place: all event ids of the two pipes are taken */
    SYNC_PRUNED,  /* barrier that the compiler leaves out: long producer, the same whole buffer */
    SYNC_TAIL     /* pipe_barrier(PIPE_ALL) in front of the return */
} SyncKind;

typedef struct SyncEntry {
    SyncKind kind;
    Pipe from, to;
    unsigned events;         /* SYNC_FLAG: one bit per event id used */
    Loc after, before;       /* producer and consumer */
    const char *after_op, *before_op;
    AccessRange was, now;    /* the first pair of accesses that asked for it */
    uint64_t times;
} SyncEntry;

typedef struct SyncLog SyncLog;
SyncLog *sync_log_new(void);
void sync_log_free(SyncLog *l);
void sync_log_add(SyncLog *l, SyncEntry e); /* e.times is ignored; NULL as log: does nothing */
uint64_t sync_log_dropped(const SyncLog *l); /* pairs of places beyond what is kept */
int sync_log_count(const SyncLog *l);
const SyncEntry *sync_log_at(const SyncLog *l, int i);
/* RAW, WAR or WAW. */
const char *hazard_name(const AccessRange *was, const AccessRange *now);

#endif
