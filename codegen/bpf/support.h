// The BPF support library: the functions that generated code may call. The build compiles them to bitcode. Codegen
// links those that a D program needs into it, internalizes them and optimizes them together with it.
//
// Strings are zero-padded buffers in map memory (scratch, globals, .rodata), 8-byte aligned, with a capacity in bytes
// that is a multiple of 8 and at most 65,528. A buffer of capacity `cap` holds at most cap - 1 characters, and every
// byte after the terminator is zero. All capacity arguments must be constants. Functions that make a string truncate it
// silently, zero-pad it, and need a destination that overlaps no source. No pointer may be NULL: the emitter tests
// pointers before the call.
//
// `sizes` packs all sizes of one call, see DS_SIZES (call_constants.h). The maximum number of characters is below the
// capacity of the destination. Sizes that a function does not use are 0. Strings have up to TypeTable::max_strsize
// characters.
//
// Functions marked DS_NOINLINE stay subprograms, those marked DS_INLINE are always inlined. Including their callees,
// they use at most 128 bytes of stack. Unless a range is given here, results are deliberately unknown numbers to the
// verifier: if it could distinguish them, they would multiply the paths through the rest of the program.
//
// Functions whose comment says "loops" call the helper bpf_loop (Linux 5.17). The kernel accepts a program with such a
// call only with BTF function information (func_info), in which all functions but the entry have static linkage.
// Otherwise it reports "missing btf func_info" or "callback function not static", or verifies them as global functions
// and fails. In LLVM's debug information, static linkage is DISPFlagLocalToUnit. The bitcode itself has no debug
// information.
#pragma once

#ifdef __cplusplus
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
#define DS_NOINLINE extern "C"
#define DS_INLINE extern "C"
#else
#include "ds_bpf.h"
#endif
#include "call_constants.h"
#include "contract/kernel_layouts.h"

struct ds_chill;
struct ds_handover;
struct ds_speculation;

// --- strings -------------------------------------------------------------------------------------------------------

// Number of characters: 0 .. capacity - 1. Tests log2(capacity) bytes, so its cost does not depend on the string.
DS_INLINE u64 ds_strlen(const char* text, u64 capacity);

// Negative, zero or positive. Compares unsigned bytes. The capacities may differ.
DS_NOINLINE i64 ds_strcmp(const char* left, u64 left_capacity, const char* right, u64 right_capacity);

// Zeroes a buffer. Required before a helper reads a string into it.
DS_NOINLINE void ds_clear(char* destination, u64 capacity);

DS_NOINLINE void ds_strcpy(char* destination, const char* source, u64 sizes);

// The D subroutines of the same names. ds_strjoin, ds_toupper and ds_tolower loop.
DS_NOINLINE void ds_strjoin(char* destination, const char* left, const char* right, u64 sizes);
DS_NOINLINE void ds_substr(char* destination, const char* source, u64 sizes, i64 index, i64 count);
DS_NOINLINE void ds_toupper(char* destination, const char* source, u64 sizes);
DS_NOINLINE void ds_tolower(char* destination, const char* source, u64 sizes);

// The part of `source` from an offset that ds_strchr, ds_strrchr or ds_strstr found; empty if out of range.
DS_NOINLINE void ds_suffix(char* destination, const char* source, u64 sizes, i64 offset);

// Offset of a character, or -1. Only the low 8 bits of `character` count, and 0 is never found. They loop.
DS_NOINLINE i64 ds_strchr(const char* text, u64 capacity, u64 character);
DS_NOINLINE i64 ds_strrchr(const char* text, u64 capacity, u64 character);

// Offset of `needle` in `text`, or -1. The first source of `sizes` is the text, the second the needle. `start` is as in
// D: if the D program passes none, pass 0 to ds_index and DS_FROM_END to ds_rindex. They loop.
DS_NOINLINE i64 ds_index(const char* text, const char* needle, u64 sizes, i64 start);
DS_NOINLINE i64 ds_rindex(const char* text, const char* needle, u64 sizes, i64 start);
DS_INLINE i64 ds_strstr(const char* text, const char* needle, u64 sizes);

// Position of the last byte at or before `from` that equals (`match` = the byte) or differs from (`match` =
// DS_OTHER_THAN(byte)) the given byte, or -1. For the path functions. Loops.
#define DS_OTHER_THAN(byte) ((u64)(byte) | 256)
DS_NOINLINE i64 ds_find_last(const char* text, u64 capacity, i64 from, u64 match);

