# Names that double with each of their 40 parts, or that nest 200,000 times: they are listed as they are.
python3 "$(dirname "$case_file")/../hostile_elf.py" mangled_names user/mangled_names
bounded 2560 15 "$DSCOPE" -ln "uprobe:$work/user/mangled_names::entry" >out 2>err || fail "status $?: $(head -3 err)"
for name in _Z1fI1A1PIS0_S0_ES1_I _Z1fPPPP; do grep -qF "$name" out || fail "no probe of $name"; done
