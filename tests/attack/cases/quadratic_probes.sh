# Listing the static probes of a process whose files hold long lists, each of which a simple reader searches once for
# each element of another. The limit of CPU time holds on a busy machine, too.
list() {
  bounded 3584 90 bash -c 'ulimit -t 10; exec "$@"' bash "$DSCOPE" -ln 'hostile*:::' 2>err | wc -l >rows
}
for kind in probes_by_symbols probes_by_segments stubs_by_segments stubs_by_calls; do
  python3 "$(dirname "$case_file")/../hostile_elf.py" "$kind" "user/$kind"
  start_attacker "mapped.$kind" ready "$ATTACKERS/map_files" "user/$kind"
  # A file may exceed its budget instead, which one sentence says.
  list || grep -q "^dscope: reading .*/user/$kind exceeds " err || fail "$kind: $(cat rows) $(head -3 err)"
  if [ "$kind" = stubs_by_calls ]; then
    [ "$(grep -cF "/user/$kind has more than 16 static probes at one address" err)" = 1 ] ||
      fail "not one sentence about the probes at one address: $(head -3 err)"
  fi
  kill -9 "$attacker"
  wait "$attacker" || true
done