// The path functions of D. They loop.
DS_NOINLINE void ds_basename(char* destination, const char* path, u64 sizes);
DS_NOINLINE void ds_dirname(char* destination, const char* path, u64 sizes);

// The path without `..`, `.` and doubled slashes. `work` has the capacity of the path. Loops.
DS_NOINLINE void ds_cleanpath(char* destination, const char* path, u64 sizes, char* work);

// The first token that starts at or after offset `from`: the characters of the text up to one of the delimiters.
// Returns the offset for the next call, or -1 if there was no token (the destination is then empty). Loops.
DS_NOINLINE i64 ds_strtok(char* destination, const char* text, u64 sizes, const char* delimiters, u64 from);

// The value at `path` (the second source of `sizes`) in a JSON text: strings without their quotes but with their
// escapes, any other value as written. Returns -1 if there is no such element, or if the text ends or is malformed
// before it. Loops.
DS_NOINLINE i64 ds_json(char* destination, const char* text, u64 sizes, const char* path);

// Addresses of 4, 16, and 6 or 20 bytes, in network byte order and 8-aligned. `sizes` has only the destination.
// `strict` is as in D. link_ntop reads DS_LINK_ADDRESS bytes and prints the first `bytes` of them.
DS_NOINLINE void ds_inet_ntoa(char* destination, const char* address, u64 sizes);
DS_NOINLINE void ds_inet_ntoa6(char* destination, const char* address, u64 sizes, u64 strict);
DS_NOINLINE void ds_link_ntop(char* destination, const char* address, u64 sizes, u64 bytes);

// Signed decimal. `sizes` has only the destination.
DS_NOINLINE void ds_lltostr(char* destination, u64 sizes, i64 value);

// Digits of the base (2 .. 36): signed in base 10, else unsigned, with the prefix 0x in base 16 and 0 in base 8. Loops.
DS_NOINLINE void ds_lltostr_base(char* destination, u64 sizes, i64 value, u64 base);

// Parses leading white space, a sign, and digits of the base (2 .. 36) up to the first other character. Overflow wraps.
// Loops.
DS_NOINLINE i64 ds_strtoll(const char* text, u64 capacity, u64 base);

// --- objects of the kernel -----------------------------------------------------------------------------------------

// The path of the struct path at address `path`, in its mount namespace; "<unknown>" if the kernel's struct layouts are
// unknown. Behind the capacity of the destination, DS_MAX_NAME_LENGTH + 1 more bytes must be writable. `dentries` has
// room for DS_PATH_STEPS words. `sizes` has the destination. If its first source is nonzero, the result is the mount
// point of the file's mount instead. Loops.
DS_NOINLINE void ds_path(char* destination, u64 path, const ds_path_layout* layout, u64* dentries, u64 sizes);

// Replaces the NULs of `text` by separators. `text` holds `count` bytes and zeros behind them. Loops.
DS_NOINLINE void ds_memstr(char* text, u64 sizes, u64 separator, u64 count);

// User memory of the current process from `start` to `end`, with blanks for NULs; empty if it is unreadable.
DS_NOINLINE void ds_arguments(char* destination, u64 sizes, u64 start, u64 end);

// Reads the user memory of another process. `first` and `second` are the kernel addresses of its first byte and of the
// next page.
DS_NOINLINE void ds_other_arguments(char* destination, u64 sizes, u64 length, u64 first, u64 second);

// --- user memory that is not in the current page table --------------------------------------------------------------

// The emitter defines it in programs that call one of these functions.
extern const ds_memory_layout ds_memory;

// The kernel verifies a function named ds_global_... once, as a global function, and not at each call. It takes and
// returns plain numbers only.

// The kernel address of a byte of the user memory that a struct mm_struct describes; 0 if the byte is not in memory.
// The rest of its page lies behind it. `memory` 0 stands for the running process. For that process, the function also
// finds pages that the kernel has read from a file but not yet entered into the page table.
DS_NOINLINE u64 ds_global_user_byte(u64 memory, u64 address);

// Copies `count` bytes from kernel addresses of user memory: `first` is the address of the first byte, `second` that of
// the next page, or 0. `room` is twice the number of writable bytes, plus 1 for a text. A text ends at its NUL or is
// truncated to `count` bytes including the terminator, and needs a zeroed destination. Returns 0, or the length of the
// text including its terminator, or DS_UNREADABLE. Loops.
#define DS_UNREADABLE (-14LL)
DS_NOINLINE i64 ds_copy_user(char* to, u64 room, u64 count, u64 first, u64 second);
// Copies `size` bytes (1 .. 8) to a word. The word's other bytes are undefined.
DS_NOINLINE i64 ds_copy_user_word(u64* to, u64 size, u64 first, u64 second);

