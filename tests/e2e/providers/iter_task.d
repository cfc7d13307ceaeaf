/* All threads there are, in front of what happens then: the built-in variables are those of the thread that is told of.
 @@command: %T/tasks contend 1 */
#pragma D option quiet

string first;
int own, threads;

BEGIN { first = "begin"; }
syscall:::entry /pid == $target && first == "begin"/ { first = "call"; }
iter::task: { threads++; own += pid == $pid; }
iter:::task /pid == $target/ {
  printf("%s %d %d %s\n", execname, tid == $target, args[0]->tgid == pid && args[0] == curthread, first);
  printf("%d %d %s %s\n", ppid == $pid, uid, args[0]->comm, probefunc);
}
END { printf("%d %d\n", threads > 5, own > 0); }
