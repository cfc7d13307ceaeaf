/* NULL strings compare by address: equal to NULL only, below every string. A NULL result of strstr() and the like
   prints as nothing. Members and array elements cannot be NULL: there it becomes "". */
#pragma D option quiet

struct object { int number; string text; };
string glob; self string absent; string arr[string];
struct object o, objects[string]; string texts[3];

BEGIN { o.text = texts[1] = objects["k"].text = "before"; }

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
  printf("[%s][%s]\n", strstr("abc", "z"), s == "again" ? strchr("abc", 'z') : "a");
  @keys[strstr("abc", "z")] = count();
  s = NULL; o.text = s; texts[1] = s; objects["k"].text = s == NULL ? s : "x";
  printf("[%s][%s][%s]%d\n", o.text, texts[1], objects["k"].text, strlen(o.text));
  printa("[%s]%@d\n", @keys);
  exit(0);
}
