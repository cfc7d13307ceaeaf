/* A NULL thread-local string used twice in one clause faults, and the program loads.
 @@command: true */
#pragma D option quiet

string s0, s1, s2; this string t0; self string e0, e1; int i0, i2; this int n0, n1; string sa[string]; int ia[int, string];

BEGIN {
  sa["a"] = self->e1; this->n0 = (strjoin("ab/dba.b/cd", s0) == strjoin(self->e1, (this->n1 ? s0 : s0)));
}
END { printf("end\n"); }
