/* rand() returns 32 pseudo-random bits as an int. */
#pragma D option quiet

BEGIN {
  a = rand(); c = rand(); d = rand();
  printf("%d %d\n", sizeof(a), a != c || c != d);
  exit(0);
}
