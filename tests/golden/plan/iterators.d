/* One program per kind of object. The facts of a thread come from task_struct, whether or not the thread runs. */
iter::task: { @[execname] = count(); }
iter:::task_file /args[1] > 2/ { printf("%d %d\n", pid, args[1]); }
