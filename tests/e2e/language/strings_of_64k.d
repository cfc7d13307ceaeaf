/* Strings longer than 65,535 characters. */
#pragma D option quiet
#pragma D option strsize=66000

BEGIN {
  x = strjoin(execname, "abc");
  y = substr(x, 2, 5);
  @[x] = count();
  printf("%s %d %s %s %d %s ", x, strlen(x), y, strstr(x, "sco"), index(x, "a"), basename("/a/b"));
  printf("%s\n", toupper(strtok(x, "o")));
  exit(0);
}
