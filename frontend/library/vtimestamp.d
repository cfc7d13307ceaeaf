/*
 * vtimestamp: the kernel books the CPU time of a thread at its ticks and when the thread stops running. As long as
 * nothing has been booked since the last look, the thread has been running, and time has passed for it as for all.
 */
self uint64_t __booked;    /* by the kernel, at the last look */
self uint64_t __seen;      /* what vtimestamp was then */
self uint64_t __seen_at;
this uint64_t __total;

inline uint64_t __vtimestamp = (this->__total = curthread->se.sum_exec_runtime,
    self->__seen = self->__seen_at != 0 && this->__total == self->__booked ?
	self->__seen + timestamp - self->__seen_at : this->__total > self->__seen ? this->__total : self->__seen,
    self->__booked = this->__total, self->__seen_at = timestamp, self->__seen);
#pragma D attributes Stable/Stable/Common __vtimestamp
