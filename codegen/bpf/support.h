// The BPF support library: what the emitter may call. The functions are compiled to bitcode at build time, linked into
// each D program (only those needed), internalised and optimised with it.
//
// Strings are zero-padded buffers in map memory (scratch, globals, .rodata), 8-byte aligned, with a capacity in bytes
// that is a multiple of 8 and at most 65,528. A buffer of capacity `cap` holds at most cap - 1 characters, and every
// byte after the terminator is zero. All capacities passed must be constants. Functions that make a string cut it
// silently, zero-pad it, and need a destination that overlaps none of the sources. No pointer may be NULL: the
// emitter tests for that before the call.
//
// `sizes` packs all sizes of one call, see DS_SIZES (call_constants.h). The characters are fewer than the capacity of
// the destination; sizes that a function does not use are 0. Strings have up to TypeTable::max_strsize characters.
//
// Functions marked DS_LONG stay subprograms, those marked DS_SHORT are always inlined. With what they call, they use at
// most 128 bytes of stack. Results are unknown numbers to the verifier unless a range is given here, on purpose:
// results that it could tell apart would multiply the paths through the rest of the program.
//
// Functions whose comment says "loops" call the helper bpf_loop (Linux 5.17). The kernel takes a program with such a
// call only with BTF function information (func_info), in which all functions but the entry have static linkage: else
// it answers "missing btf func_info", "callback function not static", or verifies them as global functions and fails.
// In LLVM's debug information static means DISPFlagLocalToUnit; the bitcode itself has no debug information.
#pragma once

#ifdef __cplusplus
typedef unsigned u32;
typedef unsigned long long u64;
typedef long long i64;
#define DS_LONG extern "C"
#define DS_SHORT extern "C"
#else
#include "ds_bpf.h"
#endif
#include "call_constants.h"
#include "contract/kernel_layouts.h"

struct ds_chill;
struct ds_speculation;

// --- strings -------------------------------------------------------------------------------------------------------

// Number of characters: 0 .. capacity - 1. Looks at log2(capacity) bytes, so it costs the same for every string.
DS_SHORT u64 ds_strlen(const char* text, u64 capacity);

// Negative, zero or positive, by unsigned bytes; the capacities may differ.
DS_LONG i64 ds_strcmp(const char* left, u64 left_capacity, const char* right, u64 right_capacity);

// All bytes of a buffer to zero: needed before a helper reads a string into it.
DS_LONG void ds_clear(char* destination, u64 capacity);

DS_LONG void ds_strcpy(char* destination, const char* source, u64 sizes);

// The D subroutines of the same name; ds_strjoin, ds_toupper and ds_tolower loop.
DS_LONG void ds_strjoin(char* destination, const char* left, const char* right, u64 sizes);
DS_LONG void ds_substr(char* destination, const char* source, u64 sizes, i64 index, i64 count);
DS_LONG void ds_toupper(char* destination, const char* source, u64 sizes);
DS_LONG void ds_tolower(char* destination, const char* source, u64 sizes);

// The part of `source` from an offset as found by ds_strchr, ds_strrchr or ds_strstr; empty if out of range.
DS_LONG void ds_suffix(char* destination, const char* source, u64 sizes, i64 offset);

// Offset of a character, or -1; only the low 8 bits of `character` count, and 0 is never found. They loop.
DS_LONG i64 ds_strchr(const char* text, u64 capacity, u64 character);
DS_LONG i64 ds_strrchr(const char* text, u64 capacity, u64 character);

// Offset of `needle` in `text`, or -1. Here the first source of `sizes` is the text, the second the needle. `start` as
// in D: pass 0 to ds_index and DS_FROM_END to ds_rindex when the D program gives none. They loop.
DS_LONG i64 ds_index(const char* text, const char* needle, u64 sizes, i64 start);
DS_LONG i64 ds_rindex(const char* text, const char* needle, u64 sizes, i64 start);
DS_SHORT i64 ds_strstr(const char* text, const char* needle, u64 sizes);

