/* Cases of trace.c: a text and what reading it must give, as show() prints it. */

/* Tile instructions in their three forms. */
static const Case instruction_cases[] = {
    {"%dst = tmins %src, %scalar : !pto.tile<...>, f32",
     "instr tmins res(%dst) in(%src, %scalar) :(?, f32)\n"},
    {"%dst = pto.tmins %src, %scalar : (!pto.tile<...>, dtype) -> !pto.tile<...>",
     "instr pto.tmins res(%dst) in(%src, %scalar) :(?, ?) ->(?)\n"},
    {"pto.tmins ins(%src, %scalar : !pto.tile_buf<...>, dtype) outs(%dst : !pto.tile_buf<...>)",
     "instr pto.tmins in(%src, %scalar) out(%dst) :(?, ?) ->(?)\n"},
    {"%dstVal, %dstIdx = tpartargmin %src0Val, %src1Val, %src0Idx, %src1Idx : !pto.tile<...> -> "
     "(!pto.tile<...>, !pto.tile<...>)",
     "instr tpartargmin res(%dstVal, %dstIdx) in(%src0Val, %src1Val, %src0Idx, %src1Idx) :(?) ->(?, ?)\n"},
    {"%dst = trowargmax %src : !pto.tile<...> -> !pto.tile<...>",
     "instr trowargmax res(%dst) in(%src) :(?) ->(?)\n"},
    {"pto.trowargmin ins(%src, %tmp : !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%val, %idx : "
     "!pto.tile_buf<...>, !pto.tile_buf<...>)",
     "instr pto.trowargmin in(%src, %tmp) out(%val, %idx) :(?, ?) ->(?, ?)\n"},
    {"%a = tmins %b, 3.5 : !pto.tile<16x256xf32>, f32",
     "instr tmins res(%a) in(%b, 3.5) :(vec 16x256xf32, f32)\n"},
    {"%a = TMINS %b, -7",
     "instr TMINS res(%a) in(%b, -7)\n"},
    {"%a:2 = pto.trowargmin %b, %c#1; %d = tmins %a#0, 0x7FC00000 : f32",
     "instr pto.trowargmin res(%a, %a#1) in(%b, %c#1)\ninstr tmins res(%d) in(%a, 0x7fc00000) :(f32)\n"},
    {"%kv_inline5837__ssa_v0.p-v$ = tmins %0, %1",
     "instr tmins res(%kv_inline5837__ssa_v0.p-v$) in(%0, %1)\n"},
    {"pto.tmins ins(%a, %s\n   : !pto.tile_buf<vec, 16x64xf32>,\n f32)\n outs(\n%b : !pto.tile_buf<loc=vec, "
     "dtype=f32, rows=16, cols=64,\n v_row=?, v_col=-1, blayout=row_major, slayout=none_box, fractal=512, "
     "pad=0>)",
     "instr pto.tmins in(%a, %s) out(%b) :(vec 16x64xf32, f32) ->(vec 16x64xf32 v=-1x-1)\n"},
    {"pto.tload ins(%p : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>) "
     "{layout = #pto.layout<nd>, tags = [\"load\", \"gm\"], id = 1 : i64, d = {a = 1}, unit}",
     "instr pto.tload in(%p) out(%t) .layout =('nd') .tags =('load', 'gm') .id =(1) .d .unit :(part 16 64 "
     "f32) ->(vec 16x64xf32)\n"},
    {"pto.tload ins(%p : !pto.partition_tensor_view<16x64xf32>) outs(%t : !pto.tile_buf<vec, 16x64xf32>) "
     "pad_mode = #pto<pad_mode PadValue> pad_value = %v : f32",
     "instr pto.tload in(%p) out(%t) .pad_mode =('PadValue') .pad_value =(%v) :(part 16 64 f32) ->(vec "
     "16x64xf32)\n"},
    {"pto.tstore ins(%t : !pto.tile_buf<vec, 16x64xf32>) outs(%p : !pto.partition_tensor_view<16x64xf32>) "
     "{atomicType = #pto<atomic_type atomic_add>}",
     "instr pto.tstore in(%t) out(%p) .atomicType =('atomic_add') :(vec 16x64xf32) ->(part 16 64 f32)\n"},
    {"%d = tmins %a, %s {rmode = #pto<round_mode ROUND>, satmode = #pto<saturation_mode ON>} : f32 loc(\"x.py"
     "\":1:2)",
     "instr tmins res(%d) in(%a, %s) .rmode =('ROUND') .satmode =('ON') :(f32)\n"},
    {"pto.tmins ins(%a, %s {rmode = #pto<round_mode RINT>} : f32, f32) outs(%b : f32) {x = true}",
     "instr pto.tmins in(%a, %s) out(%b) .rmode =('RINT') .x =(1) :(f32, f32) ->(f32)\n"},
    {NULL, NULL},
};

