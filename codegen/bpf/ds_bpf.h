// Shared by the C sources of the support library: integer types, the BPF helpers they call (by number, so that they
// need no kernel header), and the idioms that LLVM and the verifier require. Included by every *.bpf.c.
//
// The unit tests compile the same sources for the host: they define DS_NATIVE_HELPERS and provide the helpers.
#pragma once

typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

#define DS_LOCAL static inline __attribute__((always_inline))

// The attributes of exported functions. The verifier tests define DS_STATIC to make the functions static, as codegen
// does when it internalizes them in a finished D program. The verifier then checks a function at each call, with what
// it knows about the arguments there.
#if defined DS_NATIVE_HELPERS
#define DS_NOINLINE
#define DS_INLINE
#elif defined DS_STATIC
#define DS_NOINLINE static __attribute__((noinline))
#define DS_INLINE static __attribute__((always_inline))
#else
#define DS_NOINLINE __attribute__((noinline))
#define DS_INLINE __attribute__((always_inline))
#endif

#ifdef DS_NATIVE_HELPERS
typedef u64 ds_word __attribute__((aligned(1), may_alias));
#define DS_NO_RESULT()
#else
// The verifier accepts 8-byte accesses at any offset of map memory. If the type claimed less alignment, LLVM would load
// single bytes.
typedef u64 ds_word __attribute__((may_alias));

// The last statement of a void function that has objects on its stack. The verifier rejects a function that returns
// with a stack address in r0, the result register.
#define DS_NO_RESULT() __asm__ volatile("r0 = 0" ::: "r0")

typedef long (*ds_loop_body)(u64 index, void* state);
static void* (*const bpf_map_lookup_elem)(const void* map, const void* key) = (void*)1;
static long (*const bpf_map_update_elem)(const void* map, const void* key, const void* value, u64 flags) = (void*)2;
static long (*const bpf_probe_read_user)(void* dst, unsigned size, const void* address) = (void*)112;
static long (*const bpf_probe_read_kernel)(void* dst, unsigned size, const void* address) = (void*)113;
static long (*const bpf_probe_read_kernel_str)(void* dst, unsigned size, const void* address) = (void*)115;
static u64 (*const bpf_ktime_get_ns)(void) = (void*)5;
static u64 (*const bpf_get_current_task)(void) = (void*)35;
static u32 (*const bpf_get_smp_processor_id)(void) = (void*)8;
static void* (*const bpf_get_current_task_btf)(void) = (void*)158;
static long (*const bpf_ringbuf_output)(const void* ring, const void* data, u64 size, u64 flags) = (void*)130;
typedef long (*ds_area_body)(void* task, void* area, void* state);
static long (*const bpf_find_vma)(void* task, u64 address, ds_area_body body, void* state, u64 flags) = (void*)180;
static long (*const bpf_loop)(unsigned count, ds_loop_body body, void* state, u64 flags) = (void*)181;
#endif

// Hides the origin of a value from LLVM, which then neither folds it nor turns arithmetic on it back into branches.
#define DS_HIDE(value) __asm__ volatile("" : "+r"(value))

// Prevents LLVM from replacing a loop by a call to memset or memcpy, which BPF does not have.
#define DS_KEEP_LOOP() __asm__ volatile("" ::: "memory")

// A zero whose value the verifier does not know: to the verifier, the difference of two pointers is an unknown scalar.
// Adding it to a number that differs by path makes the states of all paths equal, and the verifier checks the code
// behind them once. Inside bpf_loop the verifier compares even dead values. Function results must therefore be made
// equal too, or the verification cost of a program is the product of the number of results of each function.
DS_LOCAL u64 ds_unknown_zero(const void* pointer) {
  const void* same = pointer;
  DS_HIDE(same);
  u64 zero = (u64)pointer - (u64)same;
  DS_HIDE(zero);
  return zero;
}

// Returns `value` as a number that is unknown to the verifier. Each use makes a new zero: the verifier links the bounds
// of numbers that differ by a constant, so a zero that is used twice would no longer be unknown.
DS_LOCAL i64 ds_as_unknown(i64 value, const void* pointer) { return value + (i64)ds_unknown_zero(pointer); }

// Reads 8 bytes of kernel memory. Returns 0 if the read faults.
DS_LOCAL u64 ds_read_word(u64 address) {
  u64 word = 0;
  bpf_probe_read_kernel(&word, sizeof word, (const void*)address);
  return word;
}

// Limits a value to a bound that the verifier sees. LLVM drops a plain test if it can derive the bound itself.
DS_LOCAL u64 ds_at_most(u64 value, u64 bound) {
  DS_HIDE(value);
  return value > bound ? bound : value;
}

// Whether an offset is at most `last`. DS_HIDE forces LLVM to compare the register that the code uses afterward. If
// LLVM compared another expression of equal value, the verifier would not link the bound to the register.
DS_LOCAL int ds_within(u64* offset, u64 last) {
  DS_HIDE(*offset);
  return *offset <= last;
}

// |value|, correct for INT64_MIN too.
DS_LOCAL u64 ds_magnitude(i64 value) { return value < 0 ? -(u64)value : (u64)value; }
