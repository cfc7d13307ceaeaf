struct both { char c; };
struct hidden;
typedef int c_only_t;
/* Names that D already uses are ignored. */
enum taken { trace, tid, FREE = 7 };
/* D has a different type of this name. */
typedef unsigned long long pid_t;
/* Not the kernel's type, which is invisible in C scope. */
struct task_struct { int only_member; };
