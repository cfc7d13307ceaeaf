/* A kernel enumerator compared with a value of its type. */
#pragma D option quiet

BEGIN {
  t = (enum pid_type)1;
  printf("%d %d %d\n", t == PIDTYPE_TGID, t == PIDTYPE_PID, t != PIDTYPE_SID);
  printf("%d\n", (enum pid_type)2 == PIDTYPE_PGID);
  exit(0);
}