/* Statements without bodies. */
static const Case statement_cases[] = {
    {"%a = arith.constant 0 : index",
     "constant arith.constant res(%a) in(0) :(index)\n"},
    {"%a = arith.constant -3.40282346638528860e+38 : f32",
     "constant arith.constant res(%a) in(-3.40282e+38) :(f32)\n"},
    {"%a = arith.constant 0x7F800000 : f32",
     "constant arith.constant res(%a) in(0x7f800000) :(f32)\n"},
    {"%a = arith.constant 0x3E00 : f16",
     "constant arith.constant res(%a) in(0x3e00) :(f16)\n"},
    {"%a = arith.constant dense<0> : vector<4xi16>",
     "constant arith.constant res(%a) in(0) :(vector 4 i16)\n"},
    {"%a = arith.constant dense<[1, 2, 3, 4]> : vector<4xi16>",
     "constant arith.constant res(%a) in(1, 2, 3, 4) :(vector 4 i16)\n"},
    {"%a = vector.extract %v[2] : i16 from vector<4xi16>",
     "extract vector.extract res(%a) in(%v, 2) :(i16)\n"},
    {"%a = arith.constant true",
     "constant arith.constant res(%a) in(1) :(i1)\n"},
    {"%a = arith.constant false : i1",
     "constant arith.constant res(%a) in(0) :(i1)\n"},
    {"%a = arith.constant -128 : i8",
     "constant arith.constant res(%a) in(-128) :(i8)\n"},
    {"%a = arith.constant 255 : ui8",
     "constant arith.constant res(%a) in(255) :(u8)\n"},
    {"%a = arith.constant -5 : si16",
     "constant arith.constant res(%a) in(-5) :(i16)\n"},
    {"%a = arith.constant 18446744073709551615 : ui64",
     "constant arith.constant res(%a) in(0xffffffffffffffff) :(u64)\n"},
    {"%a = arith.constant 1 : bf16",
     "constant arith.constant res(%a) in(1) :(bf16)\n"},
    {"%a = arith.constant -9223372036854775808 : i64",
     "constant arith.constant res(%a) in(-9223372036854775808) :(i64)\n"},
    {"%a = arith.constant {x = 1} 2 : i32",
     "constant arith.constant res(%a) in(2) .x =(1) :(i32)\n"},
    {"%a = arith.constant 1e-3 : half",
     "constant arith.constant res(%a) in(0.001) :(f16)\n"},
    {"%a = arith.addi %b, %c : index",
     "arith addi res(%a) in(%b, %c) :(index)\n"},
    {"%a = arith.muli %b, %c overflow<nsw, nuw> : i32",
     "arith muli res(%a) in(%b, %c) :(i32)\n"},
    {"%a = arith.cmpi slt, %b, %c : index",
     "arith cmpi res(%a) in(%b, %c) .predicate =('slt') :(index)\n"},
    {"%a = arith.cmpf \"oeq\", %b, %c : f32",
     "arith cmpf res(%a) in(%b, %c) .predicate =('oeq') :(f32)\n"},
    {"%a = arith.select %c, %x, %y : index",
     "arith select res(%a) in(%c, %x, %y) :(index)\n"},
    {"%a = arith.index_cast %b : index to i64",
     "arith index_cast res(%a) in(%b) :(index) ->(i64)\n"},
    {"%a = arith.sitofp %b : i32 to f32",
     "arith sitofp res(%a) in(%b) :(i32) ->(f32)\n"},
    {"%a = arith.negf %b : f32",
     "arith negf res(%a) in(%b) :(f32)\n"},
    {"%a = arith.maxsi %b, 0 : index",
     "arith maxsi res(%a) in(%b, 0) :(index)\n"},
    {"%t = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>",
     "alloc pto.alloc_tile res(%t) ->(vec 16x64xf32)\n"},
    {"%t = pto.alloc_tile addr = %c0 valid_row = %r valid_col = %c : !pto.tile_buf<vec, 16x64xf32, valid=?x?>",
     "alloc pto.alloc_tile res(%t) .addr =(%c0) .valid_row =(%r) .valid_col =(%c) ->(vec 16x64xf32 v=-1x-1)\n"},
    {"%t = pto.alloc_tile addr = 0x1000 : !pto.tile_buf<vec, 16x64xf32>",
     "alloc pto.alloc_tile res(%t) .addr =(0x1000) ->(vec 16x64xf32)\n"},
    {"%m = pto.alloc_multi_tile addr = %c : !pto.multi_tile_buf<vec, 16x16xf16, count=2>",
     "alloc_multi pto.alloc_multi_tile res(%m) .addr =(%c) ->(2 of vec 16x16xf16)\n"},
    {"%t = pto.multi_tile_get %m[%k] : !pto.multi_tile_buf<vec, 16x16xf16, count=2> -> !pto.tile_buf<vec, "
     "16x16xf16>",
     "multi_get pto.multi_tile_get res(%t) in(%m, %k) :(2 of vec 16x16xf16) ->(vec 16x16xf16)\n"},
    {"pto.tassign %t, @tile(0x1000)",
     "tassign pto.tassign in(%t, 0x1000)\n"},
    {"tassign %t, 4096",
     "tassign tassign in(%t, 4096)\n"},
    {"%u = pto.tassign %t, %a : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xf32>",
     "tassign pto.tassign res(%u) in(%t, %a) :(vec 16x64xf32) ->(vec 16x64xf32)\n"},
    {"%v = pto.make_tensor_view %p, shape = [%a, 16], strides = [%b, %c] {layout = #pto.layout<dn>} : "
     "!pto.tensor_view<?x16xf32>",
     "view pto.make_tensor_view res(%v) in(%p) .shape =(%a, 16) .strides =(%b, %c) .layout =('dn') ->(view -1 "
     "16 f32)\n"},
    {"%v = pto.make_tensor_view %p, shape = [%a] strides = [%b] : !pto.tensor_view<?xf32>",
     "view pto.make_tensor_view res(%v) in(%p) .shape =(%a) .strides =(%b) ->(view -1 f32)\n"},
    {"%q = pto.partition_view %v, offsets = [%a, %b], sizes = [%c, %d] : !pto.tensor_view<?x?xf32> -> "
     "!pto.partition_tensor_view<1x?xf32>",
     "partition pto.partition_view res(%q) in(%v) .offsets =(%a, %b) .sizes =(%c, %d) :(view -1 -1 f32) "
     "->(part 1 -1 f32)\n"},
    {"%q = pto.partition_view %v, offsets = [%a], sizes = [%c] : !pto.tensor_view<?xf32>",
     "partition pto.partition_view res(%q) in(%v) .offsets =(%a) .sizes =(%c) :(view -1 f32) ->(?)\n"},
    {"%s = pto.subview %t[%r, %c] sizes [8, 16] valid [%x, %y] : !pto.tile_buf<vec, 16x64xf32> -> "
     "!pto.tile_buf<vec, 8x16xf32>",
     "subview pto.subview res(%s) in(%t) .offsets =(%r, %c) .sizes =(8, 16) .valid =(%x, %y) :(vec 16x64xf32) "
     "->(vec 8x16xf32)\n"},
    {"%s = pto.subview %t[%r, 0] sizes [8, 16] : !pto.tile_buf<vec, 16x64xf32>",
     "subview pto.subview res(%s) in(%t) .offsets =(%r, 0) .sizes =(8, 16) :(vec 16x64xf32) ->(?)\n"},
    {"pto.set_validshape %t, %r, %c : !pto.tile_buf<vec, 16x64xf32>",
     "set_valid pto.set_validshape in(%t, %r, %c) :(vec 16x64xf32)\n"},
    {"%r, %c = pto.get_validshape %t : !pto.tile_buf<vec, 16x64xf32>",
     "get_valid get_validshape res(%r, %c) in(%t) :(vec 16x64xf32)\n"},
    {"%r = pto.tile_valid_rows %t : !pto.tile_buf<vec, 16x64xf32> -> index",
     "get_valid tile_valid_rows res(%r) in(%t) :(vec 16x64xf32) ->(index)\n"},
    {"%u = pto.treshape %t : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 64x16xf32>",
     "treshape pto.treshape res(%u) in(%t) :(vec 16x64xf32) ->(vec 64x16xf32)\n"},
    {"%u = pto.bitcast %t : !pto.tile_buf<vec, 16x64xf32> -> !pto.tile_buf<vec, 16x64xi32>",
     "treshape pto.bitcast res(%u) in(%t) :(vec 16x64xf32) ->(vec 16x64xi32)\n"},
    {"%v = pto.load_scalar %p[%i] : !pto.ptr<f32> -> f32",
     "load_scalar pto.load_scalar res(%v) in(%p, %i) :(ptr f32) ->(f32)\n"},
    {"pto.store_scalar %v, %p[%i] : !pto.ptr<f32>, f32",
     "store_scalar pto.store_scalar in(%v, %p, %i) :(ptr f32, f32)\n"},
    {"%v = pto.tgetval ins(%t, %i : !pto.tile_buf<vec, 16x64xf32>, index) outs : f32",
     "tgetval pto.tgetval res(%v) in(%t, %i) :(vec 16x64xf32, index) ->(f32)\n"},
    {"pto.tgetval ins(%t, %i : !pto.tile_buf<vec, 16x64xf32>, index) outs(%v : f32)",
     "tgetval pto.tgetval in(%t, %i) out(%v) :(vec 16x64xf32, index) ->(f32)\n"},
    {"pto.tsetval ins(%i, %v : index, f32) outs(%t : !pto.tile_buf<vec, 16x64xf32>)",
     "tsetval pto.tsetval in(%i, %v) out(%t) :(index, f32) ->(vec 16x64xf32)\n"},
    {"%b = pto.get_block_idx",
     "block_info get_block_idx res(%b)\n"},
    {"%b = pto.get_subblock_num -> i64",
     "block_info get_subblock_num res(%b) ->(i64)\n"},
    {"pto.tprefetch ins(%p : !pto.ptr<f32>)",
     "ignored pto.tprefetch in(%p) :(ptr f32)\n"},
    {"func.call @f(%a, %b) : (index, f32) -> ()",
     "call f in(%a, %b) :(index, f32)\n"},
    {"%r:2 = call @\"g h\"() : () -> (f32, f32)",
     "call g h res(%r, %r#1) ->(f32, f32)\n"},
    {"return",
     "return return\n"},
    {"return %a, %b : index, f32",
     "return return in(%a, %b) :(index, f32)\n"},
    {NULL, NULL},
};

