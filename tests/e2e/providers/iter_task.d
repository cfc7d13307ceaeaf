/* All existing threads, before any later event: the built-in variables are those of the iterated thread.
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
