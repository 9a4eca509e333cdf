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

/* A signed bit holds 0 and -1. */
static int64_t signed_value(DType t, uint64_t bits) { return t == DT_I1 ? -(int64_t)(bits & 1) : dtype_to_int(t, bits); }

static uint64_t apply_int(IntOp op, DType t, uint64_t ua, uint64_t ub) {
    int64_t a = signed_value(t, ua), b = signed_value(t, ub);
    bool overflow = a == INT64_MIN && b == -1;
    unsigned bits = t == DT_I1 ? 1 : 8 * dtype_size(t);
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
    if (a == b) return max == !signbit(a) ? a : b; /* -0 is less than +0 */
    return max ? fmax(a, b) : fmin(a, b);
}

static bool compare_int(const char *p, DType t, uint64_t ua, uint64_t ub) {
    int64_t a = signed_value(t, ua), b = signed_value(t, ub);
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

static DType unsigned_of(DType t) { return t >= DT_I8 && t <= DT_I64 ? (DType)(t - DT_I8 + DT_U8) : t; }

static uint64_t cast(const char *op, DType to, DType from, uint64_t bits) {
    bool zero_extend = strcmp(op, "extui") == 0 || strcmp(op, "index_castui") == 0 || strcmp(op, "uitofp") == 0;
    if (strcmp(op, "bitcast") == 0) return in_width(to, bits);
    if (!dtype_is_float(from)) {
        uint64_t u = in_width(from, bits);
        int64_t v = zero_extend ? (int64_t)u : signed_value(from, bits);
        if (!dtype_is_float(to)) return in_width(to, (uint64_t)v);
        return dtype_from_double(to, zero_extend ? (double)u : (double)v, ROUND_RINT);
    }
    double v = dtype_to_double(from, bits);
    if (strcmp(op, "fptoui") == 0) return dtype_from_double(unsigned_of(to), v, ROUND_TRUNC);
    return dtype_from_double(to, v, dtype_is_float(to) ? ROUND_RINT : ROUND_TRUNC);
}

static bool select_value(Interp *in, const Stmt *s) {
    Value *c = interp_lookup(in, &s->ins[0]);
    if (!c) return false;
    if (c->kind != VAL_SCALAR || dtype_is_float(c->dtype)) {
        diag(in->diag, DIAG_NAME, s->ins[0].loc, "%s: expected a condition (i1)", operand_text(in, &s->ins[0]));
        return false;
    }
    Value *v = interp_lookup(in, &s->ins[c->bits & 1 ? 1 : 2]);
    if (v) interp_set(in, s->results[0].name, *v);
    return v != NULL;
}

/* The operands, which must have the type that the text gives; signs are the operation's matter. */
static bool take_operands(Interp *in, const Stmt *s, DType *t, uint64_t *bits) {
    for (int i = 0; i < s->nins; i++) {
        Value *v = interp_lookup(in, &s->ins[i]);
        if (!v) return false;
        if (v->kind != VAL_SCALAR) {
            diag(in->diag, DIAG_NAME, s->ins[i].loc, "%s: expected a scalar value", operand_text(in, &s->ins[i]));
            return false;
        }
        if (i == 0) *t = s->ntype ? s->type[0]->dtype : v->dtype;
        if (dtype_size(v->dtype) != dtype_size(*t) || dtype_is_float(v->dtype) != dtype_is_float(*t) || (v->dtype == DT_I1) != (*t == DT_I1)) {
            diag(in->diag, DIAG_NAME, s->ins[i].loc, "arith.%s: expected a value of type %s, %s is %s", s->op, dtype_name(*t), operand_text(in, &s->ins[i]),
                 dtype_name(v->dtype));
            return false;
        }
        bits[i] = v->bits;
    }
    return true;
}

static bool takes_floats(const char *op) {
    size_t n = strlen(op);
    return op[n - 1] == 'f' || strncmp(op, "fpto", 4) == 0; /* addf, cmpf, truncf, fptosi */
}

bool exec_arith(Interp *in, const Stmt *s) {
    const char *op = s->op;
    if (strcmp(op, "select") == 0) return select_value(in, s);
    uint64_t b[2] = {0};
    DType t = DT_NONE;
    if (!take_operands(in, s, &t, b)) return false;
    bool floats = takes_floats(op);
    if (strcmp(op, "bitcast") != 0 && dtype_is_float(t) != floats) {
        diag(in->diag, DIAG_NAME, s->loc, "arith.%s: expected %s, found %s", op, floats ? "a float type" : "an integer type", dtype_name(t));
        return false;
    }
    Value r = {.kind = VAL_SCALAR, .dtype = t};
    IntOp iop = int_op(op);
    const Named *pred = stmt_named(s, "predicate");
    if (iop != NOT_INT) {
        if (divides(iop) && in_width(t, b[1]) == 0) {
            diag(in->diag, DIAG_OPERANDS, s->loc, "arith.%s: division by zero", op);
            return false;
        }
        r.bits = in_width(t, apply_int(iop, t, b[0], b[1]));
    } else if (pred) {
        r.dtype = DT_I1;
        r.bits = strcmp(op, "cmpi") == 0 ? compare_int(pred->v[0].word, t, b[0], b[1])
                                         : compare_float(pred->v[0].word, dtype_to_double(t, b[0]), dtype_to_double(t, b[1]));
    } else if (s->notype) { /* casts */
        r.dtype = s->otype[0]->dtype;
        r.bits = cast(op, r.dtype, t, b[0]);
    } else if (strcmp(op, "negf") == 0) {
        r.bits = b[0] ^ (1ull << (8 * dtype_size(t) - 1));
    } else {
        r.bits = dtype_from_double(t, apply_float(op, dtype_to_double(t, b[0]), dtype_to_double(t, b[1])), ROUND_RINT);
    }
    interp_set(in, s->results[0].name, r);
    return true;
}
