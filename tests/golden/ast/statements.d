BEGIN
{
	OPT ? @a[1] = count() : 1;
	x ? (trace(1), @b = sum(2), y = 3) : z ? trace(2) : (z = 4);
	(x ? trace(1) : 1), (y ? y++ : --y);
	if (x) if (y) { ; } else ; else { trace(1) }
	if (x) { } else if (y, z) { a; b };
	# 40 "other.d"
	trace(2);;
#pragma D option quiet
	p->self.string->probe.if->while.import = 1;
	this->probe[self->string].translator++
}
END
/x/
#line 7
{
}
syscall::read:entry /a
	/* both divide */ / 2 /
	b/ { exit(0) }
