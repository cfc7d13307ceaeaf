/* A thread goes on and off a CPU in turn. Thread-local variables belong to the thread that the probe concerns.
 @@command: %T/tasks sleep 20 */
#pragma D option quiet

int on, off, mixed;
self int is_on;
sched:::on-cpu /pid == $target/ { mixed += self->is_on; self->is_on = 1; on++; }
sched:::off-cpu /pid == $target && on > 0/ { mixed += !self->is_on; self->is_on = 0; off++; @blocked[curlwpsinfo->pr_state == SSLEEP ? "slept" : "other"] = count(); }
END { printf("%d %d %d", on >= 20, off - on <= 1 && on - off <= 1, mixed); trunc(@blocked); }
