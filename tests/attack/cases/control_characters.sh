# Names that another user chooses cannot control root's terminal or forge rows.
readonly escape=$'\033'

# A process whose name has a line end: it looks like a row of its own.
cat >forger.py <<'SCRIPT'
import os
os.write(os.open("/proc/self/comm", os.O_WRONLY), b"a\n  root  99")
for i in range(3):
    os.write(os.open("/dev/null", os.O_WRONLY), b"x")
SCRIPT
"$DSCOPE" -q -n 'syscall::write:entry /pid == $target/ { @[execname] = count(); }' -c "python3 forger.py" >rows 2>&1
grep -q '^  a^J  root  99' rows || fail "no visible line end: $(cat rows)"
! grep -q '^  root  99' rows || fail "a forged row: $(cat rows)"
"$DSCOPE" -q -x rawtext -n 'syscall::write:entry /pid == $target/ { @[execname] = count(); }' -c "python3 forger.py" >rows 2>&1
grep -q '^  root  99' rows || fail "rawtext changed a key: $(cat rows)"

# A function whose name clears the screen and has a line end and a separator of folded frames.
echo '__attribute__((noinline)) int evil_placeholder_(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
int main(void) { int sum = 0; for (int i = 0; i < 10; ++i) sum = evil_placeholder_(sum); return sum != 10; }' >evil.c
"$CC" -g0 -O1 -fno-inline -fno-omit-frame-pointer -o evil evil.c
LC_ALL=C sed -i 's/evil_placeholder_/evil;\x1b[2J\x0d\x01xxxxxx/g' evil
check_names() {
  ! grep -q "$escape" names || fail "an escape character in the output of $*: $(cat -v names)"
  grep -qF 'evil' names || fail "no name in the output of $*: $(cat -v names)"
}
for arguments in '-l' '-lv' '-q' '' '-F'; do
  # shellcheck disable=SC2086
  "$DSCOPE" $arguments -n 'pid$target:a.out:evil*:entry { ustack(2); }' -c ./evil >names 2>&1 || true
  check_names "$arguments"
done
"$DSCOPE" --format=folded -n 'pid$target:a.out:evil*:entry { @[ustack(2)] = count(); }' -c ./evil >names 2>&1
check_names folded
! grep -q 'evil;' names || fail "a forged frame: $(cat names)"
