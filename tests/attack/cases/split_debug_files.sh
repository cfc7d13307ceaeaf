# The names of split debug files lead to a FIFO, to a device, and to a file that only root can read. Opening the first
# two blocks or has effects. The types of the third must not be shown.
cat > program.c <<'C'
#include <stdio.h>
#include <unistd.h>
struct secret_of_root { int member_of_root; };
__attribute__((noinline)) int traced_function(struct secret_of_root* secret) { return secret->member_of_root; }
int main(void) {
  struct secret_of_root secret = {1};
  printf("ready %d\n", traced_function(&secret));
  fflush(stdout);
  return pause();
}
C
(cd user && "$CC" -gdwarf-5 -gsplit-dwarf -O1 -c -o program.o ../program.c && "$CC" -o program program.o)
[ -e user/program.dwo ] || skip "the compiler writes no split debug files"
mkdir secret
mv user/program.dwo secret/
chmod 700 secret
start_attacker program.out ready "$work/user/program"
for name in program.dwo program.dwp; do
  for kind in fifo device secret; do
    rm -f user/program.dw?
    case $kind in
      fifo) mkfifo "user/$name" ;;
      device) ln -s /dev/ptmx "user/$name" ;;
      secret) ln -s ../secret/program.dwo "user/$name" ;;
    esac
    bounded 4000 20 "$DSCOPE" -lvn 'pid$target:a.out:traced_function:entry' -p "$attacker" > list.out 2>&1 ||
      fail "$name, $kind: $(cat list.out)"
    grep -q traced_function list.out || fail "$name, $kind: $(cat list.out)"
    [ "$kind" = secret ] || ! grep -q secret_of_root list.out || fail "$name, $kind: types from nowhere: $(cat list.out)"
  done
done
