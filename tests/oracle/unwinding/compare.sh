#!/usr/bin/env bash
# Compares unwinding by tables with elfutils while Python, PostgreSQL, git, a C++ and a Rust program run, each in a loop.
#   compare.sh ORACLE DSCOPE SAMPLES
# Fails if fewer than 99 % of the stacks are equal, if the tables of all processes take more than 50 MB, or if a stack of
# 30 frames takes more than 10 us.
set -euo pipefail
oracle=$1 dscope=$2 samples=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
chmod 755 "$work"
started=()
finish() {
  for pid in "${started[@]}"; do kill -- "-$pid" 2>/dev/null || true; done
  sleep 1
  rm -rf "$work"
}
trap finish EXIT
# Each load is the leader of a process group, so that it ends with all its children.
start() { setsid "$@" >>"$work/log" 2>&1 & started+=($!); }

g++ -O2 -o "$work/load_cpp" "$here/load.cpp"
/usr/bin/rustc -O --edition 2021 -o "$work/load_rust" "$here/load.rs"
start "$work/load_cpp"
start "$work/load_rust"
start python3 "$here/load.py"

git init -q "$work/repository"
for i in $(seq 200); do head -c 3000 /dev/urandom | base64 > "$work/repository/file$i"; done
git -C "$work/repository" add .
git -C "$work/repository" -c user.name=a -c user.email=a commit -qm files
start sh -c "while true; do git -C '$work/repository' -c gc.auto=0 repack -adfq --window=50; git -C '$work/repository' log -p; done"

binaries=$(echo /usr/lib/postgresql/*/bin)
install -d -o postgres "$work/postgres"
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups env LC_ALL=C "$@"; }
as_postgres "$binaries/initdb" -D "$work/postgres/data" -A trust >"$work/log" 2>&1
start setpriv --reuid=postgres --regid=postgres --clear-groups "$binaries/postgres" -D "$work/postgres/data" \
  -c listen_addresses= -k "$work/postgres" -c fsync=off
for _ in $(seq 100); do as_postgres "$binaries/psql" -h "$work/postgres" -c 'SELECT 1' postgres >/dev/null 2>&1 && break; sleep 0.1; done
as_postgres "$binaries/psql" -h "$work/postgres" -qc \
  'CREATE TABLE words AS SELECT i AS id, md5(i::text) AS word FROM generate_series(1, 20000) i' postgres
start setpriv --reuid=postgres --regid=postgres --clear-groups sh -c "while true; do echo \"SELECT count(*), \
  max(a.word || b.word) FROM words a JOIN words b ON a.id = b.id * 2 WHERE a.word ~ '^[0-9]+a' GROUP BY left(b.word, 1) \
  ORDER BY 2;\"; done | '$binaries/psql' -h '$work/postgres' -qAt postgres"

status=0
"$oracle" --equal=99 --kilobytes=51200 "$samples" load_cpp load_rust python3 git postgres || status=1

# The walk in the kernel: what a system call costs more with a stack of about 30 frames than with one.
cat > "$work/deep.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <sys/syscall.h>
__attribute__((noinline)) static long descend(int depth, long calls) {
  long sum = depth;
  if (depth == 0) while (calls-- > 0) sum += syscall(SYS_getppid);
  else sum += descend(depth - 1, calls);
  __asm__ volatile("" : "+r"(sum));
  return sum;
}
int main(int argc, char **argv) {
  struct timespec a, b;
  long calls = atol(argv[2]);
  if (argc > 3) { getchar(); }
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  descend(atoi(argv[1]), calls);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  fprintf(stderr, "%ld\n", ((b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec) / calls);
}
C
gcc -O1 -fomit-frame-pointer -o "$work/deep" "$work/deep.c"
measure() {
  "$dscope" -qx ustackunwind=tables -n "syscall::getppid:entry /pid == \$target/ { $1 }" -c "$work/deep 26 200000" 2>&1 >/dev/null |
    grep -E '^[0-9]+$'
}
with=$(measure '@[ustack(30)] = count();') without=$(measure '@[probefunc] = count();')
echo "30 frames in the kernel: $((with - without)) ns more than a constant key ($with and $without ns)"
[ $((with - without)) -le 10000 ] || status=1
exit $status
