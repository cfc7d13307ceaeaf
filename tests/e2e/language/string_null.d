/* NULL strings compare by address: equal to NULL only, below every string. */
#pragma D option quiet

string glob; self string absent; string arr[string];

BEGIN {
  s = "x";
  s = strstr("abc", "z");
  printf("%d%d%d\n", s == NULL, s != NULL, s == "");
  printf("%d%d\n", s < "", s < "a");
  e = "";
  printf("%d%d\n", e == NULL, e != NULL);
  printf("%d%d%d\n", self->absent == NULL, arr["absent"] == NULL, glob == NULL);
  self->absent = "now"; printf("%d %s\n", self->absent == NULL, self->absent);
  self->absent = 0; printf("%d\n", self->absent == NULL);
  arr["absent"] = "v"; arr["absent"] = 0; printf("%d\n", arr["absent"] == NULL);
  printf("%d\n", strchr("abc", 'z') == NULL);
  s = NULL; printf("%d\n", s == NULL);
  s = "again"; printf("%s %d\n", s, s == NULL);
  exit(0);
}
