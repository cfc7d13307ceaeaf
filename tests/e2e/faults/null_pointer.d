/* -> on NULL reports address 0. On another bad address it reports the address of the member. */
#pragma D option quiet

BEGIN { p = (struct task_struct *)NULL; trace(p->pid); }
BEGIN { p = (struct task_struct *)NULL; trace(p->comm); }
BEGIN { l = (struct list_head *)8; trace(l->prev); }
BEGIN { trace(curthread->mm->owner->tgid == pid); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
