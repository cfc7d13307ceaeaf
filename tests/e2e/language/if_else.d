/* if and else: nested, chained, single statements and blocks, with actions and assignments inside. */
#pragma D option quiet

BEGIN {
  x = 5;
  if (x > 3) { printf("big\n"); } else { printf("small\n"); }
  if (x > 7) printf("no\n"); else if (x > 4) printf("middle\n"); else printf("no\n");
  if (x == 5) {
    y = 1;
    if (y) { if (x < 0) printf("no\n"); else { printf("inner\n"); y = 2; } }
  }
  if (y != 2) printf("no\n");
  if (x) ; else printf("no\n");
  if (!x) { } else printf("else\n");
  if (x == 5 && y == 2) s = "then"; else s = "else";
  printf("%s %d\n", s, y);
  this->t = 1;
  if (this->t) this->t = 0; else this->t = 5;
  printf("%d\n", this->t);
  if (x) { @a = count(); @b["k"] = sum(x); }
  printa("%@d\n", @a); printa("%s %@d\n", @b);
  exit(0);
}
