# A user shows root, in namespaces of the user's own, a debug file for a stripped library of the host that names a place
# inside an instruction as a function. With follow=fork, probes of the user's process are breakpoints in all processes.
cat > victim.c <<'C'
volatile short victim_variable = 7;
unsigned long victim_constant(void) {
  unsigned long value;
  __asm__("movabs $0x1122334455667788, %0" : "=a"(value));
  return value;
}
C
"$CC" -O2 -fomit-frame-pointer -fcf-protection=none -shared -fPIC -s \
  -Wl,--build-id=0x1234567890abcdef -o libvictim.so victim.c
symbols=user/lib/debug/.build-id/12
mkdir -p $symbols
chown -R "$attacker_uid" user/lib
# "ready" or "no namespaces"
start_attacker attacker.out a "$ATTACKERS/swap_library" debug "$work/libvictim.so" \
  "$work/$symbols/34567890abcdef.debug" "$work/user/lib"
(as_bystander "$ATTACKERS/victim" "$work/libvictim.so" "$work/stop") > victim.out &
victim=$!
grep -q "no namespaces" attacker.out && skip "users may not make namespaces"
wait_for_line victim.out ready
bounded 4000 30 "$DSCOPE" -qx follow=fork -p "$attacker" \
  -n 'pid$target:libvictim.so:g:entry { @ = count(); } tick-300ms { exit(0); }' > dscope.out 2>&1 || true
touch stop
wait "$victim" || true
grep -q fine victim.out || fail "the victim's memory was changed"
grep -q "no function g" dscope.out || fail "$(cat dscope.out)"
