/* Every failed call returns -1. copyin() reads the data that calls have read.
 @@options: -x compat=solaris
 @@command: dd if=%T/calls of=/dev/null bs=1000 count=1 status=none */
#pragma D option quiet

syscall:::return /pid == $target && arg0 == -1 && arg1 == -1 && errno != 0/ { failed = 1; }
syscall:::return /pid == $target && arg0 < -1/ { raw++; }
syscall::read:entry /pid == $target/ { self->buffer = arg1; }
syscall::read:return
/self->buffer != 0 && arg0 >= 512/
{
	this->copy = (char *)copyin(self->buffer, arg0);
	elf = this->copy[1] == 'E';
}
END { printf("%d %d %d\n", failed, raw, elf); }
