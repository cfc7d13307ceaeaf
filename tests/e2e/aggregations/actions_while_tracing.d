/* normalize(), denormalize(), clear() and trunc() in clauses of a running script act on the values counted before them. */
#pragma D option quiet
#pragma D option switchrate=1ms

BEGIN { step = 0; @n["a"] = sum(10); @n["b"] = sum(-20); @n["c"] = sum(30); @d = quantize(4); @least = min(4); @most = max(4); }
tick-20ms /step == 0/ { normalize(@n, 10); printa("%s %@d\n", @n); }
tick-20ms /step == 1/ { denormalize(@n); trunc(@n, 2); printa("%s %@d\n", @n); }
tick-20ms /step == 2/ { clear(@n); clear(@d); clear(@least); clear(@most); printa("%s %@d\n", @n); printa(@d, @d); }
tick-20ms /step == 3/ { @n["c"] = sum(1); @n["d"] = sum(-1); @d = quantize(8); @least = min(9); @most = max(-9); }
tick-20ms /step == 4/ { printa("%s %@d\n", @n); printa(@d); printa("%@d\n", @least); printa("%@d\n", @most); }
tick-20ms /step == 5/ { trunc(@n, -1); printa("%s %@d\n", @n); trunc(@n); printa("never %s\n", @n); }
tick-20ms /step == 6/ { printa(@n); exit(0); }
tick-20ms { step++; }
