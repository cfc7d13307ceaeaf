/* Operators keep 64 bits. Casts, assignments, recording, keys and typed parameters narrow. char and short are not
   promoted to int. */
#pragma D option quiet

unsigned char uc; signed char sc; char c; int i, j, k; uint32_t u; long wide[long]; int by_int[int];
inline int twice[int x] = x * 2;
inline int product = (j = 100000) * 100000;

BEGIN {
  uc = 254; sc = 3; i = 100000; u = 0xffffffff; k = 2147483647;
  printf("operators:");
  printf(" %d %d", i * 100000 / 7, (i * 100000) >> 4);
  printf(" %d %d", (int64_t)(i * 100000), (uint32_t)(i * 100000));
  printf(" %d %d", (long)-(k + 1), (long)~u);
  printf(" %d %d\n", (k + 1) / 2, (k + 1) % 1000);
  printf("conditions: %d %d %d", k + 1 > 0, u + 1 == 0, (uint32_t)(u + 1) == 0);
  printf(" %d %d %d\n", ~u == 0, i * 65536 * 65536 != 0, (long)(pid > 0 ? k + 1 : k));
}

BEGIN /i * 65536 * 65536/ { printf("predicates keep 64 bits\n"); }

BEGIN {
  printf("recorded: %d %d %d %d %d\n", i * 100000, k + 1, u + 1, uc + sc, sizeof(uc + sc));
  trace(i * 100000); printf("\n");
  j = i * 100000; printf("stored: %d %d", j, (long)(j = i * 100000));
  k += 1; printf(" %d %d", k, (long)k++);
  u++; printf(" %d", (long)u);
  c = 100; c *= 2; printf(" %d", c);
  j = i; j <<= 16; printf(" %d", j);
  j = 1000000; j = j * 1000000 / 1000000; printf(" %d\n", j);
  wide[i * 100000] = 5; by_int[i * 100000] = 6;
  printf("keys: %d %d %d\n", wide[10000000000], wide[1410065408], by_int[1410065408]);
  printf("parameters: %s %s %d %d\n", lltostr(i * 100000), substr("abcdef", (i << 32) + 2, 1), (long)htons(i * i + 1),
      index("abcabc", "a", (i << 40) + 1));
  printf("inlines: %d %d\n", (long)twice[i * 100000], (long)product);
  printf("elements: %c %c\n", "abcdef"[i * 100000 - 9999999998], *("abcdef" + (i * 100000 - 9999999997)));
  printf("constants: %d %d %d", 2147483647 + 1, (long)(2147483647 + 1), (long)(2147483647 + 1) / 2);
  printf(" %d %d %d\n", ~0u == 0xffffffff, (long)((1 << 63) - 1), (char)200);
  @sum = sum(i * 100000);
  @folded = sum(2147483647 + 1);
  @max = max(i * 100000);
  @key[i * 100000] = count();
  @quantized = quantize(i, (1 << 63) - 1);
  @range = quantize(i * 100000);
  printa("aggregations: %@d", @sum);
  printa(" %@d", @folded);
  printa(" %@d", @max);
  printa(" [%d] %@d\n", @key);
  printa("%@d\n", @quantized);
  printa("%@d\n", @range);
  exit((1 << 32) * i);
}
