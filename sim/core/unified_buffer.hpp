#pragma once

#include "sim/core/work.hpp"

namespace npusim {

class UnifiedBuffer : public sc_core::sc_module, public ub_if {
public:
    explicit UnifiedBuffer(sc_core::sc_module_name name) : sc_module(name), banks_{} {}
    A2a3Banks &banks() override { return banks_; }
    void reset() { banks_ = A2a3Banks{}; }

private:
    A2a3Banks banks_;
};

}  // namespace npusim
