#!/usr/sbin/dscope -s
#pragma D option quiet
#pragma D option strsize=1k

/* default actions */
BEGIN { }
syscall::read:entry, syscall::write:entry,
io:::start { ; ; }

1, 42
/pid == 12 && execname != "cat"/
{
	self->start = timestamp;
	@reads[execname, pid] = count();
	@ = quantize(arg0);
}

profile:::tick-1s /self->start/ { trace(timestamp - self->start); exit(0) }

pid123:libc.so.6:malloc:entry /* comments go anywhere */
/ arg0 / 2 > 10 / /* here too */
{
	printf("%d\n", arg0); /* and here */
}

::foo*[a-z]?\*: { }
END { }
