/* Shared by the test programs: helpers by number and the conventions of the plan. */
#ifndef DSCOPE_TEST_PROGRAMS_H
#define DSCOPE_TEST_PROGRAMS_H

#include "contract/record_format.h"

#define PROGRAM(name) __attribute__((section("prog/" #name), used)) int name
#define SUBPROGRAM static __attribute__((noinline))

static void* (*const map_lookup)(const void* map, const void* key) = (void*)1;
static long (*const map_update)(const void* map, const void* key, const void* value, ds_u64 flags) = (void*)2;
static ds_u64 (*const get_pid_tgid)(void) = (void*)14;
static ds_u32 (*const get_cpu)(void) = (void*)8;
static void* (*const ring_reserve)(const void* ring, ds_u64 size, ds_u64 flags) = (void*)131;
static void (*const ring_submit)(void* record, ds_u64 flags) = (void*)132;
static void (*const ring_discard)(void* record, ds_u64 flags) = (void*)133;
static void* (*const task_storage_get)(const void* map, void* task, const void* value, ds_u64 flags) = (void*)156;
static void* (*const current_task_btf)(void) = (void*)158;
static ds_u64 (*const get_attach_cookie)(void* context) = (void*)174;
static long (*const loop)(ds_u32 count, void* callback, void* context, ds_u64 flags) = (void*)181;

enum { NO_WAKEUP = 1, FORCE_WAKEUP = 2 };

/* Maps of the plan. ds_state and ds_globals are addresses of their element 0. */
extern char ds_ring, ds_counters, ds_cookie, ds_task, ds_agg_0, ds_agg_1;
extern struct ds_state ds_state;
extern ds_u64 ds_globals[8];

struct test_record {
  struct ds_record_header header;
  ds_u64 value;
};

/* The fake consumer treats a record of this clause as exit(value). */
enum { CLAUSE_EXIT = 900 };

static inline __attribute__((always_inline)) void emit(ds_u32 clause, ds_u32 row, ds_u64 value, ds_u64 flags) {
  struct test_record* record = ring_reserve(&ds_ring, sizeof *record, 0);
  if (!record) {
    ds_u32 zero = 0;
    struct ds_counters* counters = map_lookup(&ds_counters, &zero);
    if (counters) ++counters->record_drops;
    return;
  }
  record->header.clause = clause;
  record->header.probe_row = row;
  record->header.cpu = get_cpu();
  record->header.speculation = 0;
  record->value = value;
  ring_submit(record, flags);
}

static inline __attribute__((always_inline)) int is_activity(ds_u32 activity) {
  return *(volatile ds_u32*)&ds_state.activity == activity;
}

static inline __attribute__((always_inline)) void leave(ds_u64 status) {
  ds_state.activity = DS_ACTIVITY_DRAINING;
  emit(CLAUSE_EXIT, 0, status, FORCE_WAKEUP);
}

#endif
