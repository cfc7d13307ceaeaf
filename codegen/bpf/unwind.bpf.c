// Unwinds user stacks by tables in BPF maps (contract/stacks/unwind_format.h).
//
// All state that changes from frame to frame is in map memory, whose content the verifier does not track: it sees the
// same state after each iteration and verifies one. Searches have no branches, because each would double the paths.
#include "contract/stacks/unwind_format.h"

#include "string_words.h"
#include "unwind.h"

#ifdef DS_NATIVE_HELPERS
#define DS_MAP(name) #name
#else
extern const char ds_unwind_chunks, ds_unwind_processes, ds_unwind_misses, ds_unwind_counters;
#define DS_MAP(name) &name
#endif

#define CHUNK_WORD (DS_UNWIND_CHUNK_WORDS - 1)
#define PAGE_BYTES (1ULL << DS_UNWIND_PAGE_BITS)
#define DS_PAGE_BYTES 4096ULL  // of memory; on machines with larger pages, too

// 1 if left < right, else 0. Both are below 2^63.
DS_LOCAL u64 is_below(u64 left, u64 right) {
  u64 difference = left - right;
  DS_HIDE(difference);
  u64 bit = difference >> 63;
  DS_HIDE(bit);
  return bit;
}

// The memory of the chunk that contains a location; NULL if it does not exist.
DS_LOCAL const char* chunk_of(u64 location) {
  u32 number = (u32)(location >> DS_UNWIND_WORD_BITS), first = 0;
  void* chunk = bpf_map_lookup_elem(DS_MAP(ds_unwind_chunks), &number);
  if (chunk == 0) return 0;
  return bpf_map_lookup_elem(chunk, &first);
}

DS_LOCAL u64 byte_of(u64 location, u64 mask) {
  DS_HIDE(location);
  return (location & mask) * 4;
}

DS_LOCAL u32 load_32(const char* chunk, u64 location) { return *(const u32*)(chunk + byte_of(location, CHUNK_WORD)); }
// The location must be even.
DS_LOCAL u64 load_64(const char* chunk, u64 location) {
  return *(const u64*)(chunk + byte_of(location, CHUNK_WORD - 1));
}

DS_LOCAL void count(u64 offset) {
  u32 first = 0;
  char* counters = bpf_map_lookup_elem(DS_MAP(ds_unwind_counters), &first);
  if (counters != 0) *(u64*)(counters + offset) += 1;
}
#define DS_COUNT(member) count(__builtin_offsetof(struct ds_unwind_counters, member))

// Finds the mapping that contains `code`.
DS_LOCAL int find_area(struct ds_unwind_walk* walk, u64 code) {
  const char* chunk = chunk_of(walk->areas);
  if (chunk == 0) return 0;
  const u64 words = sizeof(struct ds_unwind_area) / 4;
  u64 index = 0;
#pragma clang loop unroll(full)
  for (u64 step = DS_UNWIND_MAX_AREAS / 2; step > 0; step /= 2) {
    u64 next = index + step;
    u64 start = load_64(chunk, walk->areas + next * words);
    index += step * (is_below(next, walk->area_count) & is_below(start, code + 1));
  }
  u64 area = walk->areas + index * words;
  walk->area.start = load_64(chunk, area);
  walk->area.end = load_64(chunk, area + 2);
  walk->area.bias = load_64(chunk, area + 4);
  walk->area.pages = load_32(chunk, area + 6);
  walk->area.page_count = load_32(chunk, area + 7);
  return code >= walk->area.start && code < walk->area.end;
}

