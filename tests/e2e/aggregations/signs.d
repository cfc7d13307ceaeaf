/* Arguments are sign- or zero-extended by their own type. Sums wrap. Averages are signed. */
#pragma D option quiet

BEGIN { @a = sum((char)-1); @b = sum((unsigned char)-1); @c = sum(0xffffffff); @d = sum(-1); }
BEGIN { @e = sum(9223372036854775807); @e = sum(1); @f = min(0xffffffffffffffff); @g = max(0xffffffffffffffff); }
BEGIN { @h = avg(-7); @h = avg(-8); @i = avg(-1); @i = avg(2); @j = stddev(-10); @j = stddev(10); exit(0); }
