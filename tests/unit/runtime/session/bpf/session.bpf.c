/* Programs of the session tests: each test's plan names the programs it uses. ds_globals holds parameters and counts.
 */
#include "programs.h"

enum { GLOBAL_LIMIT = 0, GLOBAL_COUNT = 1, GLOBAL_PID = 2, GLOBAL_STATUS = 3, GLOBAL_NUMBER = 4 };

PROGRAM(begin)(ds_u64* context) {
  if (is_activity(DS_ACTIVITY_STARTING)) emit(1, (ds_u32)context[0], get_pid_tgid(), NO_WAKEUP);
  return 0;
}

PROGRAM(begin_exits)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_STARTING)) return 0;
  emit(1, (ds_u32)context[0], 0, NO_WAKEUP);
  leave(ds_globals[GLOBAL_STATUS]);
  return 0;
}

PROGRAM(end)(ds_u64* context) {
  if (is_activity(DS_ACTIVITY_DRAINING)) emit(2, (ds_u32)context[0], ds_state.boot_to_wall_ns, NO_WAKEUP);
  return 0;
}

/* Calls exit() at its GLOBAL_LIMITth firing. */
PROGRAM(tick)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  ds_u64 count = __sync_fetch_and_add(&ds_globals[GLOBAL_COUNT], 1) + 1;
  emit(3, (ds_u32)context[0], count, NO_WAKEUP);
  if (count == ds_globals[GLOBAL_LIMIT]) leave(ds_globals[GLOBAL_STATUS]);
  return 0;
}

static long burst_one(ds_u32 index, void* context) {
  emit(4, 0, index, NO_WAKEUP);
  return 0;
}

/* BEGIN that writes GLOBAL_LIMIT records at once. */
PROGRAM(burst)(ds_u64* context) {
  ds_u64 unused = 0;
  if (is_activity(DS_ACTIVITY_STARTING)) loop(ds_globals[GLOBAL_LIMIT], burst_one, &unused, 0);
  return 0;
}

/* Tick that writes GLOBAL_LIMIT records at each firing. */
PROGRAM(burst_tick)(ds_u64* context) {
  ds_u64 unused = 0;
  if (is_activity(DS_ACTIVITY_ACTIVE)) loop(ds_globals[GLOBAL_LIMIT], burst_one, &unused, 0);
  return 0;
}

/* Discards one record between two submitted records. */
PROGRAM(discards)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_STARTING)) return 0;
  emit(5, 0, 1, NO_WAKEUP);
  void* record = ring_reserve(&ds_ring, 40, 0);
  if (record) ring_discard(record, NO_WAKEUP);
  emit(5, 0, 2, NO_WAKEUP);
  return 0;
}

/* sys_enter: counts system call GLOBAL_NUMBER of process GLOBAL_PID. */
PROGRAM(enter)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  if (get_pid_tgid() >> 32 != ds_globals[GLOBAL_PID] || context[1] != ds_globals[GLOBAL_NUMBER]) return 0;
  __sync_fetch_and_add(&ds_globals[GLOBAL_COUNT], 1);
  return 0;
}

/* As `enter`, and submits the cookie as a record. */
PROGRAM(enter_cookie)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  if (get_pid_tgid() >> 32 != ds_globals[GLOBAL_PID] || context[1] != ds_globals[GLOBAL_NUMBER]) return 0;
  emit(6, (ds_u32)get_attach_cookie(context), 0, NO_WAKEUP);
  return 0;
}

PROGRAM(enter_copied)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  if (get_pid_tgid() >> 32 != ds_globals[GLOBAL_PID] || context[1] != ds_globals[GLOBAL_NUMBER]) return 0;
  emit(6, 0, (ds_u64)&ds_cookie, NO_WAKEUP);
  return 0;
}

/* Perf event: ends the run at its GLOBAL_LIMITth firing. */
PROGRAM(clock)(void* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  ds_u64 count = __sync_fetch_and_add(&ds_globals[GLOBAL_COUNT], 1) + 1;
  if (count > ds_globals[GLOBAL_LIMIT]) return 0;
  emit(7, (ds_u32)get_attach_cookie(context), count, NO_WAKEUP);
  if (count == ds_globals[GLOBAL_LIMIT]) leave(0);
  return 0;
}

/* Tracepoint of one system call. */
PROGRAM(tracepoint)(void* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE) || get_pid_tgid() >> 32 != ds_globals[GLOBAL_PID]) return 0;
  emit(8, (ds_u32)get_attach_cookie(context), 0, NO_WAKEUP);
  return 0;
}

/* Thread-local variable: counts its firings in this thread. */
PROGRAM(thread_local_tick)(ds_u64* context) {
  if (!is_activity(DS_ACTIVITY_ACTIVE)) return 0;
  ds_u64* words = task_storage_get(&ds_task, current_task_btf(), 0, 1);
  if (!words) return 0;
  emit(9, 0, ++words[2], NO_WAKEUP);
  if (words[2] == ds_globals[GLOBAL_LIMIT]) leave(0);
  return 0;
}

static long aggregate_one(ds_u32 index, void* context) {
  ds_u64 key[2] = {index, 7}, one = 1;
  ds_u64* value = map_lookup(&ds_agg_0, key);
  if (value) ++*value;
  else if (map_update(&ds_agg_0, key, &one, 0) != 0) ++ds_globals[GLOBAL_COUNT];
  return 0;
}

/* BEGIN: GLOBAL_LIMIT keys with value 1 in ds_agg_0; ds_agg_1 (unkeyed) becomes 5. */
PROGRAM(aggregate)(ds_u64* context) {
  ds_u64 unused = 0;
  ds_u32 zero = 0;
  loop(ds_globals[GLOBAL_LIMIT], aggregate_one, &unused, 0);
  ds_u64* value = map_lookup(&ds_agg_1, &zero);
  if (value) *value = 5;
  return 0;
}
