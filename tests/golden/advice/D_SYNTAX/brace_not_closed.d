BEGIN {
	trace(1);
syscall::read:entry { trace(2); }
