/* Strings are copied on assignment, in every kind of variable. */
#pragma D option quiet

string declared;

BEGIN {
  s = "first"; t = s; s = "second one";
  printf("%s %s\n", s, t);
  self->s = s; this->s = t; a[1] = s; self->a["x"] = "el";
  s = "";
  printf("[%s] [%s] [%s] [%s] [%s]\n", s, self->s, this->s, a[1], self->a["x"]);
  u = v = "both"; printf("%s %s\n", u, v);
  u = strjoin(u, u); u = strjoin(u, u); printf("%s\n", u);
  d = "x"; printf("%d\n", strlen(d));
  printf("[%s]\n", declared);
  exit(0);
}
