BEGIN
{
	x = 42 + 052 + 0x2a + 0xffffffff + 2147483648 + 1u + 1l + 1ul + 1ll + 1ull;
	s = "tab\t nul\0 quote\" back\\ odd\? octal\101 hex\x41 high\377";
	t = sizeof (int) + sizeof x + sizeof (x) + sizeof (x)->y + sizeof (struct task *[3]);
	u = offsetof(struct task, comm) + offsetof(task_t, string);
	v = (pid_t)arg0 + (struct task *)arg1 + (int (*)(void))0 + (mod`foo_t *)0;
	w = stringof x + stringof (y) + (string)z;
	self->a = this->b[1, "k"] + self->c->d.e;
	args[0]->f_path.dentry->d_name.name;
	`jiffies; vmlinux`jiffies; ``main; a.out``main; 9p`sym;
	curthread->self->probe->string.import;
	xlate <task_t *>(curthread)->comm;
	@a[execname, ustack()] = lquantize(arg0, 0, 100, 10);
	@ = count();
	f(); f(1); f(1, (2, 3));
	$target; $$target;
	(userland char *)arg1;
}