// A struct ds_unwind_rule as one word.
DS_LOCAL u64 find_rule(const struct ds_unwind_walk* walk, u64 code) {
  u64 offset = code - walk->area.bias;
  u64 page = offset >> DS_UNWIND_PAGE_BITS;
  if (page >= walk->area.page_count) return walk->machine.default_rule;
  const char* chunk = chunk_of(walk->area.pages);
  if (chunk == 0) return walk->machine.default_rule;
  u64 first = load_32(chunk, walk->area.pages + page * 2), rows = load_32(chunk, walk->area.pages + page * 2 + 1);
  chunk = chunk_of(first);
  if (chunk == 0) return walk->machine.default_rule;
  u64 key = ((offset & (PAGE_BYTES - 1)) << 16 | 0xffff) + 1, row = 0;
#pragma clang loop unroll(full)
  for (u64 step = PAGE_BYTES / 2; step > 0; step /= 2) {
    u64 next = row + step;
    row += step * (is_below(next, rows) & is_below(load_32(chunk, first + next), key));
  }
  u64 rule = load_32(chunk, first + row) & 0xffff;
  chunk = chunk_of(0);
  if (chunk == 0 || rule == 0) return walk->machine.default_rule;
  return load_64(chunk, rule * 2);
}

DS_LOCAL int memory_failure(void) {
  DS_COUNT(unreadable_memory);
  return 0;
}

// Moves to the caller of a signal handler: `context` is the address of a struct sigcontext.
DS_LOCAL int leave_signal(struct ds_unwind_walk* walk, u64 context) {
  long failure = bpf_probe_read_user(&walk->frame, 8, (const void*)(context + 80));
  failure |= bpf_probe_read_user(&walk->stack, 8, (const void*)(context + 120));
  failure |= bpf_probe_read_user(&walk->code, 8, (const void*)(context + 128));
  if (failure != 0) return memory_failure();
  walk->is_exact = 1;
  return 1;
}

DS_LOCAL int find_frame_address(struct ds_unwind_walk* walk, u64 kind, i64 offset, u64* address) {
  u64 base = walk->stack;
  if (kind == DS_UNWIND_FRAME || kind == DS_UNWIND_FRAME_WORD) base = walk->frame;
  if (kind == DS_UNWIND_STUB) offset = (walk->code & 15) >= (u64)offset ? 16 : 8;
  base += (u64)offset;
  if (kind == DS_UNWIND_STACK_WORD || kind == DS_UNWIND_FRAME_WORD) {
    if (bpf_probe_read_user(&walk->words[0], 8, (const void*)base) != 0) return memory_failure();
    base = walk->words[0];
  }
  *address = base;
  return 1;
}

// The first replaced return address of the running thread; 0 if there is none.
DS_LOCAL u64 first_replaced(const struct ds_return_offsets* offsets) {
  u64 uprobes = ds_read_word(bpf_get_current_task() + offsets->task_uprobes);
  return uprobes == 0 ? 0 : ds_read_word(uprobes + offsets->uprobe_returns);
}

// A trampoline is at the start of a page, as hardly any return address is: others cost nothing here.
DS_LOCAL int may_be_trampoline(u64 code) { return (code & (DS_PAGE_BYTES - 1)) == 0; }

// The address that a uretprobe has replaced at `place` on the stack; 0 if there is none. Moves *replaced to the
// next one further out.
DS_LOCAL u64 find_replaced(const struct ds_return_offsets* offsets, u64* replaced, u64 place) {
  u64 address = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < DS_MAX_NESTED_RETURNS; ++i) {
    u64 instance = *replaced;
    if (instance == 0 || address != 0) break;
    if (ds_read_word(instance + offsets->place) == place) address = ds_read_word(instance + offsets->address);
    *replaced = ds_read_word(instance + offsets->next);
  }
  return address;
}

DS_LOCAL void restore_replaced(struct ds_unwind_walk* walk, u64 place) {
  const struct ds_return_offsets* offsets = &walk->offsets.returns;
  if (offsets->task_uprobes == 0) return;
  if (walk->replaced == 0) walk->replaced = first_replaced(offsets);
  u64 address = find_replaced(offsets, &walk->replaced, place);
  if (address != 0) walk->code = address;
}