/* Synchronisation in every spelling. */
static const Case sync_cases[] = {
    {"pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID0\"]",
     "set_flag pto.set_flag .pipes =('PIPE_MTE2', 'PIPE_V', 'EVENT_ID0')\n"},
    {"pto.wait_flag [<PIPE_MTE2>, <PIPE_V>, <EVENT_ID7>]",
     "wait_flag pto.wait_flag .pipes =('PIPE_MTE2', 'PIPE_V', 'EVENT_ID7')\n"},
    {"pto.set_flag[#pto.pipe<PIPE_S>, #pto<pipe PIPE_MTE3>, #pto.event<EVENT_ID1>]",
     "set_flag pto.set_flag .pipes =('PIPE_S', 'PIPE_MTE3', 'EVENT_ID1')\n"},
    {"pto.set_flag[PIPE_V, PIPE_V2, 3]",
     "set_flag pto.set_flag .pipes =('PIPE_V', 'PIPE_V2', 'EVENT_ID3')\n"},
    {"pto.record_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID0>]",
     "set_flag pto.record_event .pipes =('PIPE_MTE2', 'PIPE_V', 'EVENT_ID0')\n"},
    {"pto.wait_event [<TSTORE_VEC>, <TSTORE>, <EVENT_ID2>]",
     "wait_flag pto.wait_event .pipes =('PIPE_MTE3', 'PIPE_MTE3', 'EVENT_ID2')\n"},
    {"pto.record_event [#pto.sync_op_type<EVENT_LOAD_FROM_GM>, #pto.sync_op_type<EVENT_COMPUTE_VEC>, "
     "#pto.event<EVENT_ID0>]",
     "set_flag pto.record_event .pipes =('PIPE_MTE2', 'PIPE_V', 'EVENT_ID0')\n"},
    {"pto.set_flag_dyn[<PIPE_S>, <PIPE_MTE2>, %id]",
     "set_flag pto.set_flag_dyn .pipes =('PIPE_S', 'PIPE_MTE2', %id)\n"},
    {"pto.wait_flag_dyn[\"PIPE_S\", \"PIPE_MTE2\", %id#1]",
     "wait_flag pto.wait_flag_dyn .pipes =('PIPE_S', 'PIPE_MTE2', %id#1)\n"},
    {"pto.barrier #pto.pipe<PIPE_ALL>",
     "barrier pto.barrier .pipes =('PIPE_ALL')\n"},
    {"pto.barrier <PIPE_V>",
     "barrier pto.barrier .pipes =('PIPE_V')\n"},
    {"pto.barrier\npto.barrier PIPE_MTE3",
     "barrier pto.barrier .pipes =('PIPE_ALL')\nbarrier pto.barrier .pipes =('PIPE_MTE3')\n"},
    {"pto.barrier_sync[<TVEC>]",
     "barrier pto.barrier_sync .pipes =('PIPE_V')\n"},
    {"pto.barrier_sync [#pto<pipe PIPE_MTE2>]",
     "barrier pto.barrier_sync .pipes =('PIPE_MTE2')\n"},
    {"pto.pipe_barrier \"PIPE_M\"",
     "barrier pto.pipe_barrier .pipes =('PIPE_M')\n"},
    {"pto.tsync",
     "barrier pto.tsync .pipes =('PIPE_ALL')\n"},
    {"pto.tsync ins(%a : !pto.event<x>)",
     "barrier pto.tsync in(%a) .pipes =('PIPE_ALL') :(?)\n"},
    {"pto.tsync %a, %b : !pto.event<x, y>, !pto.event<x, y>",
     "barrier pto.tsync in(%a, %b) .pipes =('PIPE_ALL') :(?, ?)\n"},
    {"pto.get_buf \"PIPE_V\", 0, 1",
     "buf get_buf in(0, 1) .pipes =('PIPE_V')\n"},
    {"pto.rls_buf [<PIPE_MTE2>, %a, %b]",
     "buf rls_buf in(%a, %b) .pipes =('PIPE_MTE2')\n"},
    {"pto.get_buf \"PIPE_V\", %a, %b : i64, i64",
     "buf get_buf in(%a, %b) .pipes =('PIPE_V') :(i64, i64)\n"},
    {NULL, NULL},
};

/* Statements with bodies. */
static const Case region_cases[] = {
    {"scf.for %i = %a to %b step %c { }",
     "for scf.for in(%a, %b, %c) arg(%i)\n"},
    {"scf.for %i = %a to %b step %c : i32 { pto.barrier <PIPE_V> } {x = 1}",
     "for scf.for in(%a, %b, %c) arg(%i) .x =(1) :(i32) { barrier pto.barrier .pipes =('PIPE_V'); }\n"},
    {"%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y, %z = 0) -> (f32, index) { scf.yield %x, %z : "
     "f32, index }",
     "for scf.for res(%r, %r#1) in(%a, %b, %c) arg(%i, %x, %z) .init =(%y, 0) ->(f32, index) { yield "
     "scf.yield in(%x, %z) :(f32, index); }\n"},
    {"scf.for %i = %a to %b step %c { scf.for %j = %a to %i step %c { pto.barrier }\n pto.tsync }",
     "for scf.for in(%a, %b, %c) arg(%i) { for scf.for in(%a, %i, %c) arg(%j) { barrier pto.barrier .pipes "
     "=('PIPE_ALL'); }; barrier pto.tsync .pipes =('PIPE_ALL'); }\n"},
    {"scf.if %c { } else { }",
     "if scf.if in(%c)\n"},
    {"%r = scf.if %c -> (index) { scf.yield %a : index } else { scf.yield %b : index }",
     "if scf.if res(%r) in(%c) ->(index) { yield scf.yield in(%a) :(index); } else { yield scf.yield in(%b) "
     ":(index); }\n"},
    {"scf.if %c { scf.yield }\nscf.if %d { return }",
     "if scf.if in(%c) { yield scf.yield; }\nif scf.if in(%d) { return return; }\n"},
    {"%r:2 = scf.while (%i = %a, %t = %b) : (index, f32) -> (index, f32) { %c = arith.cmpi slt, %i, %n : "
     "index scf.condition(%c) %i, %t : index, f32 } do { ^bb0(%j: index, %u: f32): scf.yield %j, %u : index, "
     "f32 }",
     "while scf.while res(%r, %r#1) out(%j, %u) arg(%i, %t) .init =(%a, %b) :(index, f32) ->(index, f32) { "
     "arith cmpi res(%c) in(%i, %n) .predicate =('slt') :(index); condition scf.condition in(%c, %i, %t) "
     ":(index, f32); } else { yield scf.yield in(%j, %u) :(index, f32); }\n"},
    {"scf.while : () -> () { scf.condition(%c) } do { scf.yield }",
     "while scf.while { condition scf.condition in(%c); } else { yield scf.yield; }\n"},
    {"pto.section.vector { pto.barrier }\npto.section.cube { pto.tmatmul ins(%a) { nested { } } \"}\" }\n"
     "pto.barrier",
     "section vector { barrier pto.barrier .pipes =('PIPE_ALL'); }\nsection cube\nbarrier pto.barrier .pipes "
     "=('PIPE_ALL')\n"},
    {NULL, NULL},
};

/* Modules, functions, aliases. */
static const Case container_cases[] = {
    {"module { }",
     ""},
    {"module { module @inner attributes {a = 1} { func.func @f() { return } } }",
     "func f() { return return; }\n"},
    {"module attributes {pto.target_arch = \"a5\", x = [1, 2.5, \"s\", #a.b<c>, -3 : i32], y = dense<0> : "
     "tensor<2xi32>, z = array<i64: 0, 512>} {\n func.func @f(%a: !pto.ptr<f32>, %n: index {x.y}, %s: f32 loc("
     "\"f\":1:1)) -> i32 attributes {pto.entry} { return %n : i32 } loc(unknown)\n}",
     "func f(%a: ptr f32, %n: index, %s: f32) entry { return return in(%n) :(i32); }\n"},
    {"func.func private @g(!pto.ptr<f16, gm>, i32) -> (i32, f32 {a})\nfunc.func public @h(%a: !pto.ptr<i8, "
     "ub>) { //! allow HAZARD\n //! cycles 3\n pto.barrier }",
     "func g(ptr f16, i32)\nfunc h(%a: ptr i8 ub) { directive //! 5 HAZARD 0 0 0; directive //! 8 3 0 0; "
     "barrier pto.barrier .pipes =('PIPE_ALL'); }\n"},
    {"func.func @cube() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} { pto.tmatmul ins(%a : f32) { } "
     "}\nfunc.func @v() attributes {pto.kernel_kind = #pto.kernel_kind<vector>, pto.entry = false} { return }",
     "func cube() cube\nfunc v() { return return; }\n"},
    {"module attributes {pto.kernel_kind = #pto.kernel_kind<cube>} { func.func @c() { pto.tgemv } }",
     "func c() cube\n"},
    {"%a = arith.constant 1 : index\nfunc.func @f() { return }\n%b = arith.constant 2 : index",
     "constant arith.constant res(%a) in(1) :(index)\nconstant arith.constant res(%b) in(2) :(index)\nfunc "
     "f() { return return; }\n"},
    {"!t = !pto.tile_buf<vec, 16x64xf32>\n#dn = #pto.layout<dn>\n#map = affine_map<(d0, d1) -> (d0 + d1)>\n%t "
     "= pto.alloc_tile : !t\n%v = pto.make_tensor_view %p, shape = [%a], strides = [%b] {layout = #dn} : "
     "!pto.tensor_view<?xf32>\n#loc1 = loc(\"x\":1:2)\npto.barrier loc(#loc1)",
     "alloc pto.alloc_tile res(%t) ->(vec 16x64xf32)\nview pto.make_tensor_view res(%v) in(%p) .shape =(%a) "
     ".strides =(%b) .layout =('dn') ->(view -1 f32)\nbarrier pto.barrier .pipes =('PIPE_ALL')\n"},
    {NULL, NULL},
};

