/* Every first touch of a page is a fault in user code, with its address.
 @@command: %T/calls touch 1000 */
#pragma D option quiet

long addresses, modes[int];

cpc:::page_faults-all-1 /pid == $target/ { all++; period = arg2; modes[(arg0 != 0) + 2 * (arg1 != 0)]++; }
cpc:::page_faults-user-1 /pid == $target && arg1 != 0/ { user++; }
cpc:::page_faults-user-100 /pid == $target/ { hundreds++; }
perf:software:page_faults:1 /pid == $target/ { addresses += arg2 != 0; }
END
{
	printf("%d %d %d %d\n", all >= 1000 && all < 1500, user >= 1000 && user <= all, hundreds >= 9, period);
	printf("%d %d %d\n", modes[0], modes[3], addresses >= 1000);
}