// --- aggregations --------------------------------------------------------------------------------------------------

// Bucket numbers, computed so that the verifier knows their bounds. They index the words of the aggregation's value.
DS_INLINE u64 ds_quantize_bucket(i64 value);                                   // 0 .. 126
DS_INLINE u64 ds_lquantize_bucket(i64 value, i64 base, u64 levels, u64 step);  // 0 .. levels + 1

// zero + the index of the bucket of a log-linear histogram (contract/percentile.h): 32 buckets for each power of two.
// `zero` is constant. If it is 0, the value is unsigned.
DS_INLINE u64 ds_percentile_bucket(i64 value, u64 zero);

// 0 .. 2 * bins + 2, with bins = (high - low + 1) * (steps - steps / factor). Word 0 counts values at or below
// -factor^(high + 1). Then follow the negative bins from the lowest to the one nearest zero, the middle bin, the
// positive bins ascending, and last the values at or above factor^(high + 1). All arguments but `value` should be
// constants.
DS_INLINE u64 ds_llquantize_bucket(i64 value, u64 factor, u64 low_magnitude, u64 high_magnitude, u64 steps);

// The four words of stddev(): count, total, then the sum of squares as 128 bits, low word first.
DS_INLINE void ds_stddev_add(u64* words, i64 value);

// --- speculations --------------------------------------------------------------------------------------------------

// Allocates the lowest free id of the first `count` entries: 1 .. count. Returns 0 if all are in use, or
// DS_SPECULATIONS_BUSY if some of them only wait for the consumer. Loops.
#define DS_SPECULATIONS_BUSY (-1LL)
DS_NOINLINE i64 ds_allocate_speculation(struct ds_speculation* table, u64 count);

// --- processes -----------------------------------------------------------------------------------------------------

// 1 if the process of the task at kernel address `task` or one of its ancestors (at most 256) has the process ID `pid`,
// else 0. `offsets` holds the offsets of real_parent (low half) and tgid (high half) in struct task_struct. Loops.
DS_NOINLINE u64 ds_progenyof(u64 task, u64 offsets, u64 pid);

// For the packet whose IP header is at kernel address `header`: the payload's protocol in the lowest 8 bits, and above
// them the size of the IP headers in bytes. The protocol is 0 for a fragment that does not contain the start of the
// payload.
DS_NOINLINE u64 ds_ip_payload(u64 header);

// 1 if the packet whose IP header is at kernel address `header` is addressed to the network namespace `net` (a struct
// net), or to several hosts (broadcast, multicast), else 0; 1 if the kernel's struct layouts are unknown. Loops.
DS_NOINLINE u64 ds_is_local(u64 net, u64 header, const ds_route_layout* layout);

// Returns `address` if it can be the return address of a user function of the running process: its frame pointer lies
// on the stack, and at the address a call instruction ends or a signal handler returns to the kernel. Otherwise 0.
DS_NOINLINE u64 ds_confirmed_caller(u64 address, u64 frame_pointer, u64 stack_pointer);

// The address of the node behind a node of a sorted tree in user memory; 0 if there is none, or if a node cannot be
// read. `links`: the offsets of the pointers to the left and right subtree and to the parent, a byte each. Loops.
DS_NOINLINE u64 ds_tree_next(u64 node, u64 links);

// Busy-waits for `nanoseconds` and returns 0. Returns 1 without waiting if this CPU's budget (DS_MAX_CHILL_NS) does not
// cover them. Loops.
DS_NOINLINE u64 ds_wait(struct ds_chill* budget, u64 nanoseconds);

// --- services ------------------------------------------------------------------------------------------------------

// 1 if this program counts the event, 0 if the program of the other run does. `activity` is DS_ACTIVITY_HANDING_OVER or
// DS_ACTIVITY_TAKING_OVER; `role` is DS_ORDER_*, shifted by 32 bits, and HandoverRole::slot.
DS_NOINLINE i64 ds_counts_in_handover(struct ds_handover* shared, u64 activity, u64 thread, u64 cpu, u64 role);

// --- arithmetic ----------------------------------------------------------------------------------------------------

// Signed division for -mcpu=v3, truncating. The divisor must not be 0; INT64_MIN / -1 is INT64_MIN, its remainder 0.
DS_INLINE i64 ds_sdiv(i64 dividend, i64 divisor);
DS_INLINE i64 ds_smod(i64 dividend, i64 divisor);
