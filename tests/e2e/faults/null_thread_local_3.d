/* A NULL thread-local string used twice in one clause faults, and the program loads.
 @@command: true */
#pragma D option quiet

string s0, s1, s2; this string t0; self string e0, e1; int i0, i2; this int n0, n1; string sa[string]; int ia[int, string];

BEGIN {
  i2 = index((i0 ? execname : s2), substr(strjoin(substr(s2, 4), self->e1), -1));
  printf("[%s] %d [%s] [%s]\n", self->e1, ia[i2 & 3, "z"], strjoin(this->t0, stringof(curthread->comm)), stringof(curthread->comm));
}
END { printf("end\n"); }
