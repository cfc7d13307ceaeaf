/* A thread-local string used twice in a clause, the first time as an argument. */
#pragma D option quiet

string s0, s1, s2; this string t0; self string e0, e1; int i0, i2; this int n0, n1; string sa[string]; int ia[int, string];

BEGIN { self->e1 = "text"; }
BEGIN { printf("%d [%s] %d\n", ((strstr(s1, s2) == NULL) ^ (int)(this->t0)[0]), strjoin(s0, self->e1), 258); sa["a"] = self->e1; }
BEGIN { sa["b"] = self->e1; this->n0 = (strjoin("ab/dba.b/cd", s0) == strjoin(self->e1, (this->n1 ? s0 : s0))); printf("%d %s\n", this->n0, sa["b"]); }
BEGIN {
  i2 = index((i0 ? execname : s2), substr(strjoin(substr(s2, 4), self->e1), -1));
  printf("[%s] %d [%s]\n", self->e1, ia[i2 & 3, "z"], strjoin(this->t0, stringof(curthread->comm)));
  exit(0);
}
