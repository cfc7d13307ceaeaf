/* $pid, $uid and their relatives, and $$ forms. */
#pragma D option quiet

BEGIN {
  printf("%d %d\n", $pid == pid, $ppid == ppid);
  printf("%d %d %d %d\n", $uid, $gid, $euid, $egid);
  printf("%d %d\n", $target, $$pid == lltostr(pid));
  exit(0);
}
