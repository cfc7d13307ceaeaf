/* Thread-local strings as arguments, in conditions and as values of arrays within one clause. */
#pragma D option quiet

string s0, s1, s2; this string t0; self string e0, e1; string sa[string];

BEGIN { printf("%d [%s] %d\n", (strstr(s1, s2) == NULL) ^ (int)(this->t0)[0], strjoin(s0, self->e1 == NULL ? "null" : self->e1), 258); }
BEGIN { self->e1 = "text"; }
BEGIN { printf("[%s] [%s]\n", strjoin(s0, self->e1), substr(self->e1, 1)); sa["a"] = self->e1; self->e1 = strjoin(self->e1, sa["a"]); }
BEGIN { printf("%s %s\n", sa["a"], self->e1); exit(0); }
