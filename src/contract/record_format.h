/* Memory layouts shared by BPF programs and the consumer: record headers, the state block, per-CPU counters, fault
 * codes. Plain C so that codegen/bpf/ compiles it too. Offsets of everything else are data in the ProgramPlan. */
#ifndef DSCOPE_RECORD_FORMAT_H
#define DSCOPE_RECORD_FORMAT_H

#ifdef __cplusplus
#include <cstdint>
typedef uint8_t ds_u8;
typedef uint32_t ds_u32;
typedef uint64_t ds_u64;
#else
typedef unsigned char ds_u8;
typedef unsigned int ds_u32;
typedef unsigned long long ds_u64;
#endif

/* In a program with several rings, this precedes the header of each record. The consumer merges the rings by it. */
struct ds_ring_stamp {
  ds_u64 time; /* bpf_ktime_get_ns() after the record was reserved */
};

/* Every record of the ring starts with this header; fields follow at the offsets of the clause's ActionPlans (from the
 * record's start). `clause` is the clause number, or one of the DS_RECORD_ values. */
struct ds_record_header {
  ds_u32 clause;
  ds_u32 probe_row; /* index into ProgramPlan::probes */
  ds_u32 cpu;
  ds_u32 speculation; /* 0: not speculative; else generation << 16 | id */
};

/* With option rowstamps, this follows the header of each record that prints a row. */
struct ds_row_stamp {
  ds_u64 time;     /* bpf_ktime_get_ns() */
  ds_u64 pid_tgid; /* of the thread that fired the probe, in the namespace of pid: process << 32 | thread */
  char comm[16];   /* of that thread; ends at the first NUL */
};

/* Bytes that a record uses in a buffer in addition to its own size. */
#define DS_RECORD_OVERHEAD 8

/* A user stack with a copy: after the process and the frames come the words of struct pt_regs, the number of bytes
 * copied, and those bytes. The program copies whole pieces, from the piece that holds the stack pointer up to the end
 * of the stack. A piece lies within one page, because a piece that reaches into an absent page cannot be read.
 */
#define DS_STACK_PIECE_BYTES 1024
#define DS_STACK_COPY_SIZE(registers, bytes) ((registers) * 8 + 8 + (bytes)) /* total bytes */

#define DS_RECORD_FAULT 0xffffffffu
/* The end of a speculation: only a header, whose `speculation` identifies it. */
#define DS_RECORD_COMMIT 0xfffffffeu
#define DS_RECORD_DISCARD 0xfffffffdu

/* A fault in a clause (consumer-and-actions.md 2.6). */
struct ds_fault_record {
  struct ds_record_header header; /* clause = DS_RECORD_FAULT; probe_row of the faulting firing */
  ds_u32 clause;                  /* number of the faulting clause */
  ds_u32 code;                    /* DS_FAULT_ */
  ds_u64 value;                   /* address, index, size */
  ds_u32 site;                    /* index into ProgramPlan::fault_sites; shown as pc = site + 1 */
  ds_u32 reserved;
};

enum {
  DS_FAULT_UNKNOWN = 0,
  DS_FAULT_BADADDR = 1,
  DS_FAULT_BADALIGN = 2,
  DS_FAULT_ILLOP = 3,
  DS_FAULT_DIVZERO = 4,
  DS_FAULT_NOSCRATCH = 5,
  DS_FAULT_KPRIV = 6,
  DS_FAULT_UPRIV = 7,
  DS_FAULT_TUPOFLOW = 8,
  DS_FAULT_BADSTACK = 9,
  DS_FAULT_BADSIZE = 10,
  DS_FAULT_BADINDEX = 11,
};

/* Map "ds_state": one element, mmapped by the consumer. */
enum {
  DS_ACTIVITY_STARTING = 0,
  DS_ACTIVITY_ACTIVE = 1,
  DS_ACTIVITY_DRAINING = 2,
  DS_ACTIVITY_STOPPED = 3,
  DS_ACTIVITY_HANDING_OVER = 4,
  DS_ACTIVITY_TAKING_OVER = 5,
};
struct ds_state {
  /* STARTING: only BEGIN runs; ACTIVE: all but END; DRAINING: only END; HANDING_OVER, TAKING_OVER: see ds_handover */
  ds_u32 activity;
  ds_u32
      keeps_overflow; /* updates that find no room in the map of their aggregation go to ds_overflow; else they drop */
  ds_u64 boot_to_wall_ns; /* added to the monotonic clock gives walltimestamp; kept up to date by the consumer */
};

/* Map "ds_handover" of a service, shared by a run and the one that replaces it: one element, mmapped by the consumer.
 * While the one is HANDING_OVER and the other TAKING_OVER, each event runs the program of both, and exactly one counts
 * it. The program that runs first decides by `owner` and stores whether it counts; the other one follows. An order of
 * the hook: the programs of which run it calls first. */
enum { DS_ORDER_UNKNOWN = 0, DS_ORDER_OLD_FIRST = 1, DS_ORDER_NEW_FIRST = 2 };
enum { DS_OWNER_OLD = 0, DS_OWNER_NEW = 1 };
#define DS_HANDOVER_DECISIONS 32768
struct ds_handover {
  ds_u64 owner; /* the run that counts events from now on */
  /* Whether the first program has counted the latest event, by a hash of the thread and the hook; a table per order. */
  ds_u8 counted_by_old[DS_HANDOVER_DECISIONS];
  ds_u8 counted_by_new[DS_HANDOVER_DECISIONS];
};

/* Map "ds_speculations": an array of these, for ids 1, 2 ..., mmapped by the consumer. A speculation is FREE until
 * speculation() returns it, and again after it was discarded or after the consumer has printed its committed records.
 */
enum { DS_SPECULATION_FREE = 0, DS_SPECULATION_TAKEN = 1, DS_SPECULATION_ACTIVE = 2, DS_SPECULATION_COMMITTED = 3 };
#define DS_MAX_SPECULATIONS 4096
struct ds_speculation {
  ds_u64 state;
  ds_u64 generation; /* incremented by each use of the id; records carry its low 16 bits */
  ds_u64 bytes;      /* recorded so far, headers included */
  ds_u64 reserved;
};

/* The time for which chill() has stalled a CPU since `since` (monotonic clock). */
#define DS_CHILL_PERIOD_NS 1000000000ull
#define DS_MAX_CHILL_NS 500000000ull /* in each period */
struct ds_chill {
  ds_u64 since;
  ds_u64 used_ns;
};

/* Map "ds_counters": per-CPU array of one element. The counters only grow. */
struct ds_counters {
  ds_u64 record_drops;             /* ring full: principal drops */
  ds_u64 aggregation_drops;        /* no room for a new element */
  ds_u64 dynamic_drops;            /* no room for a thread-local or array element */
  ds_u64 scratch_drops;            /* firing lost: all scratch slots of the CPU taken */
  ds_u64 double_faults;            /* fault inside an ERROR clause */
  ds_u64 fault_drops;              /* fault records lost because the ring was full */
  ds_u64 speculation_drops;        /* speculative records that exceeded specsize or found the ring full */
  ds_u64 speculations_busy;        /* speculation() failed: none was free, but some wait for the consumer */
  ds_u64 speculations_unavailable; /* speculation() failed: all were in use */
  struct ds_chill chill;
  ds_u64 buffered_bytes; /* bufpolicy=fill: bytes of bufsize that the CPU's records use so far */
};

#endif
