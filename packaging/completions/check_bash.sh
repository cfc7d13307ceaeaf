#!/usr/bin/env bash
# Completes command lines as bash does, and compares the results. usage: check_bash.sh DSCOPE
set -euo pipefail
export DSCOPE_COMPLETER=$1
cd "$(dirname "${BASH_SOURCE[0]}")"
compopt() { :; }  # works only while bash itself completes
source ./dscope.bash

failed=0

# expect RESULTS LINE: completes the end of the line.
expect() {
  local expected=$1
  COMP_LINE=$2 COMP_POINT=${#2}
  _dscope
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | xargs)" = "$expected" ] && return
  printf '%s: expected "%s", completed to "%s"\n' "$2" "$expected" "${COMPREPLY[*]}"
  failed=1
}

expect '--dry-run --dump=' 'dscope --d'
expect 'aggsize=' 'dscope -x aggsi'
expect 'fill ring switch' 'dscope -x bufpolicy='
expect 'ring' 'dscope -qx bufpolicy=r'
expect 'off on' 'dscope -x agghist=o'
expect 'csv' 'dscope --format=c'
expect 'summary' 'dscope --dump=su'
expect 'plan,asm plan,ast' 'dscope --dump=plan,as'
expect 'a c s t' 'dscope -X '
expect 'syscall: sysinfo:' 'dscope -P sys'
expect 'entry' "dscope -n syscall::openat2:e"
expect 'entry' "dscope -n 'syscall::openat2:e"
expect 'dscope.bash dscope.fish' 'dscope -o dsc'
expect 'dscope.fish' 'dscope -q -- cat dscope.f'
expect "$$" "dscope -p $$"
exit "$failed"