/* Directives: kind, name, [spec], {tolerance}, numbers. */
static const Case directive_cases[] = {
    {"//! target 950",
     "directive //! 0 950 0 0 0\n"},
    {"//!target my/file.yaml",
     "directive //! 0 my/file.yaml 0 0 0\n"},
    {"//! arg scores = npy(\"scores file.npy\")",
     "directive //! 1 scores [npy(\"scores file.npy\")] 0 0 0\n"},
    {"//! arg %n = 32",
     "directive //! 1 %n [32] 0 0 0\n"},
    {"//! init %src = random(seed=1, lo=-8, hi=8)",
     "directive //! 2 %src [random(seed=1, lo=-8, hi=8)] 0 0 0\n"},
    {"//!  init   %src.0  =   values(1, 2, nan, -0.0, inf)  \r",
     "directive //! 2 %src.0 [values(1, 2, nan, -0.0, inf)] 0 0 0\n"},
    {"//! poison 0xA5",
     "directive //! 3 a5 0 0\n"},
    {"//! poison 0",
     "directive //! 3 0 0 0\n"},
    {"//! mask norm 0x0 0xF",
     "directive //! 4 norm 0 f 0\n"},
    {"//! mask count 8",
     "directive //! 4 count 8 0 0\n"},
    {"//! allow HAZARD",
     "directive //! 5 HAZARD 0 0 0\n"},
    {"//! dump %dst = npy(\"out.npy\")",
     "directive //! 6 %dst [npy(\"out.npy\")] 0 0 0\n"},
    {"//! dump out = npy(\"a//b#c.npy\")",
     "directive //! 6 out [npy(\"a//b#c.npy\")] 0 0 0\n"},
    {"//! expect %dst = npy(\"golden (1).npy\") atol=1e-6 rtol=1e-5",
     "directive //! 7 %dst [npy(\"golden (1).npy\")] {atol=1e-6 rtol=1e-5} 0 0 0\n"},
    {"//! expect out = values(1, 2) exact",
     "directive //! 7 out [values(1, 2)] {exact} 0 0 0\n"},
    {"//! expect %d = 3.5",
     "directive //! 7 %d [3.5] 0 0 0\n"},
    {"//! expect %d = fill(1)   ulp=1",
     "directive //! 7 %d [fill(1)] {ulp=1} 0 0 0\n"},
    {"//! cycles 87",
     "directive //! 8 57 0 0\n"},
    {"//! cycles 87 +- 5%",
     "directive //! 8 57 0 5\n"},
    {"//! cycles 1000 +-0.5 %",
     "directive //! 8 3e8 0 0.5\n"},
    {"%a = tmins %b, %c : f32 //! allow ALIAS\n%d = tmins %b, %c",
     "instr tmins res(%a) in(%b, %c) :(f32)\ndirective //! 5 ALIAS 0 0 0\ninstr tmins res(%d) in(%b, %c)\n"},
    {"scf.for %i = %a to %b step %c {\n//! allow ALIAS\n%d = tmins %a, %b\n}",
     "for scf.for in(%a, %b, %c) arg(%i) { directive //! 5 ALIAS 0 0 0; instr tmins res(%d) in(%a, %b); }\n"},
    {NULL, NULL},
};

/* Comments, blanks, line ends. */
static const Case comment_cases[] = {
    {"# Automatic mode: text\n%a = tmins %b, %c # trailing\n#pto.tassign %arg0, @tile(0x1000)\n#comment\n",
     "instr tmins res(%a) in(%b, %c)\n"},
    {"// x\n%a = // y\n tmins // z %q\n %b, %c // last",
     "instr tmins res(%a) in(%b, %c)\n"},
    {"%a = tmins %b, %c : !pto.tile_buf<loc=vec, dtype=f32, // <the> unit\n rows=16, cols=64>",
     "instr tmins res(%a) in(%b, %c) :(vec 16x64xf32)\n"},
    {"\357\273\277%a = tmins %b, %c",
     "instr tmins res(%a) in(%b, %c)\n"},
    {"%a = tmins %b, %c\r\n%d = tmins %e\r\n",
     "instr tmins res(%a) in(%b, %c)\ninstr tmins res(%d) in(%e)\n"},
    {"// // //! target 950",
     ""},
    {"%a=tmins %b,%c:f32;%d=tmins %a,%c:f32",
     "instr tmins res(%a) in(%b, %c) :(f32)\ninstr tmins res(%d) in(%a, %c) :(f32)\n"},
    {"",
     ""},
    {"\n\n  \n",
     ""},
    {"//",
     ""},
    {"#",
     ""},
    {NULL, NULL},
};

