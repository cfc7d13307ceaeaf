struct out { int a; string b; };
translator struct out < struct task *T > {
	a = T->pid;
	b = stringof(T->comm);
};
translator task_t < pid_t p > { };
translator struct out < int i > { a = i ? 1 : 2; };
#pragma D attributes Evolving/Evolving/Common out_inline
#pragma D binding "1.5" translator
#pragma D depends_on provider sched
inline int out_inline = xlate <struct out>(1).a;
provider myserv {
	probe query__start(int, char *name) : (char *name, int len);
	probe done();
	probe odd(userland char *, ...);
};
