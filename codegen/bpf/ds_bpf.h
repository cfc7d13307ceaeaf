// What the C sources of the support library share: integer types, the BPF helpers they call (by number, so that no
// kernel header is needed), and the few tricks that keep LLVM and the verifier content. Included by every *.bpf.c.
//
// The unit tests compile the same sources for the host: they define DS_NATIVE_HELPERS and provide the helpers.
#pragma once

typedef unsigned char u8;
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;

#define DS_LOCAL static inline __attribute__((always_inline))

// How exported functions are declared. The verifier tests define DS_STATIC: as in a finished D program, where the
// functions are internalised, they are then verified at each call with what is known of the arguments there.
#if defined DS_NATIVE_HELPERS
#define DS_LONG
#define DS_SHORT
#elif defined DS_STATIC
#define DS_LONG static __attribute__((noinline))
#define DS_SHORT static __attribute__((always_inline))
#else
#define DS_LONG __attribute__((noinline))
#define DS_SHORT __attribute__((always_inline))
#endif

#ifdef DS_NATIVE_HELPERS
typedef u64 ds_word __attribute__((aligned(1), may_alias));
#define DS_NO_RESULT()
#else
// The verifier takes 8-byte accesses at any offset of map memory; a claim of less alignment would make LLVM load bytes.
typedef u64 ds_word __attribute__((may_alias));

// The last step of a function without a result that has objects on its stack: the verifier refuses one that leaves
// their address in the register of the result.
#define DS_NO_RESULT() __asm__ volatile("r0 = 0" ::: "r0")

typedef long (*ds_loop_body)(u64 index, void* state);
static long (*const bpf_probe_read_user)(void* dst, unsigned size, const void* address) = (void*)112;
static long (*const bpf_probe_read_kernel)(void* dst, unsigned size, const void* address) = (void*)113;
static long (*const bpf_probe_read_kernel_str)(void* dst, unsigned size, const void* address) = (void*)115;
static u64 (*const bpf_ktime_get_ns)(void) = (void*)5;
static u64 (*const bpf_get_current_task)(void) = (void*)35;
static void* (*const bpf_get_current_task_btf)(void) = (void*)158;
typedef long (*ds_area_body)(void* task, void* area, void* state);
static long (*const bpf_find_vma)(void* task, u64 address, ds_area_body body, void* state, u64 flags) = (void*)180;
static long (*const bpf_loop)(unsigned count, ds_loop_body body, void* state, u64 flags) = (void*)181;
#endif

// Hides where a value comes from, so that LLVM neither folds it nor turns arithmetic on it back into branches.
#define DS_HIDE(value) __asm__ volatile("" : "+r"(value))

// Keeps LLVM from replacing a loop by a call of memset or memcpy, which BPF does not have.
#define DS_KEEP_LOOP() __asm__ volatile("" ::: "memory")

// A zero whose value the verifier does not know (the difference of two pointers is an unknown scalar to it). Added to a
// number that differs by path, it makes the states of all paths equal: what follows is then verified once. Inside of
// bpf_loop the verifier compares even values that do not matter, so results of functions, too, must be made equal, or
// the cost of a program is the product of the numbers of their results.
DS_LOCAL u64 ds_unknown_zero(const void* pointer) {
  const void* same = pointer;
  DS_HIDE(same);
  u64 zero = (u64)pointer - (u64)same;
  DS_HIDE(zero);
  return zero;
}

// The same value, but any number to the verifier. Each use has a zero of its own: the verifier connects the bounds of
// numbers that differ by a constant, and so a zero that was used twice would no longer be unknown.
DS_LOCAL i64 ds_as_unknown(i64 value, const void* pointer) { return value + (i64)ds_unknown_zero(pointer); }

// 8 bytes of the kernel's memory; 0 where there is none.
DS_LOCAL u64 ds_read_word(u64 address) {
  u64 word = 0;
  bpf_probe_read_kernel(&word, sizeof word, (const void*)address);
  return word;
}

// Cuts a value to a bound in a way that reaches the verifier: LLVM may know the bound already and drop a plain test.
DS_LOCAL u64 ds_at_most(u64 value, u64 bound) {
  DS_HIDE(value);
  return value > bound ? bound : value;
}

// Whether an offset is not above the last good one. The register that is compared is the one used afterwards: were LLVM
// free to compare another expression of the same value, the verifier would not connect the two.
DS_LOCAL int ds_within(u64* offset, u64 last) {
  DS_HIDE(*offset);
  return *offset <= last;
}

// |value|, also that of INT64_MIN.
DS_LOCAL u64 ds_magnitude(i64 value) { return value < 0 ? -(u64)value : (u64)value; }
