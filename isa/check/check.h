/* Full checks: a shadow of UB that knows, byte by byte, what was written, by whom and in what order.
 *
 * The micro-ops of each instruction are walked before they are executed, with the geometry that
 * executes them. Nothing here knows an instruction: tiles and valid regions come from its operands,
 * bytes from its micro-ops.
 */
#ifndef NPU_ISA_CHECK_H
#define NPU_ISA_CHECK_H

#include "isa/exec/machine.h"
#include "isa/table/instr.h"

typedef struct CheckOptions {
    bool as_written;   /* order is the trace's: look for hazards */
    bool stale;        /* unordered readers see old bytes */
    bool inputs_given; /* bytes of a bare listing that nothing wrote count as given, without a note */
} CheckOptions;

typedef struct Check Check;
Check *check_new(const Target *t, Diag *d, CheckOptions o);
void check_free(Check *c);

/* A tile's valid region was filled from outside. */
void check_filled(Check *c, const Tile *t);
/* A flag or barrier of the trace. */
void check_sync(Check *c, const Uop *u);
/* get_buf (take) or rls_buf of the trace. */
void check_buffer(Check *c, bool take, Pipe pipe, unsigned buffer);
/* An instruction that is about to be executed on m. listing: a statement of a bare list, where tiles
 * without data are inputs. */
void check_instr(Check *c, const Instr *i, const UopBuf *b, const Machine *m, bool listing);
/* Executes it as unordered readers see memory (option stale), instead of machine_exec. */
void check_execute_stale(Check *c, const Instr *i, const UopBuf *b, Machine *m, bool listing);

#endif