// Position of the last byte at or before `from` that is (`match` = the byte) or is not (`match` = DS_OTHER_THAN the
// byte) the one given, or -1. For the path functions. Loops.
#define DS_OTHER_THAN(byte) ((u64)(byte) | 256)
DS_LONG i64 ds_find_last(const char* text, u64 capacity, i64 from, u64 match);

// The path functions of D; they loop.
DS_LONG void ds_basename(char* destination, const char* path, u64 sizes);
DS_LONG void ds_dirname(char* destination, const char* path, u64 sizes);

// Without `..`, `.` and doubled slashes; `work` has the capacity of the path. Loops.
DS_LONG void ds_cleanpath(char* destination, const char* path, u64 sizes, char* work);

// The token that starts at or after offset `from`: the characters of the text up to one of the delimiters. Returns
// where to look for the next one, or -1 if there was no token (the destination is then empty). Loops.
DS_LONG i64 ds_strtok(char* destination, const char* text, u64 sizes, const char* delimiters, u64 from);

// The value at `path` (the second source of `sizes`) in a JSON text: strings without their quotes, escapes as they are;
// anything else as it is written. -1 if there is no such element, or if the text ends or makes no sense before it.
// Loops.
DS_LONG i64 ds_json(char* destination, const char* text, u64 sizes, const char* path);

// Addresses of 4, 16, and 6 or 20 bytes, in network byte order and 8-aligned. `sizes` has only the destination.
// `strict` as in D; link_ntop reads DS_LINK_ADDRESS bytes and shows the first `bytes` of them.
#define DS_LINK_ADDRESS 20
DS_LONG void ds_inet_ntoa(char* destination, const char* address, u64 sizes);
DS_LONG void ds_inet_ntoa6(char* destination, const char* address, u64 sizes, u64 strict);
DS_LONG void ds_link_ntop(char* destination, const char* address, u64 sizes, u64 bytes);

// Signed decimal; `sizes` has only the destination.
DS_LONG void ds_lltostr(char* destination, u64 sizes, i64 value);

// Digits of the base (2 .. 36): signed in base 10, else unsigned, with 0x before base 16 and 0 before base 8. Loops.
DS_LONG void ds_lltostr_base(char* destination, u64 sizes, i64 value, u64 base);

// Leading white space, a sign, then digits of the base (2 .. 36) up to the first other character; wraps. Loops.
DS_LONG i64 ds_strtoll(const char* text, u64 capacity, u64 base);

// --- objects of the kernel -----------------------------------------------------------------------------------------

// The path that a struct path (its address) stands for, in its mount namespace; "<unknown>" if the kernel's structs are
// not. Behind the capacity of the destination there must be DS_MAX_NAME_LENGTH + 1 more bytes that may be touched;
// `dentries` has room for DS_PATH_STEPS words. `sizes`: the destination; a first source of 1 asks for the place where
// the file's mount is. Loops.
DS_LONG void ds_path(char* destination, u64 path, const ds_path_layout* layout, u64* dentries, u64 sizes);

// `text` holds `count` bytes and zeros behind them: its NULs become separators. Loops.
DS_LONG void ds_memstr(char* text, u64 sizes, u64 separator, u64 count);

// User memory of the current process from `start` to `end`, with blanks for NULs; empty if it cannot be read.
DS_LONG void ds_arguments(char* destination, u64 sizes, u64 start, u64 end);

// The same of another process, of which the byte at `start` and the first of the next page lie at these places.
DS_LONG void ds_other_arguments(char* destination, u64 sizes, u64 length, u64 first, u64 second);

// --- user memory that the processor does not show ------------------------------------------------------------------

// The emitter defines it where one of these functions is called.
extern const ds_memory_layout ds_memory;

// Functions called ds_global_... take two numbers and give one: the kernel verifies them once, not at each call.

