/* Micro-op streams of elementwise_more.c, read against the lowering digests (a2a3: sections 4, 6, 9; 950: section 3).
 * Operands read NAME=ADDRESS/BLOCK STRIDE/REPEAT STRIDE. */
static const StreamCase stream_cases[] = {
    {"fill with gaps known at compile time: row by row", "a2a3", I_TEXPANDS, DT_F32, 2, 64, 2, 40, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x28 hi=0x0\n"
     "vector_dup f32 scalar=0x40400000 rep=0 dst=0x18000/1/8\n"
     "vector_dup f32 scalar=0x40400000 rep=0 dst=0x18100/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"the shipped fill takes it for one run", "a2a3", I_TEXPANDS, DT_F32, 2, 64, 2, 40, LIBRARY, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x50 hi=0x0\n"
     "vector_dup f32 scalar=0x40400000 rep=0 dst=0x18000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"bytes are filled in pairs", "a2a3", I_TEXPANDS, DT_I8, 3, 32, 3, 32, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x30 hi=0x0\n"
     "vector_dup u16 scalar=0x303 rep=0 dst=0x18000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"reciprocal: one, then the quotient", "a2a3", I_TRECIP, DT_F32, 4, 64, 4, 64, 0, CMP_EQ,
     "vector_dup f32 scalar=0x3f800000 rep=4 dst=0x18000/1/8\n"
     "pipe_barrier V\n"
     "vdiv f32 rep=4 dst=0x18000/1/8 src0=0x18000/1/8 src1=0x0/1/8\n"},
    {"scalar difference: the negated scalar is added", "a2a3", I_TSUBS, DT_I32, 1, 64, 1, 64, 0, CMP_EQ,
     "vadds i32 scalar=0xfffffffd rep=1 dst=0x18000/1/8 src=0x0/1/8\n"},
    {"multiple of a tile onto the destination", "a2a3", I_TAXPY, DT_F16, 2, 128, 2, 128, 0, CMP_EQ,
     "vaxpy f16 scalar=0x4200 rep=2 dst=0x18000/1/8 src0=0x0/1/8 src1=0x18000/1/8\n"},
    {"complement of words as halves", "a2a3", I_TNOT, DT_I32, 4, 64, 4, 64, 0, CMP_EQ,
     "vnot u16 rep=4 dst=0x18000/1/8 src=0x0/1/8\n"},
    {"exclusive or of or, and, not", "a2a3", I_TXOR, DT_I16, 1, 128, 1, 128, 0, CMP_EQ,
     "vor u16 rep=1 dst=0x20000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vand u16 rep=1 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vnot u16 rep=1 dst=0x18000/1/8 src=0x18000/1/8\n"
     "pipe_barrier V\n"
     "vand u16 rep=1 dst=0x18000/1/8 src0=0x18000/1/8 src1=0x20000/1/8\n"},
    {"shift by a tile: a scalar loop", "a2a3", I_TSHL, DT_I32, 1, 8, 1, 1, 0, CMP_EQ,
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 i32 [0x0]\n"
     "s.load r2 i32 [0x8000]\n"
     "s.shl r1 i32 r1 r2\n"
     "s.store i32 [0x18000] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"},
    {"comparison row by row", "a2a3", I_TCMP, DT_F32, 2, 128, 2, 100, DYNAMIC, CMP_GT,
     "set_mask_norm\n"
     "full\n"
     "vcmpv_gt f32 rep=2 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "vcmpv_gt f32 rep=2 dst=0x18020/1/8 src0=0x200/1/8 src1=0x8200/1/8\n"},
    {"unequal: inverted bits of equal", "a2a3", I_TCMPS, DT_F16, 2, 256, 2, 200, DYNAMIC, CMP_NE,
     "set_mask_norm\n"
     "full\n"
     "vcmpvs_eq f16 scalar=0x4200 rep=2 dst=0x18000/1/8 src=0x0/1/8\n"
     "vcmpvs_eq f16 scalar=0x4200 rep=2 dst=0x18020/1/8 src=0x200/1/8\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x20 hi=0x0\n"
     "vnot u16 rep=0 dst=0x18000/1/8 src=0x18000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"selection by the address of a row of bits", "a2a3", I_TSEL, DT_F32, 1, 64, 1, 40, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x2 hi=0x0\n"
     "vector_dup u32 scalar=0x0 rep=1 dst=0x20000/1/8\n"
     "pipe_barrier V\n"
     "set_cmpmask u32 rep=1 src=0x20000/1/0\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x28 hi=0x0\n"
     "vsel f32 address rep=1 dst=0x18000/1/8 src0=0x8000/1/8 src1=0x10000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"selection from a scalar", "a2a3", I_TSELS, DT_F16, 2, 128, 2, 100, 0, CMP_EQ,
     "s.set r1 0x4200\n"
     "s.store f16 [0x20000] r1\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x64 hi=0x0\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "set_cmpmask u32 rep=1 src=0x20000/1/0\n"
     "pipe_barrier V\n"
     "vsel f16 scalar rep=1 dst=0x18000/1/8 src0=0x8000/1/8 src1=0x0/1/8\n"
     "vsel f16 scalar rep=1 dst=0x18100/1/8 src0=0x8100/1/8 src1=0x20/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"a column of values becomes blocks", "a2a3", I_TROWEXPANDMUL, DT_F32, 9, 128, 9, 100, DYNAMIC, CMP_EQ,
     "vbrcb u32 rep=2 dst=0x20000/1/8 src=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vmul f32 rep=9 dst=0x18000/1/16 src0=0x0/1/16 src1=0x20000/0/1\n"
     "set_vector_mask lo=0xfffffffff hi=0x0\n"
     "vmul f32 rep=9 dst=0x18100/1/16 src0=0x100/1/16 src1=0x20000/0/1\n"
     "full\n"},
    {"more repeats in a row than rows: count mode", "a2a3", I_TROWEXPANDSUB, DT_F32, 2, 256, 2, 200, BLOCK_VALUES, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0xc8 hi=0x0\n"
     "vsub f32 rep=0 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/0/0\n"
     "vsub f32 rep=0 dst=0x18400/1/8 src0=0x400/1/8 src1=0x8020/0/0\n"
     "set_mask_norm\n"
     "full\n"},
    {"exponential of a difference", "a2a3", I_TROWEXPANDEXPDIF, DT_F16, 4, 128, 4, 128, BLOCK_VALUES, CMP_EQ,
     "vsub f16 rep=4 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/0/1\n"
     "pipe_barrier V\n"
     "vexp f16 rep=4 dst=0x18000/1/8 src=0x18000/1/8\n"},
    {"a row of values: repeat stride 0", "a2a3", I_TCOLEXPANDMUL, DT_F32, 5, 128, 5, 128, 0, CMP_EQ,
     "vmul f32 rep=5 dst=0x18000/1/16 src0=0x0/1/16 src1=0x8000/1/0\n"
     "vmul f32 rep=5 dst=0x18100/1/16 src0=0x100/1/16 src1=0x8100/1/0\n"},
    {"a row of values, tiles with gaps: row by row", "a2a3", I_TCOLEXPANDEXPDIF, DT_F32, 2, 128, 2, 70, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x46 hi=0x0\n"
     "vsub f32 rep=0 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vexp f32 rep=0 dst=0x18000/1/8 src=0x18000/1/8\n"
     "vsub f32 rep=0 dst=0x18200/1/8 src0=0x200/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vexp f32 rep=0 dst=0x18200/1/8 src=0x18200/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"a row copied to every row", "a2a3", I_TCOLEXPAND, DT_F16, 2, 64, 2, 50, 0, CMP_EQ,
     "copy_ubuf_to_ubuf u16 blocks=4 rep=1 dst=0x18000/1/0 src=0x0/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=4 rep=1 dst=0x18080/1/0 src=0x0/1/0\n"},
    {"rows of a tile with gaps are moved in blocks", "a2a3", I_TMOV, DT_F32, 2, 64, 2, 50, 0, CMP_EQ,
     "copy_ubuf_to_ubuf u16 blocks=7 rep=1 dst=0x18000/1/0 src=0x0/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=7 rep=1 dst=0x18100/1/0 src=0x100/1/0\n"},
    {"product of the lanes of one block", "a2a3", I_TROWPROD, DT_F32, 1, 16, 1, 12, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x8 hi=0x0\n"
     "vector_dup f32 scalar=0x3f800000 rep=1 dst=0x20000/1/0\n"
     "pipe_barrier V\n"
     "vmul f32 rep=1 dst=0x20000/0/0 src0=0x20000/0/0 src1=0x0/1/1\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x4 hi=0x0\n"
     "vmul f32 rep=1 dst=0x20000/0/0 src0=0x20000/0/0 src1=0x20/1/1\n"
     "pipe_barrier V\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 f32 [0x20000]\n"
     "s.load r2 f32 [0x20004]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x20008]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x2000c]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x20010]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x20014]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x20018]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.load r2 f32 [0x2001c]\n"
     "s.mul r1 f32 r1 r2\n"
     "s.store f32 [0x18000] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"
     "set_mask_norm\n"
     "full\n"},
    {"rows compared one by one, indices widened", "a2a3", I_TCOLARGMAX, DT_F16, 2, 128, 2, 128, 0, CMP_EQ,
     "vector_dup i16 scalar=0x0 rep=1 dst=0x20000/1/0\n"
     "vector_dup i16 scalar=0x0 rep=1 dst=0x20200/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=8 rep=1 dst=0x20100/1/0 src=0x0/1/0\n"
     "pipe_barrier V\n"
     "vadds i16 scalar=0x1 rep=1 dst=0x20000/1/0 src=0x20000/1/0\n"
     "vcmp_ge f16 rep=1 src0=0x20100/1/0 src1=0x100/1/0\n"
     "pipe_barrier V\n"
     "vsel f16 rep=1 dst=0x20200/1/0 src0=0x20200/1/0 src1=0x20000/1/0\n"
     "vmax f16 rep=1 dst=0x20100/1/0 src0=0x20100/1/0 src1=0x100/1/0\n"
     "pipe_barrier V\n"
     "vconv f16<-i16 round saturate rep=1 dst=0x20200/1/0 src=0x20200/1/0\n"
     "pipe_barrier V\n"
     "vconv i32<-f16 round saturate rep=2 dst=0x18000/1/8 src=0x20200/1/4\n"
     "pipe_barrier V\n"},
    {"remainder: quotient, floor, sign", "a2a3", I_TREM, DT_F32, 1, 64, 1, 64, 0, CMP_EQ,
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vdiv f32 rep=1 dst=0x20000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vconv f32<-f32 floor saturate rep=1 dst=0x20000/1/8 src=0x20000/1/8\n"
     "pipe_barrier V\n"
     "vmul f32 rep=1 dst=0x18000/1/8 src0=0x20000/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vsub f32 rep=1 dst=0x18000/1/8 src0=0x0/1/8 src1=0x18000/1/8\n"
     "pipe_barrier V\n"
     "vmul f32 rep=1 dst=0x20000/1/8 src0=0x18000/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"
     "vcmpvs_lt f32 scalar=0x0 rep=1 dst=0x20100/1/8 src=0x20000/1/8\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vadd f32 rep=1 dst=0x20000/1/8 src0=0x18000/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x2 hi=0x0\n"
     "vector_dup u32 scalar=0x20100 rep=1 dst=0x20120/1/8\n"
     "pipe_barrier V\n"
     "set_cmpmask u32 rep=1 src=0x20120/1/0\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vsel f32 address rep=1 dst=0x18000/1/8 src0=0x20000/1/8 src1=0x18000/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"},
    {"slope per element: product, comparison, selection", "a2a3", I_TPRELU, DT_F32, 1, 64, 1, 64, 0, CMP_EQ,
     "vmul f32 rep=1 dst=0x18000/1/8 src0=0x0/1/8 src1=0x8000/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"
     "vcmpvs_gt f32 scalar=0x0 rep=1 dst=0x20000/1/8 src=0x0/1/8\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x2 hi=0x0\n"
     "vector_dup u32 scalar=0x20000 rep=1 dst=0x20020/1/8\n"
     "pipe_barrier V\n"
     "set_cmpmask u32 rep=1 src=0x20020/1/0\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vsel f32 address rep=1 dst=0x18000/1/8 src0=0x0/1/8 src1=0x18000/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"fill: the destination is loaded for nothing", "950", I_TEXPANDS, DT_F32, 2, 64, 2, 64, 0, CMP_EQ,
     "loop 2\n"
     "  plt f32 p0 norm [0x80 -64*i0]\n"
     "  vlds f32 v0 norm [0x18000 +256*i0] post\n"
     "  vdup f32 v4 0x40400000 if p0\n"
     "  vsts f32 <- v4 norm [0x18000 +256*i0] post if p0\n"
     "end\n"},
    {"two registers of words share a store of bits", "950", I_TCMP, DT_F32, 2, 192, 2, 150, DYNAMIC, CMP_LE,
     "loop 2\n"
     "  loop 2\n"
     "    vlds f32 v0 norm [0x0 +768*i0 +512*i1]\n"
     "    vlds f32 v1 norm [0x8000 +768*i0 +512*i1]\n"
     "    plt f32 p0 norm [0x96 -128*i1]\n"
     "    vcmp_le f32 p1 <- v0 v1 if p0\n"
     "    vlds f32 v2 norm [0x100 +768*i0 +512*i1]\n"
     "    vlds f32 v3 norm [0x8100 +768*i0 +512*i1]\n"
     "    plt f32 p0 norm [0x56 -128*i1]\n"
     "    vcmp_le f32 p2 <- v2 v3 if p0\n"
     "    pdintlv u8 p3 p2 if p1\n"
     "    psts u16 pk [0x18000 +32*i0 +16*i1] if p3\n"
     "  end\n"
     "end\n"},
    {"bytes: a whole predicate", "950", I_TCMPS, DT_U8, 1, 256, 1, 256, 0, CMP_NE,
     "loop 1\n"
     "  loop 1\n"
     "    vlds u8 v0 norm [0x0 +256*i0 +256*i1]\n"
     "    plt u8 p0 norm [0x100 -256*i1]\n"
     "    vcmps_ne u8 p1 <- v0 0x3 if p0\n"
     "    psts u8 norm [0x18000 +32*i0 +32*i1] if p1\n"
     "  end\n"
     "end\n"},
    {"selection from a scalar", "950", I_TSELS, DT_F16, 2, 128, 2, 100, 0, CMP_EQ,
     "vdup f16 v8 0x4200\n"
     "loop 2\n"
     "  loop 1\n"
     "    vlds f16 v0 norm [0x8000 +256*i0 +256*i1]\n"
     "    plds u16 p0 us [0x0 +32*i0 +16*i1]\n"
     "    plt f16 p3 norm [0x64 -128*i1]\n"
     "    vsel f16 v2 <- v0 v8 if p0\n"
     "    vsts f16 <- v2 norm [0x18000 +256*i0 +256*i1] if p3\n"
     "  end\n"
     "end\n"},
    {"a value of the row to every lane", "950", I_TROWEXPANDSUB, DT_F32, 3, 128, 3, 100, DYNAMIC, CMP_EQ,
     "loop 3\n"
     "  vlds f32 v1 brc [0x8000 +4*i0]\n"
     "  loop 2\n"
     "    plt f32 p0 norm [0x64 -64*i1]\n"
     "    vlds f32 v0 norm [0x0 +512*i0 +256*i1]\n"
     "    vsub f32 v2 <- v0 v1 if p0\n"
     "    vsts f32 <- v2 norm [0x18000 +512*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"rows shorter than a register: one loop", "950", I_TROWEXPANDDIV, DT_F32, 3, 16, 3, 16, 0, CMP_EQ,
     "loop 3\n"
     "  vlds f32 v3 norm [0x8000 +4*i0]\n"
     "  vdup f32 v1 <- v3 0x0\n"
     "  plt f32 p0 norm [0x10]\n"
     "  vlds f32 v0 norm [0x0 +64*i0]\n"
     "  vdiv f32 v2 <- v0 v1 if p0\n"
     "  vsts f32 <- v2 norm [0x18000 +64*i0] if p0\n"
     "end\n"},
    {"difference and exponential in one", "950", I_TROWEXPANDEXPDIF, DT_F32, 3, 128, 3, 128, BLOCK_VALUES, CMP_EQ,
     "loop 3\n"
     "  vlds f32 v1 blk [0x8000 +32*i0]\n"
     "  loop 2\n"
     "    plt f32 p0 norm [0x80 -64*i1]\n"
     "    vlds f32 v0 norm [0x0 +512*i0 +256*i1]\n"
     "    vexpdif f32 v2 <- v0 v1 if p0\n"
     "    vsts f32 <- v2 norm [0x18000 +512*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"a column of elements becomes blocks", "950", I_TROWEXPAND, DT_F32, 16, 8, 16, 8, COLUMN_VALUES, CMP_EQ,
     "plt f32 p0 norm [0x40]\n"
     "loop 2\n"
     "  vlds f32 v0 e2b [0x0 +32*i0]\n"
     "  vsts f32 <- v0 norm [0x18000 +256*i0] if p0\n"
     "end\n"},
    {"integers are divided one by one", "950", I_TDIVS, DT_I16, 1, 16, 1, 2, DYNAMIC, CMP_EQ,
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.set r2 0x3\n"
     "s.load r1 i16 [0x0]\n"
     "s.div r1 i16 r1 r2\n"
     "s.store u16 [0x18000] r1\n"
     "s.loop iteration\n"
     "s.load r1 i16 [0x2]\n"
     "s.div r1 i16 r1 r2\n"
     "s.store u16 [0x18002] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"},
    {"a row stored into every row", "950", I_TCOLEXPAND, DT_F16, 3, 256, 3, 200, 0, CMP_EQ,
     "loop 2\n"
     "  vlds f16 v0 norm [0x0 +256*i0] post\n"
     "  plt f16 p0 norm [0xc8 -128*i0]\n"
     "  loop 3\n"
     "    vsts f16 <- v0 norm [0x18000 +256*i0 +512*i1] post if p0\n"
     "  end\n"
     "end\n"},
    {"row of values again in every row", "950", I_TCOLEXPANDADD, DT_F32, 3, 128, 3, 100, 0, CMP_EQ,
     "loop 3\n"
     "  loop 2\n"
     "    vlds f32 v1 norm [0x8000 +256*i1]\n"
     "    plt f32 p0 norm [0x64 -64*i1]\n"
     "    vlds f32 v0 norm [0x0 +512*i0 +256*i1]\n"
     "    vadd f32 v2 <- v0 v1 if p0\n"
     "    vsts f32 <- v2 norm [0x18000 +512*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"remainder with the sign of the divisor", "950", I_TREM, DT_F32, 1, 64, 1, 64, 0, CMP_EQ,
     "loop 1\n"
     "  plt f32 p0 norm [0x40 -64*i0]\n"
     "  vlds f32 v0 norm [0x0 +256*i0] post\n"
     "  vlds f32 v1 norm [0x8000 +256*i0] post\n"
     "  vdiv f32 v12 <- v0 v1 if p0\n"
     "  vtrc f32<-f32 floor even v12 <- v12 if p0\n"
     "  vmul f32 v12 <- v12 v1 if p0\n"
     "  vsub f32 v12 <- v0 v12 if p0\n"
     "  vmul f32 v13 <- v1 v12 if p0\n"
     "  vcmps_lt f32 p1 <- v13 0x0 if p0\n"
     "  vadd f32 v13 <- v12 v1 if p1\n"
     "  vsel f32 v12 <- v13 v12 if p1\n"
     "  vsts f32 <- v12 norm [0x18000 +256*i0] post if p0\n"
     "end\n"},
    {"products interleaved with ones", "950", I_TROWPROD, DT_F32, 2, 128, 2, 100, DYNAMIC, CMP_EQ,
     "vbr f32 v5 0x3f800000\n"
     "plt f32 p0 norm [0x40]\n"
     "loop 2\n"
     "  vbr f32 v0 0x3f800000\n"
     "  loop 2\n"
     "    plt f32 p1 norm [0x64 -64*i1]\n"
     "    vlds f32 v1 norm [0x0 +512*i0 +256*i1]\n"
     "    vmul f32 v0 <- v0 v1 if p1 merging\n"
     "  end\n"
     "  loop 6\n"
     "    vintlv f32 v3,v4 <- v0 v5\n"
     "    vmul f32 v0 <- v3 v4 if p0\n"
     "  end\n"
     "  vsts f32 <- v0 onept [0x18000 +4*i0] if p0\n"
     "end\n"},
    {"strictly better rows, with their value", "950", I_TCOLARGMIN, DT_F32, 3, 64, 3, 64, WITH_VALUE, CMP_EQ,
     "loop 1\n"
     "  vdup i32 v2 0x0\n"
     "  vdup i32 v3 0x0\n"
     "  vlds f32 v0 norm [0x0 +256*i0]\n"
     "  loop 2\n"
     "    vlds f32 v1 norm [0x100 +256*i0 +256*i1]\n"
     "    vadds i32 v3 <- v3 0x1\n"
     "    vcmp_lt f32 p8 <- v1 v0\n"
     "    vsel i32 v2 <- v3 v2 if p8\n"
     "    vsel f32 v0 <- v1 v0 if p8\n"
     "  end\n"
     "  plt u32 p0 norm [0x40 -64*i0]\n"
     "  vsts u32 <- v2 norm [0x1c000 +256*i0] if p0\n"
     "  plt f32 p0 norm [0x40 -64*i0]\n"
     "  vsts f32 <- v0 norm [0x18000 +256*i0] if p0\n"
     "end\n"},
    {"16-bit rows widened to two registers", "950", I_TCOLARGMAX, DT_F16, 3, 128, 3, 100, 0, CMP_EQ,
     "loop 1\n"
     "  vdup i16 v2 0x0\n"
     "  vdup i16 v3 0x0\n"
     "  vlds f16 v0 norm [0x0 +256*i0]\n"
     "  loop 2\n"
     "    vlds f16 v1 norm [0x100 +256*i0 +256*i1]\n"
     "    vadds i16 v3 <- v3 0x1\n"
     "    vcmp_gt f16 p8 <- v1 v0\n"
     "    vsel i16 v2 <- v3 v2 if p8\n"
     "    vsel f16 v0 <- v1 v0 if p8\n"
     "  end\n"
     "  vconv u32<-i16 rint even v12 <- v2\n"
     "  vconv u32<-i16 rint odd v13 <- v2\n"
     "  vintlv u32 v12,v13 <- v12 v13\n"
     "  plt u32 p0 norm [0x64 -128*i0]\n"
     "  vsts u32 <- v12 norm [0x18000 +512*i0] if p0\n"
     "  plt u32 p0 norm [0x24 -128*i0]\n"
     "  vsts u32 <- v13 norm [0x18100 +512*i0] if p0\n"
     "end\n"},
    {"multiple of a tile onto the destination", "950", I_TAXPY, DT_F32, 2, 64, 2, 64, 0, CMP_EQ,
     "loop 2\n"
     "  loop 1\n"
     "    vlds f32 v0 norm [0x0 +256*i0 +256*i1]\n"
     "    vlds f32 v1 norm [0x18000 +256*i0 +256*i1]\n"
     "    plt f32 p0 norm [0x40 -64*i1]\n"
     "    vaxpy f32 v1 <- v0 0x40400000 if p0 merging\n"
     "    vsts f32 <- v1 norm [0x18000 +256*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
};
