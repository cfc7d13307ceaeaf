// One BPF program for each row of calls.def. It works on buffers in a global variable. Compiled for several buffer
// sizes: the folder's CMakeLists.txt defines A_CAP, B_CAP, OUT_CAP and MAX_LENGTH.
#define DS_STATIC
#include "codegen/bpf/aggregation.bpf.c"
#include "codegen/bpf/arithmetic.bpf.c"
#include "codegen/bpf/process.bpf.c"
#include "codegen/bpf/process_arguments.bpf.c"
#include "codegen/bpf/speculation.bpf.c"
#include "codegen/bpf/string_basics.bpf.c"
#include "codegen/bpf/string_case.bpf.c"
#include "codegen/bpf/string_json.bpf.c"
#include "codegen/bpf/string_network.bpf.c"
#include "codegen/bpf/string_number.bpf.c"
#include "codegen/bpf/string_path.bpf.c"
#include "codegen/bpf/string_search.bpf.c"
#include "codegen/bpf/string_token.bpf.c"
#include "codegen/bpf/user_memory.bpf.c"

#include "kernel_call.h"
#include "many_calls.h"

// Starts with the sizes, which the test reads.
struct KernelCall call_data = {
    .a_capacity = A_CAP, .b_capacity = B_CAP, .out_capacity = OUT_CAP, .max_length = MAX_LENGTH};
char license_text[] __attribute__((section("license"), used)) = "GPL";

#define A call_data.bytes
#define B (call_data.bytes + A_CAP)
#define OUT (call_data.bytes + A_CAP + B_CAP)
#define WORK (OUT + OUT_CAP)
#define SIZES DS_SIZES(OUT_CAP, MAX_LENGTH, A_CAP, B_CAP)
#define N call_data.n
#define M call_data.m
#define WORDS call_data.words
#define ADDRESS ((const char*)call_data.words)
#define DS_CALL(name, expression)                                       \
  __attribute__((section("raw_tp"), used)) int name##_call(void* ctx) { \
    (void)ctx;                                                          \
    call_data.result = (i64)(expression);                               \
    return 0;                                                           \
  }
#include "calls.def"
