# The debug link of a library names a FIFO or leads to a device. Opening either has effects or blocks.
command -v objcopy > /dev/null || skip "needs objcopy"
echo 'int exported_function(int a) { return a + 1; }' > library.c
cat > program.c <<'C'
#include <stdio.h>
#include <unistd.h>
int exported_function(int a);
int main(void) {
  printf("ready %d\n", exported_function(1));
  fflush(stdout);
  return pause();
}
C
"$CC" -shared -fPIC -Wl,--build-id=none -o user/plain.so library.c
echo symbols > user/library.debug
strip user/plain.so
(cd user && objcopy --add-gnu-debuglink=library.debug plain.so library.so)
"$CC" -o program program.c user/library.so
for kind in fifo device; do
  rm -f user/library.debug
  if [ $kind = fifo ]; then mkfifo user/library.debug; else ln -s /dev/ptmx user/library.debug; fi
  start_attacker program.out ready env LD_LIBRARY_PATH=. "$work/program"
  bounded 4000 20 "$DSCOPE" -ln 'pid$target:library.so:exported_function:entry' -p "$attacker" > list.out 2>&1 ||
    fail "$kind: $(cat list.out)"
  grep -q exported_function list.out || fail "$kind: $(cat list.out)"
  kill -9 "$attacker"
done
