/* A NULL thread-local string used twice in one clause faults, and the program loads.
 @@command: true */
#pragma D option quiet

string s0, s1, s2; this string t0; self string e0, e1; int i0, i2; this int n0, n1; string sa[string]; int ia[int, string];

BEGIN {
  printf("%d [%s] %d\n", ((strstr(s1, s2) == NULL) ^ (int)(this->t0)[0]), strjoin(s0, self->e1), 258); sa["a"] = self->e1;
}
END { printf("end\n"); }
