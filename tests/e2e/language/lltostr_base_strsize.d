/* Results are truncated to their first strsize characters. */
#pragma D option quiet
#pragma D option strsize=7
BEGIN
{
  printf("%s %s %s\n", lltostr(12345678), lltostr(-1234567), lltostr(0x123456789, 16));
  printf("%s %s\n", inet_ntoa6((struct in6_addr *)curthread->comm), link_ntop(1, (void *)curthread->comm));
  printf("%s %s\n", strtok("abcdefghij,k", ","), cleanpath("/abcdefghij"));
  exit(0);
}
