/* Stacks of a program without frame pointers as keys: all functions, other keys beside them, conditions, and the
 * result of clear() and trunc().
 @@options: -x ustackunwind=dwarf
 @@command: %T/deep 20 */
#pragma D option quiet

pid$target:a.out:leaf:entry
{
	n++;
	@count[ustack(3)] = count();
	@sum[n % 2, ustack(3)] = sum(n);
	@avg[ustack(3), "text", probefunc] = avg(n);
	@deviation[ustack(1)] = stddev(n * 1000000000);
	@power[ustack(3)] = quantize(n, 2);
	@linear[ustack(1)] = lquantize(n, 0, 30, 10);
	@log[ustack(1)] = llquantize(n, 10, 0, 2, 10);
	n > 20 ? (@late[ustack(2)] = count()) : (@early[ustack(2)] = count());
	@least[ustack(3)] = min(n);
	@most[ustack(3)] = max(-n);
	@cleared[ustack(3)] = sum(n);
	@started[ustack(3)] = min(-n);
	@kept[ustack(3)] = count();
	@gone[ustack(3)] = count();
}

pid$target:a.out:leaf:return
/n == 20/
{
	clear(@cleared);
	clear(@started);
	trunc(@gone);
}

END
{
	trunc(@kept, 1);
	printa(@count);
	printa("%d %k%@d\n", @sum);
	printa("%k%@d %@d\n", @least, @most);
}
