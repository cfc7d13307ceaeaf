/* execname follows prctl(PR_SET_NAME).
 @@command: %T/calls name renamed 2 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @[execname, execname == "renamed", curthread->comm == execname] = count(); }
