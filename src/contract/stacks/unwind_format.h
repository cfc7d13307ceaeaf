/* Unwind tables in BPF maps (-x ustackunwind=tables): the layouts that the programs (codegen/bpf/unwind.bpf.c) share
 * with the consumer (runtime/unwind/), which fills the maps. Plain C so that codegen/bpf/ compiles it too.
 *
 * Map "ds_unwind_chunks" is an array of chunks of memory. A location is the number of a chunk and the index of a 32-bit
 * word in it. Nothing crosses the end of a chunk. The chunks contain:
 *
 * - rules (struct ds_unwind_rule), at the start of chunk 0. Rows refer to them by index.
 * - rows, 32-bit words: the low 16 bits of a code address, and below them the index of the rule that applies from that
 *   address on. They are sorted. The first row of each page of code (64 KiB) is for the start of the page.
 * - the pages of an object, 64 bits each: the location of the page's first row, and above it the number of rows.
 * - areas (struct ds_unwind_area): the mappings of code of a process, sorted by address.
 */
#ifndef DSCOPE_UNWIND_FORMAT_H
#define DSCOPE_UNWIND_FORMAT_H

#include "contract/record_format.h"

#define DS_UNWIND_WORD_BITS 18
#define DS_UNWIND_CHUNK_WORDS (1u << DS_UNWIND_WORD_BITS)
#define DS_UNWIND_CHUNK_BYTES (DS_UNWIND_CHUNK_WORDS * 4)
#define DS_UNWIND_MAX_CHUNKS 256u
#define DS_UNWIND_PAGE_BITS 16 /* of code addresses */
#define DS_UNWIND_MAX_RULES 32768u
#define DS_UNWIND_MAX_AREAS 2048u
#define DS_UNWIND_MAX_PROCESSES 8192u
#define DS_UNWIND_MISS_BYTES 65536u     /* of the ring "ds_unwind_misses" */
#define DS_UNWIND_COPY_BYTES (2u << 20) /* of the ring "ds_unwind_copies" */

/* How a frame leads to its caller: the canonical frame address (CFA). Where calls push the return address, as on
 * x86-64, it is in the word below. */
enum {
  DS_UNWIND_STACK = 1,       /* CFA = stack pointer + offset */
  DS_UNWIND_FRAME = 2,       /* CFA = frame pointer + offset */
  DS_UNWIND_STACK_WORD = 3,  /* CFA = the word at stack pointer + offset */
  DS_UNWIND_FRAME_WORD = 4,  /* CFA = the word at frame pointer + offset */
  DS_UNWIND_STUB = 5,        /* of a linkage table: CFA = stack pointer + 8, or + 16 from byte `offset` of 16 on */
  DS_UNWIND_SIGNAL = 6,      /* the registers are in a struct sigcontext at stack pointer + offset */
  DS_UNWIND_END = 7,         /* the outermost frame */
  DS_UNWIND_UNSUPPORTED = 8, /* the table has a rule that does not fit here */
};
/* Where the caller's frame pointer is, and on machines whose calls leave the return address in a register, as arm64,
 * that address. */
enum {
  DS_UNWIND_FRAME_SAME = 0,     /* in its register */
  DS_UNWIND_FRAME_AT_CFA = 1,   /* at CFA + frame_offset */
  DS_UNWIND_FRAME_AT_FRAME = 2, /* at frame pointer + frame_offset */
  /* With a register for the return address: */
  DS_UNWIND_RETURN_IN_REGISTER = 3,  /* both in their registers: only in the innermost frame */
  DS_UNWIND_RETURN_BEHIND_FRAME = 4, /* the frame pointer at CFA + frame_offset, the return address behind it */
  DS_UNWIND_RETURN_AT_CFA = 5,       /* the return address at CFA + frame_offset, the frame pointer in its register */
};
struct ds_unwind_rule {
  unsigned char kind;       /* DS_UNWIND_ */
  unsigned char frame_kind; /* DS_UNWIND_FRAME_ */
  short frame_offset;
  int offset;
};

struct ds_unwind_area {
  ds_u64 start, end; /* addresses in the process */
  ds_u64 bias;       /* address in the process - address of the first page of the object */
  ds_u32 pages;      /* location */
  ds_u32 page_count; /* 0: the code has no table, and its frame pointers are followed */
};

