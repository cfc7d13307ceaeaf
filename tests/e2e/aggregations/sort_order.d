/* Elements sort by value, ties by key. Integer keys compare unsigned. */
#pragma D option quiet

BEGIN { @a[3] = sum(1); @a[1] = sum(1); @a[-1] = sum(1); @a[7] = sum(-5); @a[2] = sum(9); @a[0] = sum(0);
  @s["b"] = sum(1); @s["a"] = sum(1); @s["ab"] = sum(1); @s["z"] = sum(0); exit(0); }
