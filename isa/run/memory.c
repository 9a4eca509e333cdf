/* Global memory: the arrays behind the arguments of the entry function, shared by all blocks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/read/npy.h"
#include "isa/run/interp_internal.h"

/* Random values are made one by one: more of them would take longer than anyone means to wait. */
#define RANDOM_MOST (256ull << 20)

Memory *memory_new(bool watch) {
    Memory *m = xcalloc(1, sizeof *m);
    if (watch) m->races = races_new();
    return m;
}

void memory_free(Memory *m) {
    if (!m) return;
    for (uint32_t i = 0; i < m->n; i++) free(m->gm[i].data);
    free(m->buffer);
    free(m->gm);
    races_free(m->races);
    free(m);
}

uint32_t next_buffer(Interp *in, const char *name, DType t, bool *fresh) {
    Memory *m = in->mem;
    uint32_t id = in->nbuffer++;
    *fresh = id == m->n;
    if (*fresh) {
        m->buffer = xrealloc(m->buffer, (id + 1) * sizeof *m->buffer);
        m->gm = xrealloc(m->gm, (id + 1) * sizeof *m->gm);
        m->buffer[id] = (Buffer){.name = name, .dtype = t, .seed = in->o->seed + id};
        m->gm[id] = (GmBuffer){NULL, 0};
        m->n++;
    }
    in->buffer = m->buffer;
    in->gm = m->gm;
    in->machine->gm = m->gm;
    in->machine->ngm = in->nbuffer;
    return id;
}

bool buffer_reach(Interp *in, uint32_t b, uint64_t bytes, Loc loc) {
    Buffer *x = &in->buffer[b];
    if (bytes > x->reach) x->reach = bytes;
    if (bytes <= in->gm[b].size) return true;
    if (!x->open) {
        diag(in->diag, DIAG_ARG, loc, "the view reaches byte %" PRIu64 " of argument %s, which is bound to %" PRIu64 " bytes", bytes, x->name, in->gm[b].size);
        return false;
    }
    bool binding_helps = in->o->results && bytes <= FILE_MOST;
    uint64_t most = binding_helps ? RANDOM_MOST : FILE_MOST;
    if (bytes > most) {
        diag(in->diag, DIAG_ARG, loc, "expected accesses to the first %" PRIu64 " bytes of argument %s, found one that reaches %" PRIu64 "%s", most, x->name, bytes,
             binding_helps ? "\nrandom values end there: bind it with --arg, or compute no values with --results off" : "");
        return false;
    }
    uint64_t old = in->gm[b].size;
    in->gm[b].data = xrealloc(in->gm[b].data, bytes);
    in->gm[b].size = bytes;
    memset(in->gm[b].data + old, 0, bytes - old);
    if (in->o->results) fill_random(in, b, old);
    return true;
}