// Where a byte of the user memory described by a struct mm_struct lies in the kernel's memory; 0: nowhere. The rest of
// its page lies behind it. `memory` 0 is that of the running process, of which also pages are found that its page table
// lacks but the kernel has read from a file.
DS_LONG u64 ds_global_user_byte(u64 memory, u64 address);

// Copies `count` bytes that lie at two such places, the second where the next page begins, or 0. `room`: twice the
// bytes that may be written; 1 more: text, which ends with a NUL or is cut to `count` bytes with it, in zeroed memory.
// Returns 0, or the length of the text with its terminator; DS_NOT_THERE. Loops.
#define DS_NOT_THERE (-14LL)
DS_LONG i64 ds_copy_user(char* to, u64 room, u64 count, u64 first, u64 second);
// `size` bytes (1 .. 8), with any bytes behind them, to a word.
DS_LONG i64 ds_copy_user_word(u64* to, u64 size, u64 first, u64 second);

// --- aggregations --------------------------------------------------------------------------------------------------

// Bucket numbers, in a form whose bound the verifier knows; they index the words of the aggregation's value.
DS_SHORT u64 ds_quantize_bucket(i64 value);                                   // 0 .. 126
DS_SHORT u64 ds_lquantize_bucket(i64 value, i64 base, u64 levels, u64 step);  // 0 .. levels + 1

// 0 .. 2 * bins + 2, with bins = (high - low + 1) * (steps - steps / factor). Word 0 counts values at or below
// -factor^(high + 1); then the negative bins from the lowest to the one nearest zero, the middle bin, the positive bins
// ascending, and last the values at or above factor^(high + 1). All but `value` should be constants.
DS_SHORT u64 ds_llquantize_bucket(i64 value, u64 factor, u64 low_magnitude, u64 high_magnitude, u64 steps);

// The four words of stddev(): count, total, then the sum of squares as 128 bits, low word first.
DS_SHORT void ds_stddev_add(u64* words, i64 value);

// --- speculations --------------------------------------------------------------------------------------------------

// Takes the lowest free id of the first `count` entries: 1 .. count; 0 if all are in use, DS_SPECULATIONS_BUSY if some
// of them only wait for the consumer. Loops.
#define DS_SPECULATIONS_BUSY (-1LL)
DS_LONG i64 ds_allocate_speculation(struct ds_speculation* table, u64 count);

// --- processes -----------------------------------------------------------------------------------------------------

// 1 if the process of the task at kernel address `task` or one of its ancestors (at most 256) has the number `pid`,
// else 0. `offsets`: of real_parent and tgid in struct task_struct, the latter in the high half. Loops.
DS_LONG u64 ds_progenyof(u64 task, u64 offsets, u64 pid);

// Of the packet whose IP header is at kernel address `header`: the protocol in the lowest 8 bits, and behind them how
// many bytes the headers of IP have. 0 as the protocol: a fragment that begins with something else.
DS_LONG u64 ds_ip_payload(u64 header);

// Whether the packet whose IP header is at kernel address `header` is for an address of the network namespace `net`
// (its struct net), or for all: 0 or 1; 1 if the kernel's structs are not known. Loops.
DS_LONG u64 ds_is_local(u64 net, u64 header, const ds_route_layout* layout);

// Waits busily for so many nanoseconds; 1 if that is more than this CPU has left (DS_MAX_CHILL_NS), else 0. Loops.
DS_LONG u64 ds_wait(struct ds_chill* budget, u64 nanoseconds);

// --- arithmetic ----------------------------------------------------------------------------------------------------

// Signed division for -mcpu=v3, truncating. The divisor must not be 0; INT64_MIN / -1 is INT64_MIN, its remainder 0.
DS_SHORT i64 ds_sdiv(i64 dividend, i64 divisor);
DS_SHORT i64 ds_smod(i64 dividend, i64 divisor);
