#!/usr/bin/env bash
# Completes command lines as bash does, and compares the results. usage: check_bash.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
compopt() { :; }  # works only while bash itself completes
source ./dscope.bash

failed=0

# expect RESULTS WORD...: completes the last WORD. Words are split as readline splits them: at "=".
expect() {
  local expected=$1
  shift
  COMP_WORDS=(dscope "$@") COMP_CWORD=$#
  _dscope
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" = "$expected" ] && return
  printf 'dscope %s: expected "%s", completed to "%s"\n' "$*" "$expected" "${COMPREPLY[*]}"
  failed=1
}

expect '-x' -x
expect '--dry-run --dump=' --d
expect 'aggsize=' -x aggsi
expect 'fill ring switch' -x bufpolicy =
expect 'ring' -qx bufpolicy = r
expect 'off on' -x agghist = o
expect 'csv' --format = c
expect 'summary' --dump = su
expect 'plan,asm plan,ast' --dump = plan,as
expect 'a c s t' -X ''
expect 'syscall sysinfo' -P sys
expect 'generate.py' -o gen
expect 'generate.py' -q -- cat gen
expect "$$" -p "$$"
exit "$failed"
