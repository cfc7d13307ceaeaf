#!/usr/bin/env bash
# run.sh CASE: runs one attack. The case sees DSCOPE (the program), ATTACKERS (folder of the compiled attackers), CC, and
# the functions below. Its current folder is new, and the attacker may write to ./user. The case passes if it exits
# with 0. `fail` ends it with a message.
set -euo pipefail
case_file=$1
export DTRACE_OPT_CACHE=off # the attacks are on the compiler too

# Ids of the attacker and of a bystander. Neither is that of a Debian system user.
readonly attacker_uid=64901 bystander_uid=64902

skip() {
  printf 'skipped: %s\n' "$*"
  [ "${DSCOPE_REQUIRE_E2E:-0}" = 1 ] && exit 1
  exit 77
}

fail() {
  printf 'attack succeeded: %s\n' "$*"
  exit 1
}

# as_attacker COMMAND...: replaces the shell, so start it in the background or in a subshell.
as_attacker() { exec setpriv --reuid "$attacker_uid" --regid "$attacker_uid" --clear-groups -- "$@"; }
as_bystander() { exec setpriv --reuid "$bystander_uid" --regid "$bystander_uid" --clear-groups -- "$@"; }

# start_attacker OUTPUT TEXT COMMAND...: runs COMMAND in the background as the attacker and waits until its output has
# TEXT. Its process id is in $attacker.
start_attacker() {
  local output=$1 text=$2
  shift 2
  (as_attacker "$@") >"$output" &
  attacker=$!
  wait_for_line "$output" "$text"
}

# bounded MIB SECONDS COMMAND...: runs COMMAND with a limited address space; fails the case if it is killed by a signal
# or needs longer. SECONDS are those of an idle machine: one that runs other tests gets five times as long. Returns the
# exit status of COMMAND.
bounded() {
  local mib=$1 seconds=$(($2 * 5)) status=0
  shift 2
  (ulimit -v $((mib * 1024)); exec timeout -k 5 "$seconds" "$@") || status=$?
  [ "$status" -ne 124 ] && [ "$status" -ne 137 ] || fail "not finished after $seconds s: $*"
  [ "$status" -lt 128 ] || fail "ended by signal $((status - 128)): $*"
  return "$status"
}

# wait_for_line FILE TEXT: until FILE has TEXT, at most 30 s.
wait_for_line() {
  local deadline=$((SECONDS + 30))
  until grep -qF -- "$2" "$1" 2>/dev/null; do
    [ "$SECONDS" -lt "$deadline" ] || { cat "$1" 2>/dev/null || true; fail "no line '$2' in $1"; }
    read -rt 0.02 <> <(:) || true
  done
}

[ "$(id -u)" -eq 0 ] || skip "needs root"
[ -r /sys/kernel/btf/vmlinux ] || skip "the kernel has no BTF"

work=$(mktemp -d /tmp/dscope-attack.XXXXXX)
finish() {
  local status=$?
  trap - EXIT
  jobs -p | xargs -r kill -9 2>/dev/null || true
  wait 2>/dev/null || true
  cd / && rm -rf "$work"
  exit "$status"
}
trap finish EXIT
chmod 755 "$work"
cd "$work"
mkdir user
chown "$attacker_uid:$attacker_uid" user
source "$case_file"
