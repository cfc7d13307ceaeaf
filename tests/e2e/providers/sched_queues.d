/* Each thread is dequeued from the CPU on which it was enqueued, even if it migrates in between. Some
   machines hide thread switches, so a few mismatches are allowed.
 @@command: %T/tasks busy 300 */
#pragma D option quiet

int queue[int], good, odd;
sched:::enqueue /args[1]->pr_pid == $target/ { odd += queue[args[0]->pr_lwpid] != 0; queue[args[0]->pr_lwpid] = args[2]->cpu_id + 1; }
sched:::dequeue /args[1]->pr_pid == $target && queue[args[0]->pr_lwpid] != 0/
{
	good += queue[args[0]->pr_lwpid] == args[2]->cpu_id + 1;
	odd += queue[args[0]->pr_lwpid] != args[2]->cpu_id + 1;
	queue[args[0]->pr_lwpid] = 0;
}
END { printf("%d\n", good > 20 && odd <= good / 20); }
