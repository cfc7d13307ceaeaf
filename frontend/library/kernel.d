/*
 * Variables of the kernel, for kernels without symbols or types of variables (CONFIG_KALLSYMS_ALL is off): there `name is
 * __kernel_name. Programs can read them, but most of them have no address.
 */

/* Clock ticks. The kernel starts to count five minutes before the lower half of the counter overflows. */
inline unsigned long __kernel_jiffies =
    (unsigned int)(-300 * __machine_hertz) + timestamp / (1000000000 / __machine_hertz);
inline uint64_t __kernel_jiffies_64 = __kernel_jiffies;

inline unsigned int __kernel_nr_cpu_ids = __machine_possible_cpus;
inline unsigned long __kernel_totalram_pages = __machine_pages;
inline string __kernel_linux_banner = __machine_banner;

/* The init task is the parent of the first process. The first entry of `numbers` is the outermost pid namespace. */
inline struct pid_namespace __kernel_init_pid_ns = *curthread->thread_pid->numbers[0].ns;
inline struct task_struct __kernel_init_task = *curthread->thread_pid->numbers[0].ns->child_reaper->real_parent;
