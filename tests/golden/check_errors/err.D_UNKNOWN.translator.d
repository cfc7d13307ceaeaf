translator struct list_head < struct task_struct *T > {
	next = T->tasks.next;
};