/* Malformed text: place, message, hint. */
static const Case error_cases[] = {
    {"pto.tmins ins(%a, %s : ) outs(%b)",
     "1:24: expected a type after ':', found ')'"},
    {"pto.tmins ins() outs(%b)",
     "1:15: expected an operand (%name or a number), found ')'"},
    {"pto.tmins ins(%a, %s",
     "1:21: expected ',', ':' or ')', found end of file"},
    {"pto.tmins ins(%a %s : f32) outs(%b)",
     "1:18: expected ',', ':' or ')', found '%s'"},
    {"pto.tmins ins(%a, %s : f32)",
     "1:28: expected 'outs(', found end of file"},
    {"pto.tmins ins(%a, %s : f32) outs %b",
     "1:34: expected '(', found '%b'"},
    {"pto.tmins %a, %s : f32",
     "1:11: expected 'ins(', or a result on the left, found '%a'"},
    {"%d = pto.tmins ins(%a, %s : f32) outs(%b : f32)",
     "1:6: pto.tmins with outs(...) has no result on the left"},
    {"%d = tmins : f32",
     "1:12: expected an operand (%name or a number), found ':'"},
    {"%d = tmins %a, %s : ",
     "1:21: expected a type after ':', found end of file"},
    {"%d = tmins %a, %s : f32,",
     "1:25: expected a type after ',', found end of file"},
    {"%d = tmins %a, %s : (f32, f32 -> f32",
     "1:31: expected ',' or ')', found '->'"},
    {"%d, %e, %f = trowargmax %a",
     "1:14: expected 0 to 2 results of trowargmax, found 3"},
    {"%d tmins %a",
     "1:4: expected '=' after the results, found 'tmins'"},
    {"%d:0 = tmins %a",
     "1:4: expected 1 to 64 results"},
    {"%d = ",
     "1:6: expected a statement, found end of file"},
    {"% = tmins %a",
     "1:1: expected a name after '%'"},
    {"%a# = tmins",
     "1:12: expected '=' after the results, found end of file"},
    {"}",
     "1:1: expected a statement, found '}'"},
    {") %a",
     "1:1: expected a statement, found ')'"},
    {"\"pto.tadd\"(%a, %b) : (f32) -> f32",
     "1:1: expected a statement, found \"pto.tadd\" | the quoted generic form is not read; print the custom form"},
    {"%d = tmins %a, \"abc",
     "1:16: string without closing '\"'"},
    {"%d = tmins %a, %s : !pto.tile<f32, 16, 256",
     "1:21: type without closing '>'"},
    {"%d = tmins %a, %s : !pto.tile_buf<vec, 16x16xf32) outs(%b : !pto.ptr<f32>)",
     "1:21: type without closing '>'"},
    {"%d = tmins %a, ~3",
     "1:16: unexpected character '~'"},
    {"%d = tmins %a, \001",
     "1:16: unexpected byte 0x01"},
    {"%d = tmins %a, @",
     "1:16: expected a name after '@'"},
    {"%d = tmins %a, %s : !",
     "1:21: expected a type name after '!'"},
    {"pto.tminz ins(%a : f32) outs(%b : f32)",
     "1:1: unknown operation 'pto.tminz' | did you mean 'pto.tmins'?"},
    {"pto.trowargmn ins(%a : f32) outs(%b : f32)",
     "1:1: unknown operation 'pto.trowargmn' | did you mean 'pto.trowargmin'?"},
    {"%a = arith.adddi %b, %c : index",
     "1:6: unknown operation 'arith.adddi' | did you mean 'arith.addi'?"},
    {"pto.frobnicate ins(%a : f32) outs(%b : f32)",
     "1:1: unknown operation 'pto.frobnicate' | `npusim isa` lists the instructions"},
    {"pto.tmatmul ins(%a : f32) outs(%b : f32)",
     "1:1: 'pto.tmatmul' runs on the cube unit, which npusim does not model"},
    {"pto.tgemv.acc ins(%a : f32) outs(%b : f32)",
     "1:1: 'pto.tgemv.acc' runs on the cube unit, which npusim does not model"},
    {"%v = pto.vlds %a",
     "1:6: 'pto.vlds' is a register-level instruction; npusim reads tile instructions"},
    {"retrun",
     "1:1: unknown operation 'retrun' | did you mean 'return'?"},
    {"pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>",
     "1:1: expected 1 result of pto.alloc_tile, found 0"},
    {"%a, %b = pto.alloc_tile : !pto.tile_buf<vec, 16x64xf32>",
     "1:10: expected 1 result of pto.alloc_tile, found 2"},
    {"%a = pto.set_validshape %t, %r, %c : !pto.tile_buf<vec, 16x64xf32>",
     "1:6: expected 0 results of pto.set_validshape, found 1"},
    {"pto.set_validshape %t, %r : !pto.tile_buf<vec, 16x64xf32>",
     "1:1: expected 3 operands of pto.set_validshape, found 2"},
    {"%a = arith.addi %b : index",
     "1:6: expected 2 operands of arith.addi, found 1"},
    {"%a = arith.addi %b, %c, %d : index",
     "1:6: expected 2 operands of arith.addi, found 3"},
    {"%a = arith.addi %b, %c",
     "1:23: expected ':' and a type, found end of file"},
    {"%a = arith.index_cast %b : index",
     "1:33: expected 'to' and the result type, found end of file"},
    {"%a = pto.treshape %b : !pto.tile_buf<vec, 16x64xf32>",
     "1:53: expected '->' and the result type, found end of file"},
    {"%a = pto.load_scalar %p : !pto.ptr<f32> -> f32",
     "1:25: expected '[' and an index, found ':'"},
    {"%a = pto.load_scalar %p[%i : !pto.ptr<f32> -> f32",
     "1:28: expected ']', found ':'"},
    {"pto.tgetval ins(%t, %i : f32, index) outs : f32",
     "1:1: expected 1 result of pto.tgetval, found 0"},
    {"%a = arith.constant : f32",
     "1:21: expected a number, true or false, found ':'"},
    {"%a = arith.constant 1",
     "1:22: expected ':' and the type of the constant, found end of file"},
    {"%a = arith.constant 1.5 : i32",
     "1:21: expected an integer for i32, found 1.5"},
    {"%a = arith.constant 300 : i8",
     "1:21: 300 does not fit the 8 bits of i8"},
    {"%a = arith.constant -129 : i8",
     "1:21: -129 does not fit the 8 bits of i8"},
    {"%a = arith.constant -1 : ui8",
     "1:21: -1 does not fit the 8 bits of u8"},
    {"%a = arith.constant 0x1FFFF : f16",
     "1:21: 0x1FFFF does not fit the 16 bits of f16"},
    {"%a = arith.constant 99999999999999999999 : i64",
     "1:21: number 99999999999999999999 does not fit 64 bits"},
    {"%a = arith.constant 12abc : i32",
     "1:21: expected a number, found '12abc'"},
    {"%a = arith.constant 0xZZ : i32",
     "1:21: expected a number, found '0xZZ'"},
    {"%a = arith.constant 1e999 : f32",
     "1:21: number 1e999 does not fit 64 bits"},
    {"%a = arith.constant 1 : !pto.tile_buf<vec, 16x64xf32>",
     "1:21: a constant needs a scalar or vector type"},
    {"%a = arith.cmpi less, %b, %c : index",
     "1:17: expected a predicate (eq ne slt sle sgt sge ult ule ugt uge), found 'less'"},
    {"%a = arith.cmpi slt %b, %c : index",
     "1:21: expected ',' after the predicate, found '%b'"},
    {"%a = pto.alloc_tile adr = %c : !pto.tile_buf<vec, 16x64xf32>",
     "1:21: expected ':' and a type, found 'adr'"},
    {"%a = pto.alloc_tile addr %c : !pto.tile_buf<vec, 16x64xf32>",
     "1:26: expected '=', found '%c'"},
    {"%a = pto.alloc_tile addr = %c addr = %c : !pto.tile_buf<vec, 16x64xf32>",
     "1:31: 'addr' is given twice"},
    {"%a = pto.make_tensor_view %p, shape = [%c] : !pto.tensor_view<?xf32>",
     "1:44: expected 'strides = [...]', found ':'"},
    {"%a = pto.make_tensor_view %p, shape = [%c, strides = [%c] : !pto.tensor_view<?xf32>",
     "1:44: expected an operand (%name or a number), found 'strides'"},
    {"%a = pto.subview %t[%r, %c] : !pto.tile_buf<vec, 16x64xf32>",
     "1:29: expected 'sizes = [...]', found ':'"},
    {"%a = pto.alloc_tile : f23",
     "1:23: expected a type after ':', found 'f23'"},
    {"%a = pto.alloc_tile : memref<4xf32>",
     "1:23: expected a type after ':', found 'memref'"},
    {"%a = pto.alloc_tile : !pto.tile_bof<vec, 16x16xf32>",
     "1:23: expected a type (!pto.tile_buf, tile, multi_tile_buf, ptr, tensor_view, partition_tensor_view), "
     "found '!pto.tile_bof'"},
    {"%a = pto.alloc_tile : !pto.tile_buf",
     "1:36: expected '<', found the end of the type"},
    {"%a = pto.alloc_tile : !pto.tile_buf<>",
     "1:37: expected a location, a shape like 16x256xf32 or key=value, found '>'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec>",
     "1:40: tile type without 'dtype'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16xf32>",
     "1:42: expected positive rows x columns x element type, found '16xf32'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16x16xf32>",
     "1:48: expected 2 dimensions, found '16'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16>",
     "1:47: expected 'x' and an element type, found '>'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 0x16xf32>",
     "1:42: expected positive rows x columns x element type, found '0x16xf32'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf8E4M3FN>",
     "1:48: expected an element type (f32, f16, bf16, i8 to i64, ui8 to ui64), found 'f8E4M3FN'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, valid=17x16>",
     "1:64: valid region 17x16 is larger than the tile, 16x16"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, valid=16>",
     "1:59: expected valid rows x valid columns, found '16'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, blayout=rowmajor>",
     "1:61: expected row_major or col_major, found 'rowmajor'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, blayot=row_major>",
     "1:53: expected loc, dtype, rows, cols, v_row, v_col, valid, blayout, slayout, fractal, pad or compact, "
     "found 'blayot'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, pad=4>",
     "1:57: expected 0 (null), 1 (zero), 2 (max) or 3 (min), found '4'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, fractal=100>",
     "1:61: expected 32, 512 or 1024, found '100'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf32, pad=1, pad=1>",
     "1:60: 'pad' is given twice"},
    {"%a = pto.alloc_tile : !pto.tile_buf<loc=ubuf, dtype=f32, rows=16, cols=16>",
     "1:41: expected a location (vec, mat, left, right, acc, bias, scaling), found 'ubuf'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32,\n   rows=16, cols=abc>",
     "2:18: expected a positive number, found 'abc'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16>",
     "1:64: tile type without 'cols'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16 v_row=3>",
     "1:74: expected ',' or '>', found 'v'"},
    {"%a = pto.alloc_tile : !pto.tile_buf<loc=vec, dtype=f32, rows=99999999999, cols=16>",
     "1:62: expected a positive number, found '99999999999'"},
    {"%a = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 16x16xf16>",
     "1:63: multi-tile type without 'count'"},
    {"%a = pto.alloc_multi_tile : !pto.multi_tile_buf<vec, 16x16xf16, count=17>",
     "1:71: expected a count from 2 to 16, found '17'"},
    {"%a = pto.alloc_multi_tile : !pto.multi_tile_buf<!pto.tile_buf<vec, 16x16xf16>, number=2>",
     "1:80: expected 'count', found 'number'"},
    {"%a = pto.treshape %b : !pto.ptr<f32, l1> -> f32",
     "1:38: expected a memory space (gm, ub), found 'l1'"},
    {"%a = pto.treshape %b : !pto.ptr<> -> f32",
     "1:33: expected an element type (f32, f16, bf16, i8 to i64, ui8 to ui64), found '>'"},
    {"%a = pto.treshape %b : !pto.tensor_view<f32> -> f32",
     "1:41: expected a dimension (a number or ?), found 'f32'"},
    {"%a = pto.treshape %b : !pto.tensor_view<1x1x1x1x1x1xf32> -> f32",
     "1:51: expected at most 5 dimensions, found '1'"},
    {"%a = pto.treshape %b : !undefined -> f32",
     "1:24: expected a type (!pto.tile_buf, tile, multi_tile_buf, ptr, tensor_view, partition_tensor_view), "
     "found '!undefined'"},
    {"pto.set_flag[\"PIPE_MTE2\", \"PIPE_V\"]",
     "1:35: expected ',' and the event, found ']'"},
    {"pto.set_flag[<PIPE_MTE2>, <PIPE_W>, <EVENT_ID0>]",
     "1:27: expected a pipe (PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL ...), found 'PIPE_W'"},
    {"pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID8>]",
     "1:37: expected EVENT_ID0 to EVENT_ID7, found 'EVENT_ID8'"},
    {"pto.wait_flag[<PIPE_MTE2>, <PIPE_V>, 9]",
     "1:38: expected EVENT_ID0 to EVENT_ID7, found another number"},
    {"pto.wait_flag %a",
     "1:15: expected a pipe (PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL ...), found '%a'"},
    {"pto.barrier <PIPE_Q>",
     "1:13: expected a pipe (PIPE_S, PIPE_V, PIPE_MTE2, PIPE_MTE3, PIPE_ALL ...), found 'PIPE_Q'"},
    {"pto.get_buf \"PIPE_V\"",
     "1:21: expected ',' and the buffer id, found end of file"},
    {"scf.for %i = %a to %b { }",
     "1:23: expected 'step', found '{'"},
    {"scf.for i = %a to %b step %c { }",
     "1:9: expected the induction variable (%name), found 'i'"},
    {"scf.for %i = %a to %b step %c iter_args(%x = %y) { }",
     "1:50: expected '->' and the types of the iter_args, found '{'"},
    {"scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32, f32) { }",
     "1:1: scf.for has 1 iter_args, but 2 result types"},
    {"%r:2 = scf.for %i = %a to %b step %c iter_args(%x = %y) -> (f32) { }",
     "1:8: expected 1 result of scf.for, found 2"},
    {"scf.for %i = %a to %b step %c {\n  pto.barrier\n",
     "3:1: expected '}' to close the block of line 1, found end of file"},
    {"scf.if %c { } else %d",
     "1:20: expected '{', found '%d'"},
    {"scf.while (%a = %b) : (f32) -> (f32) { } { }",
     "1:42: expected 'do', found '{'"},
    {"scf.condition %c",
     "1:15: expected '(', found '%c'"},
    {"else { }",
     "1:1: unknown operation 'else' | `npusim isa` lists the instructions"},
    {"func.func name() { }",
     "1:11: expected the function's name (@name), found 'name'"},
    {"func.func @f(%a f32) { }",
     "1:17: expected ':' and the type of the argument, found 'f32'"},
    {"func.func @f(%a : f32 { }",
     "1:26: expected ',' or ')', found end of file"},
    {"func.func @f() { return",
     "1:24: expected '}' to close the block of line 1, found end of file"},
    {"module { func.func @f() { return }",
     "func f() { return return; }\n1:35: expected '}' to close the module of line 1, found end of file"},
    {"module attributes {a = } { }",
     "1:24: expected an attribute value, found '}'"},
    {"module attributes {a = 1 b = 2} { }",
     "1:26: expected ',' or '}', found 'b'"},
    {"module @m ( )",
     "1:11: expected '{' to open the module, found '('"},
    {"func.call helper(%a) : (f32) -> ()",
     "1:11: expected the function (@name), found 'helper'"},
    {"return loc",
     "1:11: expected '(' after 'loc', found end of file"},
    {"//!",
     "1:4: expected a directive, found end of line"},
    {"//! frob 3",
     "1:5: unknown directive 'frob' | directives are target, arg, init, poison, mask, allow, dump, expect and "
     "cycles"},
    {"//! targt 950",
     "1:5: unknown directive 'targt' | did you mean 'target'?"},
    {"//! target",
     "1:11: expected the name of a target, found end of line"},
    {"//! target a b",
     "1:14: expected end of line, found 'b'"},
    {"//! init src = fill(1)",
     "1:10: expected a tile (%name), found 'src'"},
    {"//! init %src fill(1)",
     "1:15: expected '=', found 'fill(1)'"},
    {"//! init %src =",
     "1:16: expected a value, found end of line"},
    {"//! poison 256",
     "1:12: expected a byte (0 to 0xFF), found '256'"},
    {"//! poison abc",
     "1:12: expected a byte (0 to 0xFF), found 'abc'"},
    {"//! mask norm 0x0",
     "1:18: expected the low mask word, found end of line"},
    {"//! mask full",
     "1:10: expected 'norm' or 'count', found 'full'"},
    {"//! allow HAZRD",
     "1:11: unknown diagnostic 'HAZRD' | did you mean 'HAZARD'?"},
    {"//! allow NOTHINGLIKETHIS",
     "1:11: unknown diagnostic 'NOTHINGLIKETHIS' | `npusim check --list` lists them"},
    {"//! cycles many",
     "1:12: expected a number of cycles, found 'many'"},
    {"//! cycles 87 5%",
     "1:15: expected '+-' and a percentage, found '5%'"},
    {"//! cycles 87 +- 5",
     "1:19: expected '%', found end of line"},
    {"//! expect %dst",
     "1:16: expected '=', found end of line"},
    {"pto.tmins ins(%a, //! allow HAZARD\n %b : f32) outs(%c : f32)",
     "1:19: expected an operand (%name or a number), found a directive"},
    {"!tile = f23",
     "1:9: expected a type after '=', found 'f23'"},
    {"#nd = ",
     "1:7: expected an attribute value, found end of file"},
    {NULL, NULL},
};

