# The perf map of a process is a FIFO, or leads to a file that only root can read. Neither may block dscope, nor may it
# print the file.
mkdir secret
touch secret/map
chmod 600 secret/map
trace() {
  local kind=$1
  local attacker
  start_attacker attacker.out a "$ATTACKERS/perf_map" "$kind" "$work/secret"
  grep -q "no namespaces" attacker.out && skip "users may not make namespaces"
  wait_for_line attacker.out "code at"
  printf '%s 1000 content_of_the_secret\n' "$(sed -n 's/code at //p' attacker.out)" > secret/map
  bounded 4000 20 "$DSCOPE" -qp "$attacker" -n '
    syscall::getppid:entry /pid == $target/ { ustack(2); } tick-300ms { exit(0); }' > stacks.out 2> stacks.err ||
    fail "$kind: $(tail -n 3 stacks.err)"
  [ -s stacks.out ] || fail "$kind: no stacks"
  ! grep -q content_of_the_secret stacks.out || fail "$kind: the content of the file was printed"
  rm -f "/tmp/perf-$attacker.map"
  kill -9 "$attacker"
}
trace fifo
trace link
trace bind
