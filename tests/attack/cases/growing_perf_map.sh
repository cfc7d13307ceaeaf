# A perf map that grows faster than anyone can read it: addresses appear without names.
start_attacker mapped ready "$ATTACKERS/grow_perf_map"
status=0
(bounded 2560 20 "$DSCOPE" -x foreigntime=300s -qp "$attacker" \
  -n 'syscall::getppid:entry /pid == $target/ { ustack(1); exit(0) }' >out 2>err) || status=$?
rm -f "/tmp/perf-$attacker.map"
[ "$status" = 0 ] || fail "status $status: $(cat out err)"
wait_for_line mapped grown
grep -q '^ *0x[0-9a-f]*$' out || fail "no address: $(cat out)"
grep -qF "dscope: reading /tmp/perf-$attacker.map exceeds 1024 MiB (-x foreignbytes)" err || fail "no sentence: $(cat err)"
