# Scripts that exhaust the compiler, the preprocessor or the consumer: each ends in time, in bounded memory, with a
# result or with an error.

# repeat COUNT TEXT: TEXT COUNT times; # in it is the number of the repetition.
repeat() {
  python3 -c 'import sys; print("".join(sys.argv[2].replace("#", str(i + 1)) for i in range(int(sys.argv[1]))), end="")' "$@"
}

run() {
  (bounded 2048 20 "$DSCOPE" -x errtags -x diagnostics=classic -q "$@") >output 2>&1 || true
  ! grep -a '^attack succeeded: ' output || exit 1
}

# expect TEXT ARGUMENTS...: the output contains TEXT.
expect() {
  local text=$1
  shift
  run "$@"
  grep -aqF -- "$text" output || fail "$* prints, without '$text': $(head -c 300 output | tr -d "\\0")"
}

{ echo 'typedef int t0;'; awk 'BEGIN { for (i = 1; i < 100000; ++i) printf "typedef t%d t%d;\n", i - 1, i }'; } >typedefs.d
echo 'BEGIN { exit(0); }' >>typedefs.d
expect '[D_UNKNOWN] line 1001: typedef t1000 is nested too deeply' -s typedefs.d

expect 'program is too large: /dev/zero has more than 16 MiB' -s /dev/zero
expect 'Is a directory' -s /
expect '[D_SYNTAX] line 1: format conversion #1 has a width above 65535' -s <(echo 'BEGIN { printf("%1000000000d", 1); }')
expect '[D_SYNTAX] line 1: format conversion #1 has a precision above 65535' -s <(echo 'BEGIN { printf("%.1000000000d", 1); }')
run -n 'BEGIN { printf("%*d", 1000000000, 1); exit(0); }'
[ "$(stat -c %s output)" -lt 100000 ] || fail "a computed width printed $(stat -c %s output) bytes"

echo "BEGIN { $(repeat 5000 '@q#[pid] = quantize(#); ') exit(0); }" >quantizes.d
expect 'program is too large: ' -s quantizes.d
echo "BEGIN { printf(\"$(repeat 100000 '%d')\"$(repeat 100000 ', 1')); }" >arguments.d
expect '[D_SYNTAX] line 1: clause is too large: more than 65536 subexpressions' -s arguments.d
{ repeat 400 'BEGIN { '"$(repeat 1000 'x = #; ')"' }'; } >clauses.d
expect '[D_SYNTAX] line 1: program is too large: more than 1000000 subexpressions' -s clauses.d
for nest in '( )' '~ ' '{ }' 'pid?1: ' 'sizeof '; do
  read -r open close <<<"$nest"
  echo "BEGIN { x = $(repeat 100000 "$open ")1$(repeat 100000 "$close"); }" >nested.d
  expect '[D_SYNTAX] line 1: ' -s nested.d
done

{ echo 'inline int m0 = rand();'; awk 'BEGIN { for (i = 1; i < 40; ++i) printf "inline int m%d = m%d + m%d;\n", i, i - 1, i - 1 }'; } >inlines.d
echo 'BEGIN { x = m39; }' >>inlines.d
expect '[D_UNKNOWN] line 15: expression is too large after expanding its inlines' -s inlines.d
{ head -13 inlines.d; echo "BEGIN { $(repeat 2000 'x = m12; ') }"; } >uses.d
expect '[D_UNKNOWN] line 14: program is too large after expanding its inlines and translators' -s uses.d
if command -v cpp >/dev/null; then
  { echo '#define m0 1'; awk 'BEGIN { for (i = 1; i < 60; ++i) printf "#define m%d (m%d + m%d)\n", i, i - 1, i - 1 }'; } >macros.d
  echo 'BEGIN { x = m59; }' >>macros.d
  expect 'Preprocessor failed to process input program' -C -s macros.d
fi

echo "enum e { $(repeat 200000 'E#, ') L }; struct s { $(repeat 200000 'int m#; ') }; BEGIN { trace(sizeof (struct s)); exit(0); }" >large.d
expect '800000' -s large.d
