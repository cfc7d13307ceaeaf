/* Comments anywhere, but not in strings. */
#pragma D option quiet

BEGIN {
  x /* here */ = /* and
  here */ 5; printf("/* not a comment */ %d\n", x); /* end */
  y = x /x; printf("%d\n", y);
  exit(0);
}
