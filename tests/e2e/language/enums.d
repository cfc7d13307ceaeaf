/* Enumerators of D enums are constants of the enum type. */
#pragma D option quiet

enum color { RED, GREEN, BLUE = 7, LAST };
enum color d;

BEGIN {
  printf("%d %d %d %d\n", RED, GREEN, BLUE, LAST);
  c = GREEN; printf("%d %d\n", c, c == GREEN);
  d = BLUE; printf("%d %d\n", d, d == 7);
  printf("%d %d\n", sizeof(enum color), RED | BLUE);
  a[GREEN] = 3; printf("%d\n", a[1]);
  exit(0);
}
