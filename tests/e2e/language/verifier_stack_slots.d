/* Keys on the stack after conditions: a case that the stack liveness analysis of kernel 6.18 gets wrong. */
#pragma D option quiet
#pragma D option strsize=9

string s0, s1, s2; this string t0; self int m0, m1; int i1, i2; this int n0, n1; string sa[string]; int ia[int, string];

BEGIN {
  sa["c"] = strjoin(s2, s2);
  ia[(self->m1 | self->m0) & 3, "z"] = (int)"a"[0];
  @a[strjoin(s1, substr(s2, 60 & 7)), (this->n1 | i1), this->t0] = count();
}
BEGIN {
  this->n0 = ((strstr(dirname(s1), sa["c"]) == NULL) ? (lltostr(this->n1) < substr("cegac/agbdbb", -1)) : (self->m1 ^ ia[this->n0 & 3, "y"]));
  @a[execname, (i2 ^ this->n0), "b/"] = count();
  printf("%d %d\n", this->n0, ia[0, "z"]);
  exit(0);
}
END { printa("[%s] %d [%s] %@d\n", @a); }
