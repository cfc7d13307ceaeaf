/*
 * vtimestamp: the kernel accounts the CPU time of a thread at ticks and when the thread stops running. If the accounted
 * time has not changed since the last read, the thread has been running all the time, so that the elapsed time is CPU
 * time.
 */
self uint64_t __accounted;  /* the accounted time at the last read */
self uint64_t __last_value; /* vtimestamp at the last read */
self uint64_t __last_time;
this uint64_t __total;

inline uint64_t __vtimestamp = (this->__total = curthread->se.sum_exec_runtime,
    self->__last_value = self->__last_time != 0 && this->__total == self->__accounted ?
	self->__last_value + timestamp - self->__last_time :
	this->__total > self->__last_value ? this->__total : self->__last_value,
    self->__accounted = this->__total, self->__last_time = timestamp, self->__last_value);
#pragma D attributes Stable/Stable/Common __vtimestamp