/* Text with parts that cannot be read, and what is read around them. */
static const Case gap_cases[] = {
    {"%a = tmins %b, %c\npto.mystery ins(%a) outs(%b)\n%d = tmins %a, %c",
     "instr tmins res(%a) in(%b, %c)\n2:1 construct pto.mystery\nunknown \ninstr tmins res(%d) in(%a, %c)\n"},
    {"%r:2 = scf.execute_region -> (index, index) {\n  %q = arith.addi %a, %b : index\n}\nreturn",
     "1:8 construct scf.execute_region\nunknown  res(%r, %r#1) { arith addi res(%q) in(%a, %b) :(index); }\nreturn return\n"},
    {"pto.fusion_region {\n  pto.barrier\n} {pto.fusion = 1 : i32}\npto.barrier",
     "1:1 construct pto.fusion_region\nunknown  { barrier pto.barrier .pipes =('PIPE_ALL'); }\nbarrier pto.barrier .pipes =('PIPE_ALL')\n"},
    {"pto.vecscope { %v = pto.vlds %a[%i] : !pto.vreg<64xf32>\n}\nllvm.x {a = 1, b}\n{pto.entry}\n\"pto.tadd\"(%a) ({ ^bb0(%x: i32): return }) {k = 2}",
     "1:1 construct pto.vecscope, register level\n1:21 construct pto.vlds, register level\nunknown  { unknown  res(%v); }\n"
     "3:1 construct llvm.x\nunknown \n5:1 construct quoted generic form\nunknown  { return return; }\n"},
    {"pto.tpush(%t, %p : !pto.x, !pto.pipe) {split = 0}\n%t = pto.declare_tile -> !pto.tile_buf<vec, 16x16xf32>\npto.tmatmul ins(%a) outs(%b)\npto.comm.tget(%a)\n"
     "cf.br ^bb1\n^bb1:\nreturn",
     "1:1 construct pto.tpush, several cores\nunknown \n2:6 construct pto.declare_tile, several cores\nunknown  res(%t)\n"
     "3:1 construct pto.tmatmul, cube unit\nunknown \n4:1 construct pto.comm.tget, several cores\nunknown \n5:1 construct cf.br\nunknown \nreturn return\n"},
    /* text that is wrong: the values of the next statement are kept, brackets and attributes may stay open */
    {"%a = arith.addi %b\n%c, %d = pto.get_validshape %t : !pto.tile_buf<vec, 16x16xf32>\n%e:2 = pto.trowargmin %t",
     "1:6 in arith.addi: expected 2 operands of arith.addi, found 1\nunknown  res(%a)\nget_valid get_validshape res(%c, %d) in(%t) :(vec 16x16xf32)\n"
     "instr pto.trowargmin res(%e, %e#1) in(%t)\n"},
    {"pto.tcvt ins(%a {rmode = ?, x = {y = 1}} : f32) outs(%b : f32)\npto.barrier",
     "1:26 in pto.tcvt: expected an attribute value, found '?'\nunknown \nbarrier pto.barrier .pipes =('PIPE_ALL')\n"},
    {"scf.for %i = %a to %b { pto.barrier\n }\npto.tmins ins(%a, ~ : f32\n, f32) outs(%b : f32)\nreturn",
     "1:23 in scf.for: expected 'step', found '{'\nunknown  { barrier pto.barrier .pipes =('PIPE_ALL'); }\n"
     "3:19 in pto.tmins: unexpected character '~'\nunknown \nreturn return\n"},
    /* containers */
    {"module attributes {a = } {\nfunc.func @f(%a: memref<4xf32>, %b: f32) {\nreturn\n}\nfunc.func @g(%a: f32) { return\n}\n}\n#x = ?\n!t = f23\npto.barrier",
     "1:24 in no operation: expected an attribute value, found '}'\n2:18 construct type memref\n8:6 in no operation: expected an attribute value, found '?'\n"
     "9:6 construct type f23\nbarrier pto.barrier .pipes =('PIPE_ALL')\nfunc f() { return return; }\nfunc g(%a: f32) { return return; }\n"},
    {"func.func @f() {\n%t = pto.alloc_tile : !pto.tile_buf<vec, 16x16xf8E5M2>\n%u = pto.alloc_tile : !pto.mystery<vec>\nreturn\n}",
     "2:48 construct element type f8E5M2\n3:23 construct type !pto.mystery\nfunc f() { unknown  res(%t); unknown  res(%u); return return; }\n"},
    {"//! frob 3\npto.barrier\nscf.if %c {\n scf.if %d {\n",
     "1:5 in no operation: unknown directive 'frob'\nunknown \nbarrier pto.barrier .pipes =('PIPE_ALL')\n"
     "5:1 in scf.if: expected '}' to close the block of line 4, found end of file\nif scf.if in(%c) { unknown ; }\n"},
    {NULL, NULL},
};

