/* Four contending threads: the waiter, the lock, and the waiting time.
 @@command: %T/tasks contend 400 */
#pragma D option quiet

long times, addresses, writers, holders;

lockstat:::adaptive-spin, lockstat:::adaptive-block /pid == $target/ { mutexes++; times += args[1] > 0 && args[1] < 1000000000; addresses += args[0] != NULL; }
lockstat:::rw-block /pid == $target/ { semaphores++; writers += args[2] == RW_WRITER; holders += args[4] >= 1 || args[3] == 0; }
lockstat:::spin-spin /args[1] > 10000000000/ { too_long++; }
END { printf("%d %d %d %d\n", mutexes + semaphores > 0, mutexes == times && mutexes == addresses, semaphores >= writers, too_long); }
