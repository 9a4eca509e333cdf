/* Micro-op streams of a2a3_evidence.c: what the shipped library issues (a2a3 lowering digest, sections 5, 6
 * and 9). Source operands at 0x0 and 0x10000, destination at 0x20000, tmp (shaped like the source) at
 * 0x28000; scalar 3, rounding floor. Operands read NAME=ADDRESS/BLOCK STRIDE/REPEAT STRIDE. */
static const StreamCase stream_cases[] = {
    {"binary, narrower than a repeat: rows as repeats", I_TADD, DT_F32, DT_F32, {8, 48}, {8, 48}, {8, 40}, 0,
     "set_vector_mask lo=0xffffffffff hi=0x0\n"
     "vadd f32 rep=8 dst=0x20000/1/6 src0=0x0/1/6 src1=0x10000/1/6\n"
     "full\n"},
    {"binary, one run of whole repeats", I_TMAX, DT_F16, DT_F16, {16, 256}, {16, 256}, {16, 256}, 0,
     "vmax f16 rep=32 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"},
    {"binary, one ragged row: one count", I_TMUL, DT_F32, DT_F32, {1, 72}, {1, 72}, {1, 65}, DYN_COLS,
     "set_mask_count\n"
     "set_vector_mask lo=0x41 hi=0x0\n"
     "vmul f32 rep=0 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"binary, one row of less than a repeat: empty head", I_TMUL, DT_F32, DT_F32, {1, 64}, {1, 64}, {1, 40}, DYN_COLS,
     "vmul f32 rep=0 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "set_vector_mask lo=0xffffffffff hi=0x0\n"
     "vmul f32 rep=1 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "full\n"},
    {"binary, ragged rows: one count", I_TSUB, DT_I16, DT_I16, {4, 144}, {4, 144}, {4, 144}, 0,
     "set_mask_count\n"
     "set_vector_mask lo=0x240 hi=0x0\n"
     "vsub i16 rep=0 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"binary, more than 255 repeats: one count", I_TMIN, DT_I32, DT_I32, {256, 64}, {256, 64}, {256, 64}, 0,
     "set_mask_count\n"
     "set_vector_mask lo=0x4000 hi=0x0\n"
     "vmin i32 rep=0 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"binary, full at run time only", I_TDIV, DT_F32, DT_F32, {4, 128}, {4, 128}, {4, 128}, DYN_COLS,
     "vdiv f32 rep=8 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"},
    {"binary, few wide rows: count row by row", I_TADD, DT_F32, DT_F32, {2, 256}, {2, 256}, {2, 129}, DYN_COLS,
     "set_mask_count\n"
     "set_vector_mask lo=0x81 hi=0x0\n"
     "vadd f32 rep=0 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "vadd f32 rep=0 dst=0x20400/1/8 src0=0x400/1/8 src1=0x10400/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"binary, few wide rows of whole repeats", I_TADD, DT_F32, DT_F32, {2, 256}, {2, 256}, {2, 128}, DYN_COLS,
     "vadd f32 rep=2 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "vadd f32 rep=2 dst=0x20400/1/8 src0=0x400/1/8 src1=0x10400/1/8\n"},
    {"binary, columns of repeats", I_TADD, DT_F32, DT_F32, {5, 128}, {5, 128}, {5, 100}, DYN_COLS,
     "vadd f32 rep=5 dst=0x20000/1/16 src0=0x0/1/16 src1=0x10000/1/16\n"
     "set_vector_mask lo=0xfffffffff hi=0x0\n"
     "vadd f32 rep=5 dst=0x20100/1/16 src0=0x100/1/16 src1=0x10100/1/16\n"
     "full\n"},
    {"binary, more rows than a repeat field holds", I_TADD, DT_F16, DT_F16, {258, 16}, {258, 16}, {257, 9}, DYN_COLS,
     "set_vector_mask lo=0x1ff hi=0x0\n"
     "vadd f16 rep=255 dst=0x20000/1/1 src0=0x0/1/1 src1=0x10000/1/1\n"
     "vadd f16 rep=2 dst=0x21fe0/1/1 src0=0x1fe0/1/1 src1=0x11fe0/1/1\n"
     "full\n"},
    {"binary, different row pitches", I_TADD, DT_F32, DT_F32, {3, 72}, {3, 128}, {3, 70}, 0,
     "vadd f32 rep=1 dst=0x20000/1/8 src0=0x0/1/8 src1=0x10000/1/8\n"
     "vadd f32 rep=1 dst=0x20200/1/8 src0=0x120/1/8 src1=0x10120/1/8\n"
     "vadd f32 rep=1 dst=0x20400/1/8 src0=0x240/1/8 src1=0x10240/1/8\n"
     "set_vector_mask lo=0x3f hi=0x0\n"
     "vadd f32 rep=3 dst=0x20100/1/16 src0=0x100/1/9 src1=0x10100/1/9\n"
     "full\n"},
    {"tile and scalar, one run of whole repeats", I_TADDS, DT_F32, DT_F32, {4, 64}, {4, 64}, {4, 64}, 0,
     "vadds f32 scalar=0x40400000 rep=4 dst=0x20000/1/8 src=0x0/1/8\n"},
    {"tile and scalar, ragged rows: one count", I_TMULS, DT_F16, DT_F16, {4, 160}, {4, 160}, {4, 160}, 0,
     "set_mask_count\n"
     "set_vector_mask lo=0x280 hi=0x0\n"
     "vmuls f16 scalar=0x4200 rep=0 dst=0x20000/1/8 src=0x0/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"tile and scalar, less than a repeat: empty head", I_TADDS, DT_I32, DT_I32, {2, 8}, {2, 8}, {2, 8}, 0,
     "vadds i32 scalar=0x3 rep=0 dst=0x20000/1/8 src=0x0/1/8\n"
     "set_vector_mask lo=0xffff hi=0x0\n"
     "vadds i32 scalar=0x3 rep=1 dst=0x20000/1/8 src=0x0/1/8\n"
     "full\n"},
    {"negation multiplies by -1", I_TNEG, DT_F32, DT_F32, {1, 64}, {1, 64}, {1, 64}, 0,
     "vmuls f32 scalar=0xbf800000 rep=1 dst=0x20000/1/8 src=0x0/1/8\n"},
    {"tile by scalar, head and tail", I_TDIVS, DT_F32, DT_F32, {9, 8}, {9, 8}, {9, 8}, 0,
     "vector_dup f32 scalar=0x40400000 rep=1 dst=0x20000/1/8\n"
     "pipe_barrier V\n"
     "vdiv f32 rep=1 dst=0x20000/1/8 src0=0x0/1/8 src1=0x20000/1/8\n"
     "set_vector_mask lo=0xff hi=0x0\n"
     "vector_dup f32 scalar=0x40400000 rep=1 dst=0x20100/1/8\n"
     "pipe_barrier V\n"
     "vdiv f32 rep=1 dst=0x20100/1/8 src0=0x100/1/8 src1=0x20100/1/8\n"
     "full\n"},
    {"scalar by tile, columns of repeats", I_TDIVS, DT_F16, DT_F16, {3, 160}, {3, 144}, {3, 130}, DYN_COLS | SCALAR_FIRST,
     "vector_dup f16 scalar=0x4200 rep=3 dst=0x20000/1/9\n"
     "pipe_barrier V\n"
     "vdiv f16 rep=3 dst=0x20000/1/9 src0=0x20000/1/9 src1=0x0/1/10\n"
     "set_vector_mask lo=0x3 hi=0x0\n"
     "vector_dup f16 scalar=0x4200 rep=3 dst=0x20100/1/9\n"
     "pipe_barrier V\n"
     "vdiv f16 rep=3 dst=0x20100/1/9 src0=0x20100/1/9 src1=0x100/1/10\n"
     "full\n"},
    {"tile by scalar in place", I_TDIVS, DT_F32, DT_F32, {1, 64}, {1, 64}, {1, 64}, IN_PLACE,
     "vmuls f32 scalar=0x3eaaaaab rep=1 dst=0x0/1/8 src=0x0/1/8\n"},
    {"unary, ragged rows stay in norm mode", I_TEXP, DT_F32, DT_F32, {4, 72}, {4, 72}, {4, 72}, 0,
     "vexp f32 rep=4 dst=0x20000/1/8 src=0x0/1/8\n"
     "set_vector_mask lo=0xffffffff hi=0x0\n"
     "vexp f32 rep=1 dst=0x20400/1/8 src=0x400/1/8\n"
     "full\n"},
    {"unary, more than 255 repeats: one count", I_TSQRT, DT_F32, DT_F32, {128, 136}, {128, 136}, {128, 136}, IN_PLACE,
     "set_mask_count\n"
     "set_vector_mask lo=0x4400 hi=0x0\n"
     "vsqrt f32 rep=0 dst=0x0/1/8 src=0x0/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"unary, run-time columns", I_TLOG, DT_F16, DT_F16, {6, 144}, {6, 160}, {6, 130}, DYN_COLS,
     "vln f16 rep=6 dst=0x20000/1/10 src=0x0/1/9\n"
     "set_vector_mask lo=0x3 hi=0x0\n"
     "vln f16 rep=6 dst=0x20100/1/10 src=0x100/1/9\n"
     "full\n"},
    {"unary, shipped form of few rows in front of many: nothing is written", I_TABS, DT_F32, DT_F32, {256, 64}, {32, 64}, {32, 64}, DYN_COLS | LIBRARY,
     ""},
    {"unary, the same repaired", I_TABS, DT_F32, DT_F32, {256, 64}, {32, 64}, {2, 64}, DYN_COLS,
     "vabs f32 rep=1 dst=0x20000/1/8 src=0x0/1/8\n"
     "vabs f32 rep=1 dst=0x20100/1/8 src=0x100/1/8\n"},
    {"reciprocal root, direct", I_TRSQRT, DT_F32, DT_F32, {64, 64}, {64, 64}, {64, 64}, 0,
     "vrsqrt f32 rep=64 dst=0x20000/1/8 src=0x0/1/8\n"},
    {"reciprocal root with tmp", I_TRSQRT, DT_F32, DT_F32, {2, 72}, {2, 72}, {2, 70}, TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x8 hi=0x0\n"
     "vector_dup f32 scalar=0x3f800000 rep=0 dst=0x28000/1/0\n"
     "set_vector_mask lo=0x46 hi=0x0\n"
     "vsqrt f32 rep=0 dst=0x20000/1/8 src=0x0/1/8\n"
     "vsqrt f32 rep=0 dst=0x20120/1/8 src=0x120/1/8\n"
     "pipe_barrier V\n"
     "vdiv f32 rep=0 dst=0x20000/1/8 src0=0x28000/0/0 src1=0x20000/1/8\n"
     "vdiv f32 rep=0 dst=0x20120/1/8 src0=0x28000/0/0 src1=0x20120/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"convert, narrower: repeats of the wider type", I_TCVT, DT_F32, DT_F16, {3, 136}, {3, 144}, {3, 130}, 0,
     "vconv f16<-f32 floor rep=2 dst=0x20000/1/4 src=0x0/1/8\n"
     "vconv f16<-f32 floor rep=2 dst=0x20120/1/4 src=0x220/1/8\n"
     "vconv f16<-f32 floor rep=2 dst=0x20240/1/4 src=0x440/1/8\n"
     "set_vector_mask lo=0x3 hi=0x0\n"
     "vconv f16<-f32 floor rep=3 dst=0x20100/1/9 src=0x200/1/17\n"
     "full\n"},
    {"convert, wider", I_TCVT, DT_F16, DT_F32, {2, 64}, {2, 64}, {2, 64}, 0,
     "vconv f32<-f16 floor rep=1 dst=0x20000/1/8 src=0x0/1/4\n"
     "vconv f32<-f16 floor rep=1 dst=0x20100/1/8 src=0x80/1/4\n"},
    {"convert to integers with saturation", I_TCVT, DT_F32, DT_I32, {1, 64}, {1, 64}, {1, 64}, 0,
     "vconv i32<-f32 floor saturate rep=1 dst=0x20000/1/8 src=0x0/1/8\n"},
    {"convert to i16 through words in tmp", I_TCVT, DT_F32, DT_I16, {2, 72}, {2, 80}, {2, 72}, TMP,
     "vconv i32<-f32 floor saturate rep=1 dst=0x28000/1/8 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=1 dst=0x20000/1/4 src=0x28000/1/8\n"
     "vconv i32<-f32 floor saturate rep=1 dst=0x28000/1/8 src=0x120/1/8\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=1 dst=0x200a0/1/4 src=0x28000/1/8\n"
     "set_vector_mask lo=0xff hi=0x0\n"
     "vconv i32<-f32 floor saturate rep=2 dst=0x28000/1/9 src=0x100/1/9\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=2 dst=0x20080/1/5 src=0x28000/1/9\n"
     "full\n"},
    {"convert half to i16 through words in tmp", I_TCVT, DT_F16, DT_I16, {1, 144}, {1, 144}, {1, 140}, TMP,
     "set_vector_mask lo=0xffffffffffffffff hi=0x0\n"
     "vconv i32<-f16 floor saturate rep=1 dst=0x28000/1/8 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=1 dst=0x20000/1/8 src=0x28000/1/8\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0xffffffffffffffff hi=0x0\n"
     "vconv i32<-f16 floor saturate rep=1 dst=0x28000/1/8 src=0x80/1/8\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=1 dst=0x20080/1/8 src=0x28000/1/8\n"
     "pipe_barrier V\n"
     "full\n"
     "set_vector_mask lo=0xfff hi=0x0\n"
     "set_vector_mask lo=0xfff hi=0x0\n"
     "vconv i32<-f16 floor saturate rep=1 dst=0x28000/1/8 src=0x100/1/8\n"
     "pipe_barrier V\n"
     "vconv i16<-i32 rint rep=1 dst=0x20100/1/8 src=0x28000/1/8\n"
     "pipe_barrier V\n"
     "full\n"
     "full\n"},
    {"convert words to half behind the scale", I_TCVT, DT_I32, DT_F16, {1, 64}, {1, 64}, {1, 64}, 0,
     "pipe_barrier V\n"
     "vconv f16<-i32 rint rep=1 dst=0x20000/1/4 src=0x0/1/8\n"},
    {"row maximum, exactly one repeat", I_TROWMAX, DT_F32, DT_F32, {16, 64}, {16, 1}, {16, 64}, COLUMN_DST,
     "set_mask_count\n"
     "set_vector_mask lo=0x400 hi=0x0\n"
     "vcmax f32 value rep=0 dst=0x20000/1/1 src=0x0/1/8\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"},
    {"row minimum, part of a repeat, a multiple of 255 rows", I_TROWMIN, DT_F16, DT_F16, {255, 32}, {256, 1}, {255, 20}, COLUMN_DST,
     "set_vector_mask lo=0xfffff hi=0x0\n"
     "s.loop rows\n"
     "vcmin f16 value rep=255 dst=0x20000/1/1 src=0x0/1/2\n"
     "pipe_barrier V\n"
     "vcmin f16 value rep=0 dst=0x201fe/1/1 src=0x3fc0/1/2\n"
     "pipe_barrier V\n"
     "full\n"},
    {"row sum, part of a repeat, two chunks of rows", I_TROWSUM, DT_F32, DT_F32, {300, 16}, {304, 1}, {300, 9}, COLUMN_DST,
     "set_vector_mask lo=0x1ff hi=0x0\n"
     "s.loop rows\n"
     "vcadd f32 value rep=255 dst=0x20000/1/1 src=0x0/1/2\n"
     "pipe_barrier V\n"
     "vcadd f32 value rep=45 dst=0x203fc/1/1 src=0x3fc0/1/2\n"
     "pipe_barrier V\n"
     "full\n"},
    {"row maximum, one repeat and a rest", I_TROWMAX, DT_F32, DT_F32, {8, 96}, {8, 1}, {8, 96}, COLUMN_DST | TMP,
     "copy_ubuf_to_ubuf u16 blocks=8 rep=8 dst=0x28000/1/12 src=0x0/1/12\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0xffffffff hi=0x0\n"
     "s.loop rows\n"
     "vmax f32 rep=8 dst=0x28000/1/12 src0=0x28000/1/12 src1=0x100/1/12\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x200 hi=0x0\n"
     "vcmax f32 value rep=0 dst=0x20000/1/1 src=0x28000/1/12\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"},
    {"row maximum, three repeats and a rest", I_TROWMAX, DT_F32, DT_F32, {8, 200}, {8, 8}, {8, 200}, TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x200 hi=0x0\n"
     "vmax f32 rep=0 dst=0x28000/1/25 src0=0x0/1/25 src1=0x100/1/25\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0xff hi=0x0\n"
     "s.loop rows\n"
     "vmax f32 rep=8 dst=0x28000/1/25 src0=0x28000/1/25 src1=0x300/1/25\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x200 hi=0x0\n"
     "vmax f32 rep=0 dst=0x28000/1/25 src0=0x28000/1/25 src1=0x200/1/25\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x200 hi=0x0\n"
     "vcmax f32 value rep=0 dst=0x20000/1/8 src=0x28000/1/25\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"},
    {"row sum, five repeats: tree", I_TROWSUM, DT_F16, DT_F16, {2, 656}, {16, 1}, {2, 650}, COLUMN_DST | TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vadd f16 rep=0 dst=0x28000/1/41 src0=0x0/1/41 src1=0x100/1/41\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vadd f16 rep=0 dst=0x28100/1/41 src0=0x200/1/41 src1=0x300/1/41\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vadd f16 rep=0 dst=0x28000/1/41 src0=0x28000/1/41 src1=0x400/1/41\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x3ff hi=0x0\n"
     "s.loop rows\n"
     "vadd f16 rep=2 dst=0x28000/1/41 src0=0x28000/1/41 src1=0x500/1/41\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vadd f16 rep=0 dst=0x28000/1/41 src0=0x28000/1/41 src1=0x28100/1/41\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vcadd f16 value rep=0 dst=0x20000/1/1 src=0x28000/1/41\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"},
    {"row sum, rows too far apart for a repeat stride", I_TROWSUM, DT_F32, DT_F32, {2, 2048}, {8, 1}, {2, 150}, COLUMN_DST | TMP,
     "vadd f32 rep=1 dst=0x28000/1/0 src0=0x0/1/0 src1=0x100/1/0\n"
     "vadd f32 rep=1 dst=0x2a000/1/0 src0=0x2000/1/0 src1=0x2100/1/0\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x3fffff hi=0x0\n"
     "s.loop rows\n"
     "vadd f32 rep=1 dst=0x28000/1/0 src0=0x28000/1/0 src1=0x200/1/0\n"
     "vadd f32 rep=1 dst=0x2a000/1/0 src0=0x2a000/1/0 src1=0x2200/1/0\n"
     "full\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x80 hi=0x0\n"
     "vcadd f32 value rep=0 dst=0x20000/1/1 src=0x28000/1/256\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"},
    {"row maximum of 64x128: groups", I_TROWMAX, DT_F32, DT_F32, {64, 128}, {64, 1}, {64, 128}, COLUMN_DST | TMP,
     "vcgmax f32 rep=128 dst=0x28000/1/1 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vmax f32 rep=8 dst=0x28000/1/8 src0=0x28000/2/16 src1=0x28020/2/16\n"
     "pipe_barrier V\n"
     "vcgmax f32 rep=8 dst=0x20000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"},
    {"row sum of 32x256: groups", I_TROWSUM, DT_F32, DT_F32, {32, 256}, {32, 1}, {32, 256}, COLUMN_DST | TMP,
     "vcgadd f32 rep=128 dst=0x28000/1/1 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vadd f32 rep=8 dst=0x28000/1/8 src0=0x28000/2/16 src1=0x28020/2/16\n"
     "pipe_barrier V\n"
     "vadd f32 rep=4 dst=0x28000/1/8 src0=0x28000/2/16 src1=0x28020/2/16\n"
     "pipe_barrier V\n"
     "vcgadd f32 rep=4 dst=0x20000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"},
    {"row minimum of 16x512: groups", I_TROWMIN, DT_F32, DT_F32, {16, 512}, {16, 1}, {16, 512}, COLUMN_DST | TMP,
     "vcgmin f32 rep=128 dst=0x28000/1/1 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vcgmin f32 rep=16 dst=0x28000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"
     "vcgmin f32 rep=2 dst=0x20000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"},
    {"row maximum of 8x1024: groups", I_TROWMAX, DT_F32, DT_F32, {8, 1024}, {8, 1}, {8, 1024}, COLUMN_DST | TMP,
     "vcgmax f32 rep=128 dst=0x28000/1/1 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "vcgmax f32 rep=16 dst=0x28000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"
     "vmax f32 rep=1 dst=0x28000/1/8 src0=0x28000/2/16 src1=0x28020/2/16\n"
     "pipe_barrier V\n"
     "vcgmax f32 rep=1 dst=0x20000/1/1 src=0x28000/1/8\n"
     "pipe_barrier V\n"},
    {"row sum of integers: one block, then the scalar unit", I_TROWSUM, DT_I32, DT_I32, {1, 16}, {8, 1}, {1, 11}, COLUMN_DST | TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x8 hi=0x0\n"
     "vector_dup i32 scalar=0x0 rep=1 dst=0x28000/1/0\n"
     "pipe_barrier V\n"
     "vadd i32 rep=1 dst=0x28000/0/0 src0=0x28000/0/0 src1=0x0/1/1\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x3 hi=0x0\n"
     "vadd i32 rep=1 dst=0x28000/0/0 src0=0x28000/0/0 src1=0x20/1/1\n"
     "pipe_barrier V\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 i32 [0x28000]\n"
     "s.load r2 i32 [0x28004]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x28008]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x2800c]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x28010]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x28014]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x28018]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.load r2 i32 [0x2801c]\n"
     "s.madd r1 i32 r2*1 + r1\n"
     "s.store i32 [0x20000] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "set_mask_norm\n"
     "full\n"},
    {"row maximum of integers", I_TROWMAX, DT_I32, DT_I32, {1, 8}, {8, 1}, {1, 8}, COLUMN_DST | TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x8 hi=0x0\n"
     "vector_dup i32 scalar=0x80000000 rep=1 dst=0x28000/1/0\n"
     "pipe_barrier V\n"
     "vmax i32 rep=1 dst=0x28000/0/0 src0=0x28000/0/0 src1=0x0/1/1\n"
     "pipe_barrier V\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 i32 [0x28000]\n"
     "s.load r2 i32 [0x28004]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x28008]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x2800c]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x28010]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x28014]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x28018]\n"
     "s.max r1 i32 r1 r2\n"
     "s.load r2 i32 [0x2801c]\n"
     "s.max r1 i32 r1 r2\n"
     "s.store i32 [0x20000] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "set_mask_norm\n"
     "full\n"},
    {"column maximum, whole repeats and a rest", I_TCOLMAX, DT_F32, DT_F32, {3, 72}, {1, 72}, {3, 70}, 0,
     "copy_ubuf_to_ubuf u16 blocks=9 rep=1 dst=0x20000/1/9 src=0x0/1/9\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vmax f32 rep=0 dst=0x20000/1/8 src0=0x20000/1/8 src1=0x120/1/8\n"
     "pipe_barrier V\n"
     "vmax f32 rep=0 dst=0x20000/1/8 src0=0x20000/1/8 src1=0x240/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"
     "set_vector_mask lo=0x3f hi=0x0\n"
     "vmax f32 rep=1 dst=0x20100/1/8 src0=0x20100/1/8 src1=0x220/1/8\n"
     "pipe_barrier V\n"
     "vmax f32 rep=1 dst=0x20100/1/8 src0=0x20100/1/8 src1=0x340/1/8\n"
     "pipe_barrier V\n"
     "full\n"
     "pipe_barrier V\n"},
    {"column minimum of one row", I_TCOLMIN, DT_F32, DT_F32, {1, 16}, {1, 16}, {1, 16}, 0,
     "copy_ubuf_to_ubuf u16 blocks=2 rep=1 dst=0x20000/1/2 src=0x0/1/2\n"
     "pipe_barrier V\n"},
    {"column sum, row after row", I_TCOLSUM, DT_F32, DT_F32, {3, 72}, {1, 72}, {3, 70}, 0,
     "copy_ubuf_to_ubuf u16 blocks=9 rep=1 dst=0x20000/1/9 src=0x0/1/9\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x46 hi=0x0\n"
     "vadd f32 rep=0 dst=0x20000/1/8 src0=0x20000/1/8 src1=0x120/1/8\n"
     "pipe_barrier V\n"
     "vadd f32 rep=0 dst=0x20000/1/8 src0=0x20000/1/8 src1=0x240/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"},
    {"column sum as a tree in tmp", I_TCOLSUM, DT_F32, DT_F32, {5, 64}, {1, 64}, {5, 64}, TMP,
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vadd f32 rep=0 dst=0x28000/1/8 src0=0x0/1/8 src1=0x100/1/8\n"
     "vadd f32 rep=0 dst=0x28100/1/8 src0=0x200/1/8 src1=0x300/1/8\n"
     "pipe_barrier V\n"
     "vadd f32 rep=0 dst=0x28000/1/8 src0=0x28000/1/8 src1=0x400/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vadd f32 rep=0 dst=0x28000/1/8 src0=0x28000/1/8 src1=0x28100/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"
     "pipe_barrier V\n"
     "copy_ubuf_to_ubuf u16 blocks=8 rep=1 dst=0x20000/1/8 src=0x28000/1/8\n"
     "pipe_barrier V\n"},
    {"row expansion by the scalar unit", I_TROWEXPAND, DT_F32, DT_F32, {2, 8}, {2, 24}, {2, 20}, 0,
     "set_mask_count\n"
     "set_vector_mask lo=0x14 hi=0x0\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 f32 [0x0]\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "vector_dup f32 scalar=r1 rep=0 dst=0x20000/1/8\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 f32 [0x20]\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "vector_dup f32 scalar=r1 rep=0 dst=0x20060/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"row expansion of bytes in pairs", I_TROWEXPAND, DT_U8, DT_U8, {1, 32}, {1, 64}, {1, 33}, 0,
     "set_mask_count\n"
     "set_vector_mask lo=0x11 hi=0x0\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 u8 [0x0]\n"
     "s.madd r1 u16 r1*257 + r0\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "vector_dup i16 scalar=r1 rep=0 dst=0x20000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"row expansion to one block per element", I_TROWEXPAND, DT_F32, DT_F32, {2048, 1}, {2048, 8}, {2048, 8}, COLUMN_SRC,
     "vbrcb u32 rep=254 dst=0x20000/1/8 src=0x0/1/8\n"
     "vbrcb u32 rep=2 dst=0x2fe00/1/8 src=0x1fc0/1/8\n"},
};