i64 ds_original_return(u64 code, u64 place, const struct ds_return_offsets* offsets) {
  u64 replaced = first_replaced(offsets);
  u64 address = find_replaced(offsets, &replaced, place);
  return ds_as_unknown((i64)(address != 0 ? address : code), offsets);
}

// Reads the return address and the frame pointer of the caller, on machines whose calls push the return address.
DS_LOCAL int read_pushed(struct ds_unwind_walk* walk, u64 address, u64 frame_kind, i64 frame_offset) {
  // Stacks grow downwards. Anything else is damage, and could loop.
  if (address <= walk->stack) return 0;
  if (bpf_probe_read_user(walk->words, 16, (const void*)(address - 16)) != 0) return memory_failure();
  walk->code = walk->words[1];
  u64 base = frame_kind == DS_UNWIND_FRAME_AT_CFA ? address : walk->frame;
  u64 place = base + (u64)frame_offset;
  // Below the stack pointer, the function has popped the frame pointer into its register, and a signal handler may have
  // overwritten the place.
  if (frame_kind != DS_UNWIND_FRAME_SAME && place >= walk->stack) {
    // Usually next to the return address. If it cannot be read, the caller may not need it.
    if (place == address - 16) walk->frame = walk->words[0];
    else bpf_probe_read_user(&walk->frame, 8, (const void*)place);
  }
  return 1;
}

// As read_pushed(), on machines whose calls leave the return address in a register.
DS_LOCAL int read_linked(struct ds_unwind_walk* walk, u64 address, u64 frame_kind, i64 frame_offset) {
  if (frame_kind == DS_UNWIND_RETURN_IN_REGISTER) {
    walk->code = walk->link;
    // The register was overwritten by the call to the frame before. A leaf function may have no frame.
    return walk->is_exact != 0 && address >= walk->stack;
  }
  if (address <= walk->stack) return 0;
  if (bpf_probe_read_user(walk->words, 16, (const void*)(address + (u64)frame_offset)) != 0) return memory_failure();
  walk->code = walk->words[0];
  if (frame_kind == DS_UNWIND_RETURN_AT_CFA) return 1;
  walk->frame = walk->words[0];
  walk->code = walk->words[1];
  return 1;
}

// Moves to the caller by a rule other than END, UNSUPPORTED and SIGNAL.
DS_LOCAL int leave_function(struct ds_unwind_walk* walk, u64 rule) {
  u64 address = 0, frame_kind = rule >> 8 & 0xff;
  i64 frame_offset = (i64)(short)(rule >> 16);
  if (!find_frame_address(walk, rule & 0xff, (i64)(int)(rule >> 32), &address)) return 0;
  int is_read = frame_kind >= DS_UNWIND_RETURN_IN_REGISTER ? read_linked(walk, address, frame_kind, frame_offset)
                                                           : read_pushed(walk, address, frame_kind, frame_offset);
  if (!is_read) return 0;
  walk->code &= walk->machine.code_mask;
  if (may_be_trampoline(walk->code)) restore_replaced(walk, address - walk->machine.entry_bytes);
  walk->stack = address;
  walk->is_exact = 0;
  return walk->code != 0;
}

struct walk_target {
  u64* to;
  u64 last;  // index
  struct ds_unwind_walk* walk;
  u64 count;
};

static long walk_frame(u64 index, void* state) {
  struct walk_target* target = state;
  struct ds_unwind_walk* walk = target->walk;
  u64 at = index;
  if (!ds_within(&at, target->last)) return 1;
  // The return address of a call at the end of a function is behind that function.
  u64 code = walk->code - 1 + walk->is_exact;
  if ((code < walk->area.start || code >= walk->area.end) && !find_area(walk, code)) {
    DS_COUNT(unknown_code);
    walk->is_incomplete = walk->is_stale;
    return 1;
  }
  target->to[at] = walk->code;
  set_unknown(&target->count, index + 1);
  u64 rule = find_rule(walk, code), kind = rule & 0xff;
  if (kind == DS_UNWIND_END) return 1;
  if (kind == DS_UNWIND_UNSUPPORTED) {
    DS_COUNT(unsupported_rules);
    walk->is_incomplete = 1;
    return 1;
  }
  if (kind == DS_UNWIND_SIGNAL) return !leave_signal(walk, walk->stack + (u64)(i64)(int)(rule >> 32));
  return !leave_function(walk, rule);
}