/* Types; malformed ones give the byte where they are wrong. */
static const Case type_cases[] = {
    {"f32",
     "f32"},
    {"f16",
     "f16"},
    {"bf16",
     "bf16"},
    {"half",
     "f16"},
    {"float",
     "f32"},
    {"i8",
     "i8"},
    {"ui8",
     "u8"},
    {"si16",
     "i16"},
    {"u32",
     "u32"},
    {"int32_t",
     "i32"},
    {"i64",
     "i64"},
    {"i1",
     "i1"},
    {"index",
     "index"},
    {"dtype",
     "?"},
    {"f23",
     "0: expected an element type (f32, f16, bf16, i8 to i64, ui8 to ui64), found 'f23'"},
    {"",
     "0: expected an element type (f32, f16, bf16, i8 to i64, ui8 to ui64), found the end of the type"},
    {"!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=256, v_row=16, v_col=250, blayout=row_major, "
     "slayout=none_box, fractal=512, pad=0>",
     "vec 16x256xf32 v=16x250"},
    {"!pto.tile_buf<loc=acc, dtype=f32, rows=32, cols=32, v_row=?, v_col=-1, blayout=col_major, "
     "slayout=row_major, fractal=1024, pad=3, compact=2>",
     "acc 32x32xf32 v=-1x-1 col box1 fractal1024 pad3 compact2"},
    {"!pto.tile_buf<vec, 16x256xf32>",
     "vec 16x256xf32"},
    {"!pto.tile_buf<vec, 16x256xf32, valid=16x250>",
     "vec 16x256xf32 v=16x250"},
    {"!pto.tile_buf<vec, 8x1xf32, valid=?x?, blayout=col_major>",
     "vec 8x1xf32 v=-1x-1 col"},
    {"!pto.tile_buf<left, 16x256xbf16, pad=min, compact=normal, slayout=col_major, fractal=32>",
     "left 16x256xbf16 box2 fractal32 pad3 compact1"},
    {"!pto.tile_buf<vec, 16x16xf32, valid=0x0>",
     "vec 16x16xf32 v=0x0"},
    {"!pto.tile<16x256xf32>",
     "vec 16x256xf32"},
    {"!pto.tile<f32, 16, 256>",
     "vec 16x256xf32"},
    {"!pto.tile<loc=vec, f32, 16, 16, RowMajor, NoneBox, None, Zero>",
     "vec 16x16xf32 pad1"},
    {"!pto.tile<loc=vec, dtype=ui16, rows=1, cols=16>",
     "vec 1x16xu16"},
    {"!pto.tile<...>",
     "?"},
    {"!pto.tile_buf<loc=vec, ...>",
     "?"},
    {"!pto.tile_buf< vec ,\n 4x8xi8 >",
     "vec 4x8xi8"},
    {"!pto.ptr<f32>",
     "ptr f32"},
    {"!pto.ptr<bf16, gm>",
     "ptr bf16"},
    {"!pto.ptr<i32, ub>",
     "ptr i32 ub"},
    {"!pto.ptr<f32, #pto.address_space<gm>>",
     "ptr f32"},
    {"!pto.ptr<f32, #pto.address_space<vec>>",
     "ptr f32 ub"},
    {"!pto.tensor_view<?x?xf32>",
     "view -1 -1 f32"},
    {"!pto.tensor_view<1x1x1x?x16xbf16>",
     "view 1 1 1 -1 16 bf16"},
    {"!pto.partition_tensor_view<16xi8>",
     "part 16 i8"},
    {"!pto.tensor_view<...>",
     "?"},
    {"!pto.multi_tile_buf<vec, 16x16xf16, count=2>",
     "2 of vec 16x16xf16"},
    {"!pto.multi_tile_buf<!pto.tile_buf<vec, 16x16xf16, valid=8x8>, count=16>",
     "16 of vec 16x16xf16 v=8x8"},
    {"!pto.multi_tile_buf<..., count=2>",
     "?"},
    {"!pto.event<a, b>",
     "?"},
    {"!pto.tile_buf<vec, 16x256xf32",
     "29: expected ',' or '>', found the end of the type"},
    {"!pto.tile_buf<vec, 16x256xf32>x",
     "30: expected the end of the type, found 'x'"},
    {"!pto.tile_buf<vec, 16x256xf32, v_row=17>",
     "39: valid region 17x256 is larger than the tile, 16x256"},
    {"!pto.tile_buf<vec, 16x256xf32, >",
     "31: expected a location, a shape like 16x256xf32 or key=value, found '>'"},
    {"!pto.tile_buf<vec, vec, 16x256xf32>",
     "19: 'loc' is given twice"},
    {"!pto.tile_buf<vec, 16x256xf32, count=2>",
     "31: expected loc, dtype, rows, cols, v_row, v_col, valid, blayout, slayout, fractal, pad or compact, "
     "found 'count'"},
    {"!pto.tile_buf<16, 32, 8, 8, 9, f32>",
     "28: 'v_col' is given twice"},
    {"!pto.ptr<f32, gm",
     "16: expected ',' or '>', found the end of the type"},
    {"!pto.multi_tile_buf<!pto.ptr<f32>, count=2>",
     "21: expected pto.tile_buf, found 'pto.ptr'"},
    {"!pto.multi_tile_buf<vec, 16x16xf16, count=1>",
     "42: expected a count from 2 to 16, found '1'"},
    {NULL, NULL},
};

