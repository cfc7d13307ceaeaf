# The file of a mapped library is cut and written all the time while stacks through it are unwound and named.
cat > library.c <<'C'
#define FUNCTION(n) int function_##n(int a) { return a * n; }
FUNCTION(1) FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(5) FUNCTION(6) FUNCTION(7) FUNCTION(8)
C
"$CC" -g -shared -fPIC -o user/library.so library.c
chown "$attacker_uid" user/library.so
start_attacker attacker.out ready "$ATTACKERS/truncated_library" "$work/user/library.so"
for unwinding in auto dwarf; do
  for _ in 1 2 3; do
    bounded 4000 20 "$DSCOPE" -qx ustackunwind="$unwinding" -p "$attacker" -n '
      syscall::getppid:entry /pid == $target/ { @[ustack(4)] = count(); }
      syscall::getppid:entry /pid == $target && n++ % 64 == 0/ { ustack(4); usym(ucaller); }
      tick-300ms { exit(0); }' > stacks.out 2> stacks.err || fail "$unwinding: $(tail -n 3 stacks.err)"
  done
done
