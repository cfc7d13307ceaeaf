# Rates under emulation are unreliable: tests only that the probe fires, and where.
dscope -qn 'profile-97 { @[arg0 != 0 && arg1 != 0] = count(); } tick-100ms { exit(0); } END { printa("%d\n", @); }' -c 'dd if=/dev/zero of=/dev/null bs=1M count=2000 status=none'
# A firing may be late, but never early.
dscope -qn 'int early, late; profile-97 { early += arg2 < 0; late += arg2 > 0; } END { printf("%d %d\n", early, late > 0); }' -c 'dd if=/dev/zero of=/dev/null bs=1M count=500 status=none'
