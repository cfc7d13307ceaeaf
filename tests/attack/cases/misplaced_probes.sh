# A program whose static probes would put breakpoints inside instructions or count in constants. They are rejected with
# a sentence, and a correct probe of the same file still works.
start_attacker program.out ready "$ATTACKERS/misplaced_probes" "$work/stop"
trace() { bounded 4000 30 "$DSCOPE" -qn "$1::: { @ = count(); } tick-300ms { exit(0); }" -p "$attacker" 2>&1; }

trace 'dsinside$target' > inside.out || true
trace 'dsconstant$target' > constant.out || true
trace 'dsinside*' > inside_all.out || true
trace 'dstwice$target' > twice.out || true
trace 'dsgood$target' > good.out || true
touch stop
wait "$attacker" || true
grep -q fine program.out || fail "the program's memory was changed"
grep -q "no instruction" inside.out || fail "no reason: $(cat inside.out)"
grep -q "no instruction" inside_all.out || fail "no reason: $(cat inside_all.out)"
grep -q "does not match" constant.out || fail "a constant is a semaphore: $(cat constant.out)"
grep -q "does not match" twice.out || fail "an instruction has two semaphores: $(cat twice.out)"
grep -q '[1-9]' good.out || fail "the correct probe did not fire: $(cat good.out)"