/* Map "ds_unwind_processes", by process ID. A program inserts an element when it misses a process. The consumer
 * replaces it. */
struct ds_unwind_process {
  ds_u64 stack_start; /* mm_struct.start_stack. It is random, and distinguishes programs of a process */
  ds_u64 code_pages;  /* mm_struct.exec_vm when the areas were read. Another number: mappings have changed */
  ds_u32 areas;       /* location */
  ds_u32 area_count;  /* 0: no tables, frame pointers are followed */
  ds_u64 is_reported; /* 1: a miss is in the ring */
};

/* A record of the ring "ds_unwind_misses". */
struct ds_unwind_miss {
  ds_u64 stack_start, code_pages;
  ds_u64 process;
};

/* A record of the ring "ds_unwind_copies" (-x ustackunwind=auto): a stack that the program could not unwind, for the
 * consumer. A copy as in record_format.h follows. The first word of the traced stack is the process ID, and above its
 * 32 bits the number. The frames behind it are the best that the program has: they count if the copy gets lost. */
struct ds_unwind_copy {
  ds_u64 number;  /* DS_UNWIND_COPY_NUMBER() */
  ds_u64 process; /* ID */
  ds_u64 max_frames;
  ds_u64 first, second; /* frames that are known; 0: none */
};
/* Unique among the copies that the consumer remembers. Not 0. */
#define DS_UNWIND_COPY_NUMBER(cpu, count) ((((cpu) + 1) & 0xfff) << 20 | ((count) & 0xfffff))

/* Map "ds_unwind_counters": per-CPU array of one element. */
struct ds_unwind_counters {
  ds_u64 stacks;            /* attempts to unwind */
  ds_u64 unknown_processes; /* stacks by frame pointers: the process was not known yet */
  ds_u64 unknown_code;      /* stacks that end in code that no known mapping contains */
  ds_u64 unsupported_rules; /* stacks that end at a rule that does not fit */
  ds_u64 unreadable_memory; /* stacks that end at memory that cannot be read */
  ds_u64 copies;            /* sent to the consumer */
};

/* Offsets of members of kernel objects, in bytes: where the kernel keeps the return addresses that uretprobes have
 * replaced on the stack by the address of a trampoline. */
struct ds_return_offsets {
  ds_u64 task_uprobes;         /* task_struct: utask. 0: the kernel has none of these members */
  ds_u64 uprobe_returns;       /* uprobe_task: return_instances, the innermost first */
  ds_u64 place, address, next; /* return_instance: stack, orig_ret_vaddr, next */
};
#define DS_MAX_NESTED_RETURNS 4 /* uretprobes on functions whose frames share a return address */

/* Offsets of members of kernel objects, in bytes. */
struct ds_unwind_offsets {
  ds_u64 task_memory, task_parent, task_process; /* task_struct: mm, real_parent, tgid */
  ds_u64 memory_stack_start, memory_code_pages;  /* mm_struct: start_stack, exec_vm */
  struct ds_return_offsets returns;
};

/* The differences between processors that matter to a walk. */
struct ds_unwind_machine {
  ds_u64 code_mask;    /* significant bits of return addresses: others may be a signature (pointer authentication) */
  ds_u64 default_rule; /* a struct ds_unwind_rule: for code without a table, which follows the frame pointer */
  ds_u64 entry_bytes;  /* from the stack pointer at the first instruction of a function up to its CFA */
};

/* The state of one walk, in memory of the firing. The program sets the offsets, `machine`, the registers and `process`.
 */
struct ds_unwind_walk {
  struct ds_unwind_offsets offsets;
  struct ds_unwind_machine machine;
  ds_u64 code, stack, frame; /* instruction, stack and frame pointer */
  ds_u64 link;               /* the register with the return address, if the machine has one */
  ds_u64 process;            /* ID */
  ds_u64 areas, area_count;
  ds_u64 is_exact;      /* 1: `code` is an instruction that was to run next; 0: a return address */
  ds_u64 replaced;      /* struct return_instance: the innermost one that can belong to an outer frame; 0: not read */
  ds_u64 is_stale;      /* 1: the mappings of the process have changed */
  ds_u64 is_incomplete; /* 1: a copy of the stack would show more frames */
  struct ds_unwind_area area; /* of the last frame */
  ds_u64 words[2];            /* read from the stack */
  struct ds_unwind_process unknown;
  struct ds_unwind_miss miss;
};

#endif
