// What the scalar unit hands to a pipe, and the interfaces that the modules are bound by.
#pragma once

#include <systemc>

#include "sim/core/recorder.hpp"

extern "C" {
#include "isa/exec/geom.h"
#include "isa/time/a2a3.h"
}

namespace npusim {

// Model time is a cycle count; the kernel sees one cycle as one nanosecond.
inline sc_core::sc_time cycle_time(uint64_t cycles) {
    static const uint64_t unit = sc_core::sc_time(1, sc_core::SC_NS).value();
    return sc_core::sc_time::from_value(cycles * unit);
}

struct Item {
    Uop u;
    Shape shape;
    uint64_t arrival = 0;  // cycle in which the scalar unit issued it
    uint64_t bytes = 0;    // transfers
    uint64_t groups = 0;   // transfers: bank groups, if pipes contend for them
    uint64_t flight = 0;   // which statement, and which of its micro-ops
    uint32_t index = 0;
};

// A time, and the instruction that it comes from.
struct FlagTime {
    uint64_t at = 0, statement = kNoStatement;
};

// A pipe as the scalar unit sees it: an in-order queue.
class queue_if : public virtual sc_core::sc_interface {
public:
    virtual Item &push() = 0;                   // a new item at the end, to be filled in
    virtual bool idle() const = 0;              // everything handed over has been timed
    virtual uint64_t pushed() const = 0;
    virtual bool started(uint64_t n, FlagTime *f) const = 0;   // start of the n-th item, from 0, and its instruction
    virtual uint64_t last() const = 0;          // statement of the youngest instruction timed
    virtual uint64_t drained() const = 0;       // all results of what has been timed are visible
    virtual void wake_up() = 0;
};

// The vector pipe tells the scalar unit more: masks are the scalar unit's, their users are not.
class vector_if : public virtual queue_if {
public:
    virtual uint64_t slot_free() const = 0;
    virtual uint64_t mask_busy() const = 0;
};

// Event flags: time-stamped, one queue of set times per (source, destination, event).
class flags_if : public virtual sc_core::sc_interface {
public:
    virtual void set(Pipe from, Pipe to, unsigned event, FlagTime f) = 0;
    virtual bool take(Pipe from, Pipe to, unsigned event, FlagTime *f) = 0;
};

// A pipe on bank groups of UB (a bit each) in cycles [from, until), with so many accesses in all.
struct UbUse {
    Pipe pipe;
    uint64_t from, until, groups, accesses;
};

// The unified buffer as the pipes see it; the bytes belong to the functional machine.
class ub_if : public virtual sc_core::sc_interface {
public:
    virtual bool arbitrates() const = 0;
    // Enters a use and returns the cycles that it loses to pipes that came first.
    virtual uint64_t claim(UbUse use) = 0;
};

// Modules that may be waiting for progress elsewhere.
class progress_if : public virtual sc_core::sc_interface {
public:
    virtual void progressed(Pipe who) = 0;
};

}  // namespace npusim
