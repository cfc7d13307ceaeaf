# Quadratic work in symbols, sections, segments, unwind tables and code. The limit of CPU time holds on a busy machine, too.
list() {
  python3 "$(dirname "$case_file")/../hostile_elf.py" "$1" "user/$1"
  bounded 3584 90 bash -c 'ulimit -t 10; exec "$@"' bash "$DSCOPE" -ln "uprobe:$work/user/$1::$2" 2>err | wc -l >rows ||
    fail "$1: $(cat rows) $(head -3 err)"
}
for kind in symbols_at_one_address symbols_by_segments frames_by_sections; do list "$kind" entry; done
list overlapping_functions return