/* A program with one of everything. */
static const char sample[] =
    "// header\n"
    "//! target 950\n"
    "#map = affine_map<(d0) -> (d0)>\n"
    "#nd = #pto.layout<nd>\n"
    "!tile = !pto.tile_buf<vec, 16x16xf16>\n"
    "module attributes {pto.backend = \"emitc\", pto.kernel_kind = #pto.kernel_kind<vector>, pto.target_arch = \"a3\", n = 133 : i64, l = [1, 2 : i32, \"x\"], d = {a = 1, b = [#pto<x Y>]}} {\n"
    " module @inner {\n"
    "  func.func private @helper(!pto.ptr<f32>, i32) -> (i32)\n"
    "  func.func @main(%src: !pto.ptr<f16, gm> {pto.x}, %n: index loc(\"a.py\":1:2), %take: i1) -> i32\n"
    "      attributes {pto.entry, pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
    "    //! arg src = npy(\"scores.npy\")\n"
    "    %c0 = arith.constant 0 : index\n"
    "    %c1 = arith.constant 1 : index\n"
    "    %true = arith.constant true\n"
    "    %inf = arith.constant 0x7F800000 : f32 loc(#loc1)\n"
    "    %x = arith.constant -1.5e+00 : bf16\n"
    "    %a = pto.alloc_tile addr = %c0 valid_row = %n valid_col = %n : !pto.tile_buf<loc=vec, dtype=f16, rows=16, cols=16, v_row=?,\n"
    "         v_col=-1, blayout=row_major, // comment\n"
    "         slayout=none_box, fractal=512, pad=0>\n"
    "    %b = pto.alloc_tile : !tile\n"
    "    %view = pto.make_tensor_view %src, shape = [%c0, %c1], strides = [%c0, %c1] {layout = #nd} : !pto.tensor_view<?x?xf16>\n"
    "    %part = pto.partition_view %view, offsets = [%c0, %c0], sizes = [%c1, 16] : !pto.tensor_view<?x?xf16> -> !pto.partition_tensor_view<16x16xf16>\n"
    "    %part2 = pto.partition_view %view, offsets = [%c0, %c0], sizes = [%c1, 16] : !pto.tensor_view<?x?xf16>\n"
    "    %result:2 = scf.while (%i = %c0, %tile = %a) : (index, !tile) -> (index, !tile) {\n"
    "      pto.tload ins(%part : !pto.partition_tensor_view<16x16xf16>) outs(%tile : !tile) {candidates = [{id = 1 : i64, tags = [\"load\", \"gm\"]}], layout = #pto.layout<dn>}\n"
    "      %again = arith.cmpi slt, %i, %n : index\n"
    "      scf.condition(%again) %i, %tile : index, !tile\n"
    "    } do {\n"
    "    ^bb0(%i: index, %tile: !tile):\n"
    "      %next = arith.addi %i, %c1 overflow<nsw> : index\n"
    "      %carried = scf.for %j = %c0 to %n step %c1 iter_args(%t = %tile) -> (!tile) : index {\n"
    "        scf.if %take {\n"
    "          pto.tmins ins(%t, %x : !tile, f16) outs(%b : !tile)\n"
    "        } else {\n"
    "        }\n"
    "        scf.yield %b : !tile\n"
    "      } {pto.loop = \"x\"}\n"
    "      scf.yield %next, %carried : index, !tile\n"
    "    }\n"
    "    pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]\n"
    "    pto.set_flag [\"PIPE_MTE2\", \"PIPE_V\", \"EVENT_ID7\"]\n"
    "    pto.wait_flag[#pto.pipe<PIPE_MTE2>, #pto.pipe<PIPE_V>, #pto.event<EVENT_ID0>]\n"
    "    pto.record_event [#pto.pipe_event_type<TLOAD>, #pto.pipe_event_type<TVEC>, #pto.event<EVENT_ID0>]\n"
    "    pto.wait_event [#pto.sync_op_type<EVENT_LOAD_FROM_GM>,\n"
    "          #pto.pipe_event_type<EVENT_COMPUTE_VEC>, #pto.event<EVENT_ID0>]\n"
    "    pto.set_flag_dyn[<PIPE_S>, <PIPE_MTE2>, %c0]\n"
    "    pto.barrier <PIPE_V>\n"
    "    pto.barrier #pto.pipe<PIPE_ALL>\n"
    "    pto.barrier\n"
    "    pto.barrier_sync [<TVEC>]\n"
    "    pto.pipe_barrier \"PIPE_V\"\n"
    "    pto.get_buf \"PIPE_V\", 0, 0\n"
    "    pto.rls_buf \"PIPE_V\", %c0, %c1 : i64, i64\n"
    "    pto.tsync\n"
    "    %q:2 = func.call @helper(%src, %n) : (!pto.ptr<f16>, index) -> (i32, i32)\n"
    "    %v = pto.tgetval ins(%a, %c0 : !tile, index) outs : f32\n"
    "    pto.tsetval ins(%c0, %v : index, f32) outs(%a : !tile)\n"
    "    %ld = pto.load_scalar %src[%c0] : !pto.ptr<f16> -> f16\n"
    "    pto.store_scalar %ld, %src[%c0] : !pto.ptr<f16>, f16\n"
    "    %s = pto.subview %a[%c0, %c0] sizes [1, 32] valid [%c1, %c0] : !tile -> !pto.tile_buf<vec, 1x32xf32>\n"
    "    %s2 = pto.subview %a[%c0, %c0] sizes [1, 32] : !tile\n"
    "    %m = pto.alloc_multi_tile addr = %c0 : !pto.multi_tile_buf<vec, 16x16xf16, count=2>\n"
    "    %m2 = pto.alloc_multi_tile : !pto.multi_tile_buf<!pto.tile_buf<vec, 16x16xf16>, count=4>\n"
    "    %g = pto.multi_tile_get %m[%c0] : !pto.multi_tile_buf<vec, 16x16xf16, count=2> -> !tile\n"
    "    %r0, %r1 = pto.get_validshape %a : !tile\n"
    "    pto.set_validshape %a, %r0, %r1 : !tile\n"
    "    %rs = pto.treshape %a : !tile -> !pto.tile_buf<vec, 8x32xf16>\n"
    "    pto.tassign %a, @tile(0x1000)\n"
    "    %a3 = pto.tassign %a, %c0 : !tile -> !tile\n"
    "    pto.tassign %a, 4096\n"
    "    %bi = pto.get_block_idx -> i64\n"
    "    %bn = pto.get_block_num\n"
    "    %sel = arith.select %take, %c0, %c1 : index\n"
    "    %ic = arith.index_cast %c0 : index to i32\n"
    "    pto.section.cube { pto.tmatmul ins(%a : !foo<\"(\">) { } }\n"
    "    pto.section.vector { %k = pto.tmins %a, %x : (!pto.tile<...>, dtype) -> !pto.tile<...> }\n"
    "    return %ic : i32\n"
    "  }\n"
    "  func.func @cubefn() attributes {pto.kernel_kind = #pto.kernel_kind<cube>} { pto.tmatmul }\n"
    " } loc(\"x\")\n"
    "}\n"
    "#loc1 = loc(\"a.py\":3:4)\n"
    "//! expect %dst = npy(\"golden.npy\") atol=1e-6 rtol=1e-5\n"
    "%dstVal, %dstIdx = tpartargmin %src0Val, %src1Val, %src0Idx, %src1Idx : !pto.tile<...> -> (!pto.tile<...>, !pto.tile<...>)\n"
    "# comment\n"
    "%d = tmins %a, %s : !pto.tile<16x256xf32>, f32  # trailing\n"
    "%d-x.y$ = TMINS %a, 3.5 : !pto.tile<f32, 16, 256>; %e = tmins %d-x.y$, %s\n"
    "# pto.tassign %arg0, @tile(0x1000)\n"
    "#pto.tassign %arg0, @tile(0x1000)\n";
