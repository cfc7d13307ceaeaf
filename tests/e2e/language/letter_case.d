/* tolower() and toupper() change ASCII letters only. */
#pragma D option quiet
string none;
BEGIN
{
  printf("%s %s\n", toupper("aBc[`{az09\351"), tolower("AbC@[`AZ09\311"));
  printf("[%s] [%s]\n", toupper(""), tolower(""));
  printf("%s\n", toupper(execname));
  none = NULL;
}
BEGIN { printf("%s\n", toupper(none)); }
BEGIN { printf("%s\n", tolower(NULL)); }
BEGIN { exit(0); }
