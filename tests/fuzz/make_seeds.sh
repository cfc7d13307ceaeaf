#!/usr/bin/env bash
# Writes the binary seeds of the fuzzers of foreign files into corpus/: small programs, libraries and objects that reach
# all readers. Run it again only if a reader learns a new kind of file.
set -euo pipefail
corpus=$(cd "$(dirname "${BASH_SOURCE[0]}")/corpus" && pwd)
include=$(cd "$corpus/../../../include" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > seed.c <<'C'
#include <sys/sdt.h>
struct node { int number; struct node *next; unsigned low : 3, high : 7; char text[4]; };
union either { long number; const char *text; };
enum kind { zero, nine = 9 };
typedef struct node node_t;
int walk(node_t *node, union either value, enum kind kind) {
  int sum = kind;
  for (; node != 0; node = node->next) { sum += node->number; DTRACE_PROBE2(seed, step, node->number, &value); }
  return sum;
}
static inline __attribute__((always_inline)) int twice(int x) { return x * 2; }
void _start(void) { node_t one = {.number = twice(21)}; walk(&one, (union either){.number = 1}, nine); for (;;) { } }
C
flags=(-O1 -nostdlib -ffreestanding -fno-stack-protector -Wl,--build-id=none -Wl,-z,noseparate-code -Wl,-z,max-page-size=512)
gcc "${flags[@]}" -static -g -I "$include" seed.c -o debug
gcc "${flags[@]}" -shared -fPIC -I "$include" seed.c -o library
gcc "${flags[@]}" -static -g -gdwarf-4 -gz=zlib -I "$include" seed.c -o compressed
objcopy --strip-all debug stripped
objcopy --only-keep-debug debug symbols && objcopy --strip-debug symbols && xz -k symbols
objcopy --add-section=.gnu_debugdata=symbols.xz stripped minidebug
gcc -c -O1 -I "$include" seed.c -o seed.o
cat > calls.c <<'C'
void __dtrace_shop___buy(int); int __dtraceenabled_shop___buy(void);
void buy(void) { if (__dtraceenabled_shop___buy()) __dtrace_shop___buy(1); }
C
gcc -c -O1 calls.c -o calls.o
ar rc both.a seed.o calls.o
mkdir -p "$corpus"/{elf,dwarf,unwind,object,compressed,btf}
cp debug library stripped minidebug "$corpus/elf/"
cp debug compressed "$corpus/dwarf/"
for file in debug stripped; do (head -c 2048 /dev/zero | tr '\0' '\021'; cat $file) > "$corpus/unwind/$file"; done
# Frames with and without a frame pointer, a signal frame, expressions, and a stub as in linkage tables.
cat > frames.s <<'ASM'
.cfi_sections .eh_frame
plain: .cfi_startproc
push %rbp; .cfi_def_cfa_offset 16; .cfi_offset %rbp, -16
mov %rsp, %rbp; .cfi_def_cfa_register %rbp
.cfi_remember_state; pop %rbp; .cfi_def_cfa %rsp, 8; .cfi_restore %rbp; ret
.cfi_restore_state; nop
.cfi_endproc
deep: .cfi_startproc
sub $4096, %rsp; .cfi_adjust_cfa_offset 4096
.cfi_escape 0x16, 0x06, 0x02, 0x77, 0x08
add $4096, %rsp; .cfi_adjust_cfa_offset -4096; ret
.cfi_endproc
stub: .cfi_startproc
.cfi_escape 0x0f, 0x0b, 0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22
.skip 32, 0x90
.cfi_endproc
handler: .cfi_startproc; .cfi_signal_frame
.cfi_escape 0x0f, 0x04, 0x77, 0xa0, 0x01, 0x06
.cfi_undefined %rip; nop
.cfi_endproc
ASM
as frames.s -o frames.o
objcopy -O binary --only-section=.eh_frame --set-section-flags .eh_frame=alloc frames.o frames
python3 "$corpus/../make_go_tables.py" .
mkdir -p "$corpus"/{frame_rules,go_table}
cp frames "$corpus/frame_rules/section"; cp debug "$corpus/frame_rules/"
cp go12 go116 go118 "$corpus/go_table/"
cp seed.o "$corpus/object/sites"; cp calls.o "$corpus/object/calls"; cp both.a "$corpus/object/archive"
cp symbols.xz "$corpus/compressed/"
printf 'symbols of a program\n' | zstd -q -o "$corpus/compressed/text.zst" -f
# Clang emits BTF for its own target.
sed 's/#include.*//; s/DTRACE_PROBE2([^;]*;//' seed.c > types.c
printf 'typedef void (*btf_trace_seed)(void *data, struct node *node, int count);\nbtf_trace_seed jiffies;\n' >> types.c
clang-19 -target bpf -g -O1 -c types.c -o types.o
llvm-objcopy-19 --dump-section .BTF="$corpus/btf/types" types.o