// Reports a miss, unless the last one of the process is not handled yet.
DS_LOCAL void report_miss(struct ds_unwind_process* known, struct ds_unwind_walk* walk) {
  if (known != 0) {
    if (known->is_reported != 0) return;
    known->is_reported = 1;
  } else {
    u32 id = (u32)walk->process;
    walk->unknown.stack_start = walk->unknown.code_pages = 0;
    walk->unknown.areas = walk->unknown.area_count = 0;
    walk->unknown.is_reported = 1;
    bpf_map_update_elem(DS_MAP(ds_unwind_processes), &id, &walk->unknown, 0);
  }
  bpf_ringbuf_output(DS_MAP(ds_unwind_misses), &walk->miss, sizeof walk->miss, 0);
}

// The maps know the process by its ID. A child that has not called exec has the mappings of its parent.
DS_LOCAL struct ds_unwind_process* find_process(u64 task, u64 memory, struct ds_unwind_walk* walk) {
  u32 id = (u32)walk->process;
  u64 stack_start = ds_read_word(memory + walk->offsets.memory_stack_start);
  walk->miss.stack_start = stack_start;
  walk->miss.code_pages = ds_read_word(memory + walk->offsets.memory_code_pages);
  walk->miss.process = walk->process;
  struct ds_unwind_process* process = bpf_map_lookup_elem(DS_MAP(ds_unwind_processes), &id);
  int is_known = process != 0 && process->stack_start == stack_start;
  walk->is_stale = !is_known || process->code_pages != walk->miss.code_pages;
  if (walk->is_stale) report_miss(process, walk);
  if (is_known) return process;
  id = (u32)ds_read_word(ds_read_word(task + walk->offsets.task_parent) + walk->offsets.task_process);
  process = bpf_map_lookup_elem(DS_MAP(ds_unwind_processes), &id);
  return process != 0 && process->stack_start == stack_start ? process : 0;
}

i64 ds_unwind(u64* to, u64 frames, struct ds_unwind_walk* walk) {
  u64 task = bpf_get_current_task();
  u64 memory = ds_read_word(task + walk->offsets.task_memory);
  walk->is_incomplete = 0;
  if (memory == 0) return ds_as_unknown(0, to);
  DS_COUNT(stacks);
  struct ds_unwind_process* process = find_process(task, memory, walk);
  if (process == 0) {
    DS_COUNT(unknown_processes);
    walk->is_incomplete = 1;
    return ds_as_unknown(0, to);
  }
  walk->areas = process->areas;
  walk->area_count = process->area_count;
  if (walk->area_count == 0) return ds_as_unknown(0, to);
  walk->area.start = walk->area.end = 0;
  walk->is_exact = 1;
  walk->replaced = 0;
  struct walk_target target = {.to = to, .last = frames - 1, .walk = walk, .count = 0};
  bpf_loop((u32)frames, walk_frame, &target, 0);
  return ds_as_unknown((i64)(target.count * 8), to);
}

// A program may interrupt another one on its CPU.
i64 ds_number_copy(void) {
  u32 first = 0;
  struct ds_unwind_counters* counters = bpf_map_lookup_elem(DS_MAP(ds_unwind_counters), &first);
  if (counters == 0) return 0;
  u64 count = __sync_fetch_and_add(&counters->copies, 1);
  return ds_as_unknown((i64)DS_UNWIND_COPY_NUMBER((u64)bpf_get_smp_processor_id(), count), counters);
}
