# A user gets root to read static probes from the user's own file but to probe a library of the host: by mounting the
# file over the library's path, and by swapping the file for a link. A program of another user must not notice.
cat > victim.c <<'C'
volatile short victim_variable = 7;
unsigned long victim_constant(void) {
  unsigned long value;
  __asm__("movabs $0x1122334455667788, %0" : "=a"(value));
  return value;
}
C
"$CC" -O2 -fomit-frame-pointer -fcf-protection=none -shared -fPIC -o libvictim.so victim.c

attack() {
  local kind=$1
  rm -f stop
  # The attacker is older: dscope reads a library through the process with the lowest id that maps it.
  local attacker
  # "ready" or "no namespaces"
  start_attacker attacker.out a "$ATTACKERS/swap_library" "$kind" "$work/libvictim.so" "$work/user/probes.so"
  grep -q "no namespaces" attacker.out && skip "users may not make namespaces"
  (as_bystander "$ATTACKERS/victim" "$work/libvictim.so" "$work/stop") > victim.out &
  local victim=$!
  wait_for_line victim.out ready
  bounded 4000 30 "$DSCOPE" -qn 'dsattack*::: { @ = count(); } tick-300ms { exit(0); }' > dscope.out 2>&1 || true
  touch stop
  wait "$victim" || true
  grep -q fine victim.out || fail "$kind: the victim's memory was changed"
  [ "$kind" = bind ] || wait_for_line attacker.out swapped
  kill -9 "$attacker"
}

# Mounted over the library: nobody maps the file with the probe.
attack bind
grep -q "does not match" dscope.out || fail "bind: $(cat dscope.out)"
for _ in 1 2 3; do
  rm -f user/probes.so
  attack link
done
