/* strtok() returns one token after the other, for any delimiters. */
#pragma D option quiet
string none;
BEGIN
{
  printf("%s\n", strtok(",,,a,,b", ","));
  printf("%s\n", strtok(NULL, ","));
  this->is_over = strtok(NULL, ",") == NULL;
  printf("%d\n", this->is_over);
  printf("[%s]\n", strtok(NULL, "x"));
}
BEGIN
{
  printf("%s|", strtok("This is:a;test", " "));
  printf("%s|", strtok(0, ";:"));
  printf("%s|", strtok(0, ";"));
  printf("%s|\n", strtok(NULL, ""));
}
BEGIN { printf("[%s] [%s]\n", strtok("", ","), strtok("whole", "")); }
BEGIN { printf("%d\n", strtok("only,,,", ",") == NULL); }
BEGIN { none = NULL; printf("%s\n", strtok(none, ",")); }
BEGIN { printf("%s\n", strtok("a,b", none)); }
BEGIN { printf("%s\n", strtok(none == NULL ? NULL : "a", ",")); }
BEGIN { exit(0); }
