/* A program for each kind of object; who a thread is about is in task_struct, whether it runs or not. */
iter::task: { @[execname] = count(); }
iter:::task_file /args[1] > 2/ { printf("%d %d\n", pid, args[1]); }
