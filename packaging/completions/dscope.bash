# Completion of dscope and its tools for bash. `dscope --complete` knows what may follow; this script asks it.

_dscope() {
  # readline begins new words at `=` and `:`: join them again.
  local line=${COMP_LINE:0:COMP_POINT} words=() answer first candidate
  # The words as the shell would pass them, without expansions. An open quote is closed for that.
  local quote split
  for quote in '' "'" '"'; do
    split=$(printf '%s' "$line$quote" | xargs -n 1 printf '%s\n' 2>/dev/null) && break
  done
  mapfile -t words <<<"$split"
  if [[ $line == *[[:space:]] && -z $quote ]]; then words+=(''); fi
  local word=${words[${#words[@]} - 1]}
  mapfile -t answer < <("${DSCOPE_COMPLETER:-dscope}" --complete "${words[@]}" 2>/dev/null)
  first=${answer[0]-none}
  COMPREPLY=()
  # What readline replaces is the part behind its last word break; a quoted word is whole.
  local before=
  if [[ -z $quote ]]; then
    local breaks=${word//[!:=]/}
    [[ -n $breaks ]] && before=${word%"${word##*[:=]}"}
  else
    local typed=${line##*$quote}
    before=${word%"$typed"}
    # Within quotes readline breaks at `:` and `=`, too, unless the shell excludes them.
    [[ $typed == *[:=]* && $COMP_WORDBREAKS == *:* ]] && before=$before${typed%"${typed##*[:=]}"}
  fi
  for candidate in "${answer[@]:1}"; do
    candidate=${candidate%%$'\t'*}
    COMPREPLY+=("${candidate#"$before"}")
  done
  local value=${word##*=}
  case $first in
    files*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value") ;;
    scripts*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X '!*.d' -- "$value"; compgen -d -S / -- "$value") ;;
    directories*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$value") ;;
    commands*) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -c -- "$value") ;;
  esac
  if [[ $first == *' continues' || $first == scripts* ]]; then compopt -o nospace; fi
  if [[ $first == files* || $first == scripts* || $first == directories* ]]; then compopt -o filenames; fi
}

complete -F _dscope dscope
# The tools, whose options their scripts declare.
for _dscope_tool in $(compgen -c dscope-); do complete -F _dscope "$_dscope_tool"; done
unset _dscope_tool
