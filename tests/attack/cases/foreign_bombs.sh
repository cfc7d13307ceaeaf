# Files that take gigabytes of memory or hours to read: sections without data on the disk, 400 million sections, sizes
# of compressed data that are lies, a debug file of 10 TB. Stacks of a process that runs code in them appear with
# addresses, and one sentence names each file.
kinds=(sparse_debugdata sparse_symbols many_sections compressed_names compressed_types debug_link)
for kind in "${kinds[@]}"; do python3 "$(dirname "$case_file")/../hostile_elf.py" "$kind" "user/$kind"; done
truncate -s 10T user/bomb.debug || skip "the file system has no files of 10 TB"
start_attacker mapped ready "$ATTACKERS/map_files" "${kinds[@]/#/user/}"

trace() {
  bounded 2560 30 "$DSCOPE" -qx ustacklines -x foreigntime=300s -p "$attacker" \
    -n 'syscall::getppid:entry /pid == $target && n++ < 60/ { @[ustack(1)] = count() }' \
    -n 'syscall::getppid:entry /n >= 60/ { exit(0) }' >out 2>err || fail "status $?: $(cat err)"
}
trace
for kind in "${kinds[@]}"; do
  grep -qF "$kind\`0x" out || fail "no address in $kind: $(cat out)"
done
for file in sparse_debugdata sparse_symbols many_sections compressed_types bomb.debug; do
  [ "$(grep -c "^dscope: reading .*/user/$file exceeds 1024 MiB (-x foreignbytes)" err)" = 1 ] ||
    fail "not one sentence for $file: $(cat err)"
done
