/* printa() with a format: keys left to right, %@ the value, any conversion, fewer keys than there are. */
#pragma D option quiet

BEGIN { @a["x", 1] = sum(255); @a["y", 2] = sum(-1); @c[5] = count(); @v = avg(-7); @q = quantize(2); }
BEGIN {
  printa("%s/%d: %@d\n", @a);
  printa("%@8d|%-4s|%3d|\n", @a);
  printa("%s only\n", @a);
  printa("%@x %@d\n", @a);
  printa("none\n", @a);
  printa("%d=%@u\n", @c);
  printa("%@d\n", @v);
  printa("[%@d]\n", @q);
  exit(0);
}
