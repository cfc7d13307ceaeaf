/* Kernel structs, unions, enumerators, typedefs and offsetof from BTF. */
#pragma D option quiet

BEGIN {
  printf("%d %d\n", curthread->pid == tid, curthread->tgid == pid);
  printf("%d\n", curthread->real_parent->tgid == ppid);
  printf("%s\n", stringof(curthread->comm));
  printf("%d %d\n", curthread->mm != NULL, curthread->mm->owner->tgid == pid);
  printf("%d\n", curthread->group_leader == curthread);
  printf("%d %d\n", sizeof(struct list_head), offsetof(struct list_head, prev));
  printf("%d %d\n", curthread->cred->uid.val, sizeof(loff_t));
  t = (struct task_struct *)(long)curthread; printf("%d\n", t->pid == pid);
  printf("%d\n", curthread->signal->nr_threads);
  printf("%d\n", (&curthread->pid)[1] == pid);
  exit(0);
}
