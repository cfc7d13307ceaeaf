#!/usr/bin/env bash
# Traces with an installed dscope, as root. Uses only what a minimal system has.
set -euo pipefail
export PATH=$PATH:/usr/sbin

fail() { printf 'installed: %s\n' "$*" >&2; exit 1; }

# expect PATTERN COMMAND...: the output of COMMAND contains the extended regular expression.
expect() {
  local pattern=$1 output status=0
  shift
  output=$("$@" 2>&1) || status=$?
  [ "$status" -eq 0 ] || fail "$* ended with status $status: $output"
  grep -qE "$pattern" <<<"$output" || fail "$* printed no '$pattern': $output"
}

expect 'dscope' dscope --version
expect '^' dscope -n 'BEGIN { exit(0); }'
# From the cache.
expect '^' dscope -n 'BEGIN { exit(0); }'
expect 'cat +[1-9]' dscope -qn 'syscall::openat:entry /pid == $target/ { @[execname] = count(); }' -c 'cat /etc/hostname'
expect 'cat +[0-9] +0 +/etc/hostname' dscope-opensnoop -n cat -c 'cat /etc/hostname'
expect 'read +[1-9]' dscope-syscount -c 'cat /etc/hostname'
if command -v dtrace >/dev/null; then expect 'dtrace' dtrace -V; fi

if command -v dscope-run >/dev/null; then
  dscope --build=/tmp/opens.dsb -qn 'syscall::openat:entry /pid == $target/ { @[execname] = count(); }'
  expect 'cat +[1-9]' dscope-run -c 'cat /etc/hostname' /tmp/opens.dsb
fi

# Every script compiles.
tools=0
for tool in /usr/bin/dscope-*; do
  [[ $(readlink "$tool") == *.d ]] || continue
  tools=$((tools + 1))
  dscope -eZ -p $$ -s "$tool" >/dev/null 2>/tmp/error || fail "$tool does not compile: $(cat /tmp/error)"
done
[ "$tools" -ge 63 ] || fail "$tools scripts are installed"
printf 'installed: tracing works, and %d scripts compile\n' "$tools"
