/*
 * Variables of the kernel, for kernels that name their functions only (without CONFIG_KALLSYMS_ALL), or do not tell the
 * types: there `name is __kernel_name. They can be read, and most of them have no address.
 */

/* The clock's ticks: the kernel begins to count five minutes before the lower half of the number is full. */
inline unsigned long __kernel_jiffies =
    (unsigned int)(-300 * __machine_hertz) + timestamp / (1000000000 / __machine_hertz);
inline uint64_t __kernel_jiffies_64 = __kernel_jiffies;

inline unsigned int __kernel_nr_cpu_ids = __machine_possible_cpus;
inline unsigned long __kernel_totalram_pages = __machine_pages;
inline string __kernel_linux_banner = __machine_banner;

/* The first process is a child of the thread that the kernel began with, and the outermost names processes. */
inline struct pid_namespace __kernel_init_pid_ns = *curthread->thread_pid->numbers[0].ns;
inline struct task_struct __kernel_init_task = *curthread->thread_pid->numbers[0].ns->child_reaper->real_parent;
