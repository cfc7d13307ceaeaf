# Probes in a file that neither root nor the user who runs it owns are attached to the processes that run it, not to
# every process that maps the file.
mkdir other
cp "$ATTACKERS/misplaced_probes" other/program
chmod 755 other other/program
plan() { bounded 4000 30 "$DSCOPE" --dry-run --dump=plan -n 'dsgood*::: { @ = count(); }' | grep "uprobe .*/program+"; }

trace() {
  chown "$1" other other/program
  rm -f stop program.out
  local attacker
  start_attacker program.out ready "$work/other/program" "$work/stop"
  plan > plan.out || fail "no probe"
  touch stop
  wait "$attacker"
  grep -q "of $2" plan.out || fail "owner $1: expected probes of $2: $(cat plan.out)"
}
trace "$bystander_uid" "process [0-9]"
trace "$attacker_uid" "every process"
trace root "every process"
