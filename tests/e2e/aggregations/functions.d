/* All functions with a scalar result, without keys. */
#pragma D option quiet

BEGIN { @c = count(); @s = sum(5); @a = avg(10); @mi = min(-3); @ma = max(9); @sd = stddev(10); }
BEGIN { @c = count(); @s = sum(-8); @a = avg(15); @mi = min(4); @ma = max(-9); @sd = stddev(20); }
BEGIN { @c = count(); @s = sum(1); @a = avg(21); @mi = min(0); @ma = max(2); @sd = stddev(30); exit(0); }
