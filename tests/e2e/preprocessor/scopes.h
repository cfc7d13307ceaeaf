struct both { char c; };
struct hidden;
typedef int c_only_t;
/* Names that D has taken already are left alone. */
enum taken { trace, tid, FREE = 7 };
/* D knows another one. */
typedef unsigned long long pid_t;
/* Not the kernel's: C scope does not see that. */
struct task_struct { int only_member; };
