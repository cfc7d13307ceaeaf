/* The built-in variables in a system call of the target.
 @@command: %T/calls getppid 1 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ {
  printf("%s %d %d %d\n", execname, pid == $target, tid == pid, ppid == $pid);
  printf("%d %d %d\n", uid, gid, errno);
  printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
  printf("%d %d %d\n", id > 3, epid > 0, cpu >= 0);
  printf("%d %d\n", timestamp > 0 && timestamp == timestamp, walltimestamp > 1700000000000000000);
  printf("%d %d\n", vtimestamp > 0, vtimestamp < 10000000000);
  printf("%d %d\n", stackdepth > 0, caller != 0);
  printf("%s %d %d\n", stringof(curthread->comm), curthread->tgid == pid, curthread->pid == tid);
  printf("%d %d\n", curthread->real_parent->tgid == ppid, curthread->mm->owner == curthread);
}
