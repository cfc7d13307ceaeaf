/* Run queues of the scheduler's fair class. */

/* The number of threads that the CPU of the running thread runs or could run. Linux 6.14 renamed the member. */
inline int __runnable_threads = curthread->se.cfs_rq->h_nr_queued ?? curthread->se.cfs_rq->h_nr_running;
