/* Scalar arithmetic of the arith dialect. Integers wrap in their width, floats round once. */
#include <math.h>
#include <string.h>

#include "isa/run/interp_internal.h"

static uint64_t in_width(DType t, uint64_t v) {
    unsigned size = dtype_size(t);
    if (t == DT_I1) return v & 1;
    return size == 8 ? v : v & ((1ull << (8 * size)) - 1);
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static int64_t ceil_div_signed(int64_t a, int64_t b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }

typedef enum IntOp {
    ADD, SUB, MUL, DIVS, DIVU, CEILS, CEILU, FLOORS, REMS, REMU, AND, OR, XOR, SHL, SHRS, SHRU, MAXS, MAXU, MINS, MINU, NOT_INT
} IntOp;

static IntOp int_op(const char *s) {
    static const char *const names[] = {"addi", "subi", "muli", "divsi", "divui", "ceildivsi", "ceildivui", "floordivsi", "remsi", "remui",
                                        "andi", "ori", "xori", "shli", "shrsi", "shrui", "maxsi", "maxui", "minsi", "minui"};
    for (int i = 0; i < NOT_INT; i++)
        if (strcmp(s, names[i]) == 0) return (IntOp)i;
    return NOT_INT;
}

static bool divides(IntOp op) { return op >= DIVS && op <= FLOORS ? true : op == REMS || op == REMU; }

static uint64_t apply_int(IntOp op, DType t, uint64_t ua, uint64_t ub) {
    int64_t a = dtype_to_int(t, ua), b = dtype_to_int(t, ub);
    bool overflow = a == INT64_MIN && b == -1;
    unsigned bits = 8 * dtype_size(t);
    ua = in_width(t, ua);
    ub = in_width(t, ub);
    switch (op) {
    case ADD: return ua + ub;
    case SUB: return ua - ub;
    case MUL: return ua * ub;
    case DIVS: return overflow ? ua : (uint64_t)(a / b);
    case DIVU: return ua / ub;
    case CEILS: return overflow ? ua : (uint64_t)ceil_div_signed(a, b);
    case CEILU: return ua / ub + (ua % ub != 0);
    case FLOORS: return overflow ? ua : (uint64_t)floor_div(a, b);
    case REMS: return overflow ? 0 : (uint64_t)(a % b);
    case REMU: return ua % ub;
    case AND: return ua & ub;
    case OR: return ua | ub;
    case XOR: return ua ^ ub;
    case SHL: return ub < bits ? ua << ub : 0;
    case SHRS: return (uint64_t)(a >> (ub < bits ? ub : bits - 1));
    case SHRU: return ub < bits ? ua >> ub : 0;
    case MAXS: return a > b ? ua : ub;
    case MAXU: return ua > ub ? ua : ub;
    case MINS: return a < b ? ua : ub;
    default: return ua < ub ? ua : ub;
    }
}

static double apply_float(const char *op, double a, double b) {
    if (strcmp(op, "addf") == 0) return a + b;
    if (strcmp(op, "subf") == 0) return a - b;
    if (strcmp(op, "mulf") == 0) return a * b;
    if (strcmp(op, "divf") == 0) return a / b;
    if (strcmp(op, "remf") == 0) return fmod(a, b);
    bool max = strncmp(op, "max", 3) == 0;
    if (strcmp(op, "maxnumf") == 0 || strcmp(op, "minnumf") == 0) return max ? fmax(a, b) : fmin(a, b);
    if (isnan(a) || isnan(b)) return NAN;
    return max ? fmax(a, b) : fmin(a, b);
}

static bool compare_int(const char *p, DType t, uint64_t ua, uint64_t ub) {
    int64_t a = dtype_to_int(t, ua), b = dtype_to_int(t, ub);
    ua = in_width(t, ua);
    ub = in_width(t, ub);
    if (strcmp(p, "eq") == 0) return ua == ub;
    if (strcmp(p, "ne") == 0) return ua != ub;
    int c = p[0] == 's' ? (a > b) - (a < b) : (ua > ub) - (ua < ub);
    if (strcmp(p + 1, "lt") == 0) return c < 0;
    if (strcmp(p + 1, "le") == 0) return c <= 0;
    return strcmp(p + 1, "gt") == 0 ? c > 0 : c >= 0;
}

static bool compare_float(const char *p, double a, double b) {
    bool unordered = isnan(a) || isnan(b);
    if (strcmp(p, "ord") == 0) return !unordered;
    if (strcmp(p, "uno") == 0) return unordered;
    if (strcmp(p, "true") == 0) return true;
    if (strcmp(p, "false") == 0) return false;
    if (unordered) return p[0] == 'u';
    p++;
    if (strcmp(p, "eq") == 0) return a == b;
    if (strcmp(p, "ne") == 0) return a != b;
    if (strcmp(p, "lt") == 0) return a < b;
    if (strcmp(p, "le") == 0) return a <= b;
    return strcmp(p, "gt") == 0 ? a > b : a >= b;
}

static uint64_t cast(const char *op, DType to, DType from, uint64_t bits) {
    bool zero_extend = strcmp(op, "extui") == 0 || strcmp(op, "index_castui") == 0 || strcmp(op, "uitofp") == 0;
    if (strcmp(op, "bitcast") == 0) return in_width(to, bits);
    if (!dtype_is_float(from)) {
        int64_t v = zero_extend || from == DT_I1 ? (int64_t)in_width(from, bits) : dtype_to_int(from, bits);
        if (strcmp(op, "extsi") == 0 && from == DT_I1) v = -v;
        return dtype_is_float(to) ? dtype_from_double(to, (double)v, ROUND_RINT) : in_width(to, (uint64_t)v);
    }
    double v = dtype_to_double(from, bits);
    return dtype_from_double(to, v, dtype_is_float(to) ? ROUND_RINT : ROUND_TRUNC);
}

static bool scalar_operand(Interp *in, const Operand *o, Value *out) {
    Value *v = interp_lookup(in, o);
    if (!v) return false;
    *out = *v;
    return true;
}

bool exec_arith(Interp *in, const Stmt *s) {
    Value v[3] = {{0}}, r = {.kind = VAL_SCALAR};
    for (int i = 0; i < s->nins; i++)
        if (!scalar_operand(in, &s->ins[i], &v[i])) return false;
    const char *op = s->op;
    DType t = v[0].dtype;
    if (strcmp(op, "select") == 0) {
        r = v[0].bits & 1 ? v[1] : v[2];
        interp_set(in, s->results[0].name, r);
        return true;
    }
    for (int i = 0; i < s->nins; i++)
        if (v[i].kind != VAL_SCALAR) {
            diag(in->diag, DIAG_NAME, s->ins[i].loc, "%s: expected a scalar value", operand_text(in, &s->ins[i]));
            return false;
        }
    IntOp iop = int_op(op);
    const Named *pred = stmt_named(s, "predicate");
    r.dtype = t;
    if (iop != NOT_INT) {
        if (divides(iop) && in_width(t, v[1].bits) == 0) {
            diag(in->diag, DIAG_OPERANDS, s->loc, "arith.%s: division by zero", op);
            return false;
        }
        r.bits = in_width(t, apply_int(iop, t, v[0].bits, v[1].bits));
    } else if (pred) {
        r.dtype = DT_I1;
        r.bits = strcmp(op, "cmpi") == 0 ? compare_int(pred->v[0].word, t, v[0].bits, v[1].bits)
                                         : compare_float(pred->v[0].word, dtype_to_double(t, v[0].bits), dtype_to_double(t, v[1].bits));
    } else if (s->notype) { /* casts */
        r.dtype = s->otype[0]->dtype;
        r.bits = cast(op, r.dtype, t, v[0].bits);
    } else if (strcmp(op, "negf") == 0) {
        r.bits = v[0].bits ^ (1ull << (8 * dtype_size(t) - 1));
    } else {
        r.bits = dtype_from_double(t, apply_float(op, dtype_to_double(t, v[0].bits), dtype_to_double(t, v[1].bits)), ROUND_RINT);
    }
    interp_set(in, s->results[0].name, r);
    return true;
}
