/* A cast truncates and then extends according to the target type. */
#pragma D option quiet

BEGIN {
  x = 0x1234567890abcdef;
  printf("%d %d %d %d\n", (char)x, (unsigned char)x, (short)x, (unsigned short)x);
  printf("%d %u %d\n", (int)x, (unsigned int)x, (long)(int)x);
  printf("%d %d\n", (char)-1, (unsigned char)-1);
  m = -1;
  printf("%d %d %d %d\n", (unsigned char)m, (unsigned short)m, (unsigned int)m, (long)m);
  printf("%u %d\n", (unsigned long)m, (int64_t)(uint32_t)m);
  printf("%d %d\n", (int8_t)200, (uint8_t)-56);
  printf("%p %d\n", (void *)x, (int)(long)(void *)77);
  exit(0);
}
