/* With so many aggregations that they share maps, keys are written up to their full size. */
syscall::openat:entry { @opened[copyinstr(arg1)] = count(); }
BEGIN {
  @a0[pid] = count();
  @a1[pid] = count();
  @a2[pid] = count();
  @a3[pid] = count();
  @a4[pid] = count();
  @a5[pid] = count();
  @a6[pid] = count();
  @a7[pid] = count();
  @a8[pid] = count();
  @a9[pid] = count();
  @a10[pid] = count();
  @a11[pid] = count();
  @a12[pid] = count();
  @a13[pid] = count();
  @a14[pid] = count();
  @a15[pid] = count();
  @a16[pid] = count();
  @a17[pid] = count();
  @a18[pid] = count();
  @a19[pid] = count();
  @a20[pid] = count();
  @a21[pid] = count();
  @a22[pid] = count();
  @a23[pid] = count();
  @a24[pid] = count();
  @a25[pid] = count();
  @a26[pid] = count();
  @a27[pid] = count();
  @a28[pid] = count();
  @a29[pid] = count();
  @a30[pid] = count();
  @a31[pid] = count();
  @a32[pid] = count();
  @a33[pid] = count();
  @a34[pid] = count();
  @a35[pid] = count();
  @a36[pid] = count();
  @a37[pid] = count();
  @a38[pid] = count();
  @a39[pid] = count();
  @a40[pid] = count();
  @a41[pid] = count();
  @a42[pid] = count();
  @a43[pid] = count();
  @a44[pid] = count();
}
/* CHECK: inttoptr (i64 114 to ptr)(ptr */
/* CHECK: i32 257 */
/* NEVER: i32 64, */
