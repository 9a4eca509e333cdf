/* Micro-op streams of movement.c, read against the lowering digests (a2a3: section 6; 950: section 3).
 * Operands read NAME=ADDRESS/BLOCK STRIDE/REPEAT STRIDE. */
static const StreamCase stream_cases[] = {
    {"rest of the block by mask, the blocks behind it row after row, the row below", "a2a3", I_TFILLPAD, DT_F32, DT_U32, {3, 24, 2, 18}, {0, 0, 0, 0}, {3, 24, 3, 24}, {0, 0}, 0, PAD_MAX,
     "set_mask_count\n"
     "set_vector_mask lo=0x18 hi=0x0\n"
     "vcopy u32 rep=2 dst=0x10000/1/3 src=0x0/1/3\n"
     "set_mask_norm\n"
     "set_vector_mask lo=0xfc hi=0x0\n"
     "vector_dup u32 scalar=0x7f800000 rep=2 dst=0x10040/1/3\n"
     "pipe_barrier V\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x0 hi=0x0\n"
     "vector_dup u32 scalar=0x7f800000 rep=1 dst=0x10060/1/8\n"
     "pipe_barrier V\n"
     "vcopy u32 rep=1 dst=0x100c0/1/3 src=0x10060/0/0\n"
     "set_vector_mask lo=0x18 hi=0x0\n"
     "vector_dup u32 scalar=0x7f800000 rep=1 dst=0x100c0/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"bytes: the scalar unit fills the rest of the block", "a2a3", I_TFILLPAD_INPLACE, DT_U8, DT_U32, {1, 96, 1, 63}, {0, 0, 0, 0}, {1, 96, 1, 96}, {0, 0}, 0, PAD_ZERO,
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.set r1 0x0\n"
     "s.store u8 [0x3f] r1\n"
     "s.loop iteration\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x10 hi=0x0\n"
     "vector_dup u16 scalar=0x0 rep=1 dst=0x40/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"},
    {"two strips of a block of columns", "a2a3", I_TTRANS, DT_F16, DT_U32, {32, 32, 32, 20}, {0, 0, 0, 0}, {32, 32, 20, 32}, {0, 0}, 0, PAD_NULL,
     "s.loop iteration\n"
     "scatter_vnchwconv u16 rows=16 rep=2 dst=0x18000/2/1 src=0x0/2/32\n"
     "s.loop iteration\n"
     "scatter_vnchwconv u16 rows=16 rep=2 dst=0x18400/2/1 src=0x20/2/32\n"
     "pipe_barrier V\n"
     "copy_ubuf_to_ubuf u16 blocks=2 rep=20 dst=0x10000/1/2 src=0x18000/1/2\n"},
    {"the last rows in one go", "a2a3", I_TTRANS, DT_F32, DT_U32, {17, 8, 17, 8}, {0, 0, 0, 0}, {8, 32, 8, 17}, {0, 0}, 0, PAD_NULL,
     "s.loop iteration\n"
     "scatter_vnchwconv u32 rows=16 rep=1 dst=0x18000/4/0 src=0x0/1/0\n"
     "scatter_vnchwconv u32 rows=1 rep=1 dst=0x18040/4/0 src=0x200/1/0\n"
     "pipe_barrier V\n"
     "copy_ubuf_to_ubuf u16 blocks=3 rep=8 dst=0x10000/1/4 src=0x18000/1/4\n"},
    {"quarters of bytes", "a2a3", I_TTRANS, DT_I8, DT_U32, {32, 32, 32, 32}, {0, 0, 0, 0}, {32, 32, 32, 32}, {0, 0}, 0, PAD_NULL,
     "s.loop iteration\n"
     "scatter_vnchwconv u8 rows=16 rep=1 dst=0x18000/1/0 src=0x0/1/0\n"
     "scatter_vnchwconv u8 rows=16 halves=10 rep=1 dst=0x18200/1/0 src=0x0/1/0\n"
     "scatter_vnchwconv u8 rows=16 halves=01 rep=1 dst=0x18000/1/0 src=0x200/1/0\n"
     "scatter_vnchwconv u8 rows=16 halves=11 rep=1 dst=0x18200/1/0 src=0x200/1/0\n"
     "pipe_barrier V\n"
     "copy_ubuf_to_ubuf u16 blocks=1 rep=32 dst=0x10000/1/1 src=0x18000/1/1\n"},
    {"short rows element by element", "a2a3", I_TTRANS, DT_F32, DT_U32, {2, 8, 2, 1}, {0, 0, 0, 0}, {1, 8, 1, 2}, {0, 0}, 0, PAD_NULL,
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 u32 [0x0]\n"
     "s.store u32 [0x10000] r1\n"
     "s.loop iteration\n"
     "s.load r1 u32 [0x20]\n"
     "s.store u32 [0x10004] r1\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"},
    {"numbers one by one", "a2a3", I_TCI, DT_I32, DT_U32, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 8, 1, 2}, {0, 0}, 0, PAD_NULL,
     "s.set r1 0x5\n"
     "s.store u32 [0x10000] r1\n"
     "s.loop iteration\n"
     "s.set r1 0x6\n"
     "s.store u32 [0x10004] r1\n"
     "s.loop iteration\n"},
    {"each row twice", "a2a3", I_TTRI, DT_F32, DT_U32, {0, 0, 0, 0}, {0, 0, 0, 0}, {2, 16, 2, 16}, {0, 0}, 0, PAD_NULL,
     "set_mask_count\n"
     "set_vector_mask lo=0x10 hi=0x0\n"
     "vector_dup f32 scalar=0x0 rep=1 dst=0x10000/1/8\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x1 hi=0x0\n"
     "vector_dup f32 scalar=0x3f800000 rep=1 dst=0x10000/1/8\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x10 hi=0x0\n"
     "vector_dup f32 scalar=0x0 rep=1 dst=0x10040/1/8\n"
     "pipe_barrier V\n"
     "set_vector_mask lo=0x2 hi=0x0\n"
     "vector_dup f32 scalar=0x3f800000 rep=1 dst=0x10040/1/8\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "full\n"},
    {"offsets in dst", "a2a3", I_TGATHER, DT_F32, DT_U32, {8, 64, 8, 64}, {2, 64, 2, 50}, {2, 64, 2, 50}, {0, 0}, 0, PAD_NULL,
     "set_mask_count\n"
     "set_vector_mask lo=0x32 hi=0x0\n"
     "vmuls i32 scalar=0x4 rep=1 dst=0x10000/1/8 src=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vgather u32 rep=1 dst=0x10000/1/8 src0=0x10000/1/8 src1=0x0/1/0\n"
     "set_vector_mask lo=0x32 hi=0x0\n"
     "vmuls i32 scalar=0x4 rep=1 dst=0x10100/1/8 src=0x8100/1/8\n"
     "pipe_barrier V\n"
     "vgather u32 rep=1 dst=0x10100/1/8 src0=0x10100/1/8 src1=0x0/1/0\n"
     "set_mask_norm\n"
     "full\n"},
    {"offsets of halves in tmp", "a2a3", I_TGATHER, DT_F16, DT_I32, {8, 64, 8, 64}, {1, 64, 1, 64}, {1, 64, 1, 64}, {0, 0}, 0, PAD_NULL,
     "set_mask_count\n"
     "set_vector_mask lo=0x40 hi=0x0\n"
     "vmuls i32 scalar=0x2 rep=1 dst=0x18000/1/8 src=0x8000/1/8\n"
     "pipe_barrier V\n"
     "vgather u16 rep=1 dst=0x10000/1/8 src0=0x18000/1/16 src1=0x0/1/0\n"
     "set_mask_norm\n"
     "full\n"},
    {"every second element", "a2a3", I_TGATHER, DT_F16, DT_U32, {2, 128, 2, 100}, {0, 0, 0, 0}, {1, 112, 1, 112}, {0, 0}, 1, PAD_NULL,
     "set_mask_count\n"
     "set_vector_mask lo=0x64 hi=0x0\n"
     "vreducev2 u16 pattern=1 rep=2 dst=0x10000/1/0 src=0x0/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"repeats of blocks, then the rest", "a2a3", I_TGATHERB, DT_F32, DT_U32, {8, 64, 8, 64}, {2, 16, 2, 9}, {2, 72, 2, 72}, {0, 0}, 0, PAD_NULL,
     "vgatherb u32 blocks=8 rep=1 dst=0x10000/1/8 src0=0x8000/1/1 src1=0x0/1/0\n"
     "vgatherb u32 blocks=8 rep=1 dst=0x10120/1/8 src0=0x8040/1/1 src1=0x0/1/0\n"
     "vgatherb u32 blocks=1 rep=1 dst=0x10100/1/9 src0=0x8020/1/1 src1=0x0/1/0\n"
     "vgatherb u32 blocks=1 rep=1 dst=0x10220/1/9 src0=0x8060/1/1 src1=0x0/1/0\n"},
    {"cleared, then element by element", "a2a3", I_TSCATTER, DT_F32, DT_U32, {1, 8, 1, 1}, {1, 8, 1, 1}, {4, 64, 4, 64}, {0, 0}, 0, PAD_NULL,
     "set_mask_count\n"
     "set_vector_mask lo=0x100 hi=0x0\n"
     "vector_dup u32 scalar=0x0 rep=0 dst=0x10000/1/8\n"
     "set_mask_norm\n"
     "full\n"
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 u32 [0x8000]\n"
     "s.load r2 u32 [0x0]\n"
     "s.store u32 [0x10000 + r1*4] r2\n"
     "s.loop iteration\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"},
    {"whole blocks", "a2a3", I_TSORT32, DT_F32, DT_U32, {2, 64, 2, 64}, {1, 64, 1, 64}, {2, 128, 2, 128}, {0, 0}, 0, PAD_NULL,
     "vbitsort f32 rep=2 dst=0x10000/1/0 src0=0x0/1/0 src1=0x8000/1/0\n"
     "pipe_barrier V\n"
     "vbitsort f32 rep=2 dst=0x10200/1/0 src0=0x100/1/0 src1=0x8000/1/0\n"
     "pipe_barrier V\n"},
    {"a row through tmp", "a2a3", I_TSORT32, DT_F32, DT_U32, {1, 64, 1, 40}, {1, 64, 1, 64}, {1, 128, 1, 128}, {0, 0}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=5 rep=1 dst=0x18000/1/0 src=0x0/1/0\n"
     "pipe_barrier V\n"
     "set_mask_norm\n"
     "set_vector_mask lo=0xffffff00 hi=0x0\n"
     "vector_dup f32 scalar=0xffc00000 rep=1 dst=0x18080/1/8\n"
     "pipe_barrier V\n"
     "vbitsort f32 rep=2 dst=0x10000/1/0 src0=0x18000/1/0 src1=0x8000/1/0\n"
     "pipe_barrier V\n"
     "full\n"},
    {"two lists", "a2a3", I_TMRGSORT, DT_F32, DT_F32, {1, 64, 1, 64}, {1, 128, 1, 128}, {1, 192, 1, 192}, {0, 0}, 0, PAD_NULL,
     "vmrgsort4 f32 32@0x0 64@0x8000 rep=1 dst=0x18000/1/0\n"
     "pipe_barrier V\n"
     "copy_ubuf_to_ubuf u16 blocks=24 rep=1 dst=0x10000/1/0 src=0x18000/1/0\n"},
    {"four blocks at a time", "a2a3", I_TMRGSORT, DT_F32, DT_U32, {1, 512, 1, 512}, {0, 0, 0, 0}, {1, 512, 1, 512}, {64, 0}, 0, PAD_NULL,
     "vmrgsort4 f32 32@0x0 32@0x100 32@0x200 32@0x300 rep=2 dst=0x10000/1/0\n"},
    {"blocks, and the rest of the rows", "a2a3", I_TEXTRACT, DT_F32, DT_U32, {8, 64, 8, 64}, {0, 0, 0, 0}, {2, 24, 2, 20}, {3, 8}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=2 rep=2 dst=0x10000/1/3 src=0x320/1/8\n"
     "set_mask_count\n"
     "set_vector_mask lo=0x8 hi=0x0\n"
     "vcopy u16 rep=2 dst=0x10040/1/3 src=0x360/1/8\n"
     "set_mask_norm\n"
     "full\n"},
    {"whole blocks", "a2a3", I_TINSERT, DT_F16, DT_U32, {2, 32, 2, 32}, {0, 0, 0, 0}, {8, 64, 8, 64}, {3, 16}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=2 rep=2 dst=0x101a0/1/4 src=0x0/1/2\n"},
    {"one element", "a2a3", I_TINSERT, DT_F16, DT_U32, {1, 16, 1, 1}, {0, 0, 0, 0}, {8, 64, 8, 64}, {3, 5}, 0, PAD_NULL,
     "set_flag V->S event=0\n"
     "wait_flag V->S event=0\n"
     "s.load r1 u16 [0x0]\n"
     "s.store u16 [0x1018a] r1\n"
     "set_flag S->V event=0\n"
     "wait_flag S->V event=0\n"},
    {"rows of blocks", "a2a3", I_TCONCAT, DT_F32, DT_F32, {2, 8, 2, 8}, {2, 16, 2, 12}, {2, 24, 2, 20}, {0, 0}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=1 rep=1 dst=0x10000/1/0 src=0x0/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=1 rep=1 dst=0x10060/1/0 src=0x20/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=2 rep=1 dst=0x10020/1/0 src=0x8000/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=2 rep=1 dst=0x10080/1/0 src=0x8040/1/0\n"},
    {"copy, then unaligned stores", "950", I_TFILLPAD, DT_F32, DT_U32, {3, 24, 2, 18}, {0, 0, 0, 0}, {3, 24, 3, 24}, {0, 0}, 0, PAD_MAX,
     "loop 2\n"
     "  loop 1\n"
     "    plt f32 p0 norm [0x12 -64*i1]\n"
     "    vlds f32 v0 norm [0x0 +96*i0 +256*i1]\n"
     "    vsts f32 <- v0 norm [0x10000 +96*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"
     "vdup f32 v1 0x7f800000\n"
     "loop 2\n"
     "  loop 1\n"
     "    plt f32 p0 norm [0x6 -64*i1]\n"
     "    vstus f32 <- v1 norm [0x10048 +96*i0 +256*i1] if p0\n"
     "  end\n"
     "  vstas f32 blk [0x10048 +96*i0]\n"
     "end\n"
     "loop 1\n"
     "  plt f32 p0 norm [0x18 -64*i0]\n"
     "  vsts f32 <- v1 norm [0x100c0 +256*i0] if p0\n"
     "end\n"},
    {"columns are gathered", "950", I_TTRANS, DT_F32, DT_U32, {17, 8, 17, 8}, {0, 0, 0, 0}, {8, 24, 8, 17}, {0, 0}, 0, PAD_NULL,
     "loop 8\n"
     "  loop 1\n"
     "    plt u32 p0 norm [0x11 -64*i1]\n"
     "    vci u32 v0 0x0 +64*i1\n"
     "    vmins u32 v0 <- v0 0x10 if p0\n"
     "    vmuls u32 v0 <- v0 0x8 if p0\n"
     "    vadds u32 v0 <- v0 0x0 +1*i0 if p0\n"
     "    vgather2 u32 v1 <- v0 [0x0] if p0\n"
     "    vsts u32 <- v1 norm [0x10000 +96*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"many rows of few columns are scattered", "950", I_TTRANS, DT_F32, DT_U32, {600, 8, 600, 2}, {0, 0, 0, 0}, {2, 608, 2, 600}, {0, 0}, 0, PAD_NULL,
     "loop 600\n"
     "  loop 1\n"
     "    plt u32 p0 norm [0x2 -64*i1]\n"
     "    vlds u32 v1 norm [0x0 +32*i0 +256*i1]\n"
     "    vci u32 v0 0x0 +64*i1\n"
     "    vmins u32 v0 <- v0 0x1 if p0\n"
     "    vmuls u32 v0 <- v0 0x260 if p0\n"
     "    vadds u32 v0 <- v0 0x0 +1*i0 if p0\n"
     "    vscatter u32 <- v1 v0 [0x10000] if p0\n"
     "  end\n"
     "end\n"},
    {"numbers one by one", "950", I_TCI, DT_I32, DT_U32, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 8, 1, 2}, {0, 0}, 0, PAD_NULL,
     "s.set r1 0x5\n"
     "s.store u32 [0x10000] r1\n"
     "s.loop iteration\n"
     "s.set r1 0x6\n"
     "s.store u32 [0x10004] r1\n"
     "s.loop iteration\n"},
    {"a predicate per row", "950", I_TTRI, DT_F32, DT_U32, {0, 0, 0, 0}, {0, 0, 0, 0}, {2, 16, 2, 16}, {-1, 0}, 0, PAD_NULL,
     "vbr f32 v0 0x3f800000\n"
     "vbr f32 v1 0x0\n"
     "loop 2\n"
     "  loop 1\n"
     "    plt f32 p0 norm [0x10 -64*i1]\n"
     "    plt f32 p1 norm [0x0 +1*i0 -64*i1]\n"
     "    vsel f32 v2 <- v0 v1 if p1\n"
     "    vsts f32 <- v2 norm [0x10000 +64*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"by index", "950", I_TGATHER, DT_F32, DT_U32, {8, 64, 8, 64}, {2, 64, 2, 50}, {2, 64, 2, 50}, {0, 0}, 0, PAD_NULL,
     "loop 2\n"
     "  loop 1\n"
     "    vlds u32 v0 norm [0x8000 +256*i0 +256*i1]\n"
     "    plt u32 p0 norm [0x32 -64*i1]\n"
     "    vgather2 u32 v1 <- v0 [0x0] if p0\n"
     "    vsts u32 <- v1 norm [0x10000 +256*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"},
    {"every fourth element", "950", I_TGATHER, DT_F16, DT_U32, {2, 128, 2, 100}, {0, 0, 0, 0}, {1, 64, 1, 64}, {0, 0}, 4, PAD_NULL,
     "pset u16 p1 0x0\n"
     "pintlv u16 p1 0x0 if p1\n"
     "pintlv u16 p1 0x2 if p1\n"
     "loop 2\n"
     "  loop 1\n"
     "    plt u16 p0 norm [0x64 -128*i1]\n"
     "    vlds u16 v0 norm [0x0 +256*i0 +256*i1]\n"
     "    pand u16 p4 p0 if p1\n"
     "    vsqz u16 v1 <- v0 if p4\n"
     "    vstur u16 <- v1 norm [0x10000 +50*i0 +64*i1]\n"
     "  end\n"
     "end\n"
     "vstas u16 blk [0x10064]\n"},
    {"blocks by offset", "950", I_TGATHERB, DT_F32, DT_U32, {8, 64, 8, 64}, {2, 16, 2, 9}, {2, 72, 2, 72}, {0, 0}, 0, PAD_NULL,
     "plt u32 p0 norm [0x40]\n"
     "plt u32 p1 norm [0x8]\n"
     "loop 1\n"
     "  loop 2\n"
     "    vlds u32 v0 norm [0x8000 +32*i0 +64*i1]\n"
     "    vgatherb u32 v1 <- v0 [0x0] if p0\n"
     "    vsts u32 <- v1 norm [0x10000 +256*i0 +288*i1] if p0\n"
     "  end\n"
     "end\n"
     "loop 2\n"
     "  vlds u32 v0 norm [0x8020 +64*i0]\n"
     "  vgatherb u32 v1 <- v0 [0x0] if p1\n"
     "  vsts u32 <- v1 norm [0x10100 +288*i0] if p1\n"
     "end\n"},
    {"cleared, then by index", "950", I_TSCATTER, DT_F16, DT_U16, {1, 128, 1, 100}, {1, 128, 1, 100}, {4, 64, 4, 64}, {0, 0}, 0, PAD_NULL,
     "vbr u16 v0 0x0\n"
     "loop 4\n"
     "  loop 1\n"
     "    plt u16 p0 norm [0x40 -128*i1]\n"
     "    vsts u16 <- v0 norm [0x10000 +128*i0 +256*i1] if p0\n"
     "  end\n"
     "end\n"
     "loop 1\n"
     "  loop 1\n"
     "    vlds u16 v0 norm [0x8000 +256*i0 +256*i1]\n"
     "    plt u16 p0 norm [0x64 -128*i1]\n"
     "    vlds u16 v1 norm [0x0 +256*i0 +256*i1]\n"
     "    vscatter u16 <- v1 v0 [0x10000] if p0\n"
     "  end\n"
     "end\n"},
    {"a row through tmp", "950", I_TSORT32, DT_F32, DT_U32, {1, 64, 1, 40}, {1, 64, 1, 64}, {1, 128, 1, 128}, {0, 0}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=5 rep=1 dst=0x18000/1/0 src=0x0/1/0\n"
     "plt u16 p0 norm [0x40]\n"
     "plt u16 p1 norm [0x10]\n"
     "pset u16 p2 0x0\n"
     "pnot u16 p3 0x0 if p1\n"
     "vlds f32 v0 norm [0x18080]\n"
     "vdup f32 v0 0xffc00000 if p3 merging\n"
     "vsts u16 <- v0 norm [0x18080] if p0\n"
     "vbitsort f32 rep=2 dst=0x10000/1/0 src0=0x18000/1/0 src1=0x8000/1/0\n"},
    {"two lists", "950", I_TMRGSORT, DT_F32, DT_F32, {1, 64, 1, 64}, {1, 128, 1, 128}, {1, 192, 1, 192}, {0, 0}, 0, PAD_NULL,
     "vmrgsort4 f32 32@0x0 64@0x8000 rep=1 dst=0x18000/1/0\n"
     "copy_ubuf_to_ubuf u16 blocks=24 rep=1 dst=0x10000/1/0 src=0x18000/1/0\n"},
    {"unaligned columns", "950", I_TEXTRACT, DT_F32, DT_U32, {8, 128, 8, 128}, {0, 0, 0, 0}, {2, 80, 2, 70}, {3, 5}, 0, PAD_NULL,
     "plt f32 p0 norm [0x40]\n"
     "plt f32 p1 norm [0x6]\n"
     "loop 2\n"
     "  loop 1\n"
     "    vldas f32 blk [0x614 +512*i0 +256*i1]\n"
     "    vldus f32 v0 norm [0x614 +512*i0 +256*i1]\n"
     "    vsts f32 <- v0 norm [0x10000 +320*i0 +256*i1] if p0\n"
     "  end\n"
     "  vldas f32 blk [0x714 +512*i0]\n"
     "  vldus f32 v0 norm [0x714 +512*i0]\n"
     "  vsts f32 <- v0 norm [0x10100 +320*i0] if p1\n"
     "end\n"},
    {"whole blocks", "950", I_TINSERT, DT_F16, DT_U32, {2, 32, 2, 32}, {0, 0, 0, 0}, {8, 64, 8, 64}, {3, 16}, 0, PAD_NULL,
     "copy_ubuf_to_ubuf u16 blocks=2 rep=2 dst=0x101a0/1/4 src=0x0/1/2\n"},
    {"the second source is scattered", "950", I_TCONCAT, DT_F32, DT_F32, {2, 8, 2, 8}, {2, 16, 2, 12}, {2, 24, 2, 20}, {0, 0}, 0, PAD_NULL,
     "loop 2\n"
     "  loop 1\n"
     "    plt u32 p0 norm [0x8 -64*i1]\n"
     "    vlds u32 v0 norm [0x0 +32*i0 +256*i1]\n"
     "    vsts u32 <- v0 norm [0x10000 +96*i0 +256*i1] if p0\n"
     "  end\n"
     "  loop 1\n"
     "    plt u32 p0 norm [0xc -64*i1]\n"
     "    vlds u32 v1 norm [0x8000 +64*i0 +256*i1]\n"
     "    vci u32 v2 0x8 +24*i0 +64*i1\n"
     "    vscatter u32 <- v1 v2 [0x10000] if p0\n"
     "  end\n"
     "end\n"},
};
