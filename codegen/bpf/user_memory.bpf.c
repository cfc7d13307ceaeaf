// Reads user memory that is not in the page table of the running process. A BPF program may not wait for a page fault,
// but the page cache and the memory of other processes are already in kernel memory. These functions walk page tables
// as the processor does, and the page cache as the kernel does.
#include "string_words.h"

#define PAGE 4096ULL
#define NEVER_MAPPED 1  // not an address: the page table has no entry for the page, not even a swap entry
#define MAX_FOLIO_PAGES (1ULL << 18)

struct lookup {
  u64 address;
  u64 found;
};

// The upper half of the page table is the kernel's.
DS_LOCAL int is_user_address(u64 address) { return address >> (ds_memory.top_shift + 8) == 0; }

// Walks the page table of a struct mm_struct. 0: the page is not present, for example swapped out.
DS_LOCAL u64 mapped_byte(u64 memory, u64 address) {
  u64 table = ds_read_word(memory + ds_memory.mm_tables);
  u64 shift = ds_memory.top_shift;
#pragma clang loop unroll(disable)
  for (int level = 0; level < 5; ++level) {
    u64 entry = ds_read_word(table + (address >> shift & 511) * DS_WORD);
    if (entry == 0) return NEVER_MAPPED;
    if ((entry & 1) == 0) return 0;
    u64 frame = entry & ds_memory.frame_mask;
    int is_large = (entry & 0x80) != 0 && shift <= 30;
    if (shift <= 12 || is_large) {
      u64 within = (1ULL << shift) - 1;
      return ds_memory.direct_map + (frame & ~within) + (address & within);
    }
    table = ds_memory.direct_map + frame;
    shift -= 9;
  }
  return 0;
}

// The page at `index` in the page cache, a struct xarray whose head is at `root`; 0 if the entry is not a page.
DS_LOCAL u64 cached_page(u64 root, u64 index) {
  u64 entry = ds_read_word(root);
  if ((entry & 3) != 2 && index != 0) return 0;
#pragma clang loop unroll(disable)
  for (int level = 0; level < 7; ++level) {
    if ((entry & 3) != 2 || entry < PAGE) break;
    u64 node = entry - 2;
    u64 shift = ds_read_word(node + ds_memory.node_shift) & 63;
    u64 slots = node + ds_memory.node_slots;
    if (level == 0 && index >> shift > 63) return 0;
    entry = ds_read_word(slots + (index >> shift & 63) * DS_WORD);
    // A sibling entry of a multi-page entry holds the index of the first slot.
    if ((entry & 3) == 2 && entry < 256) entry = ds_read_word(slots + (entry >> 2) * DS_WORD);
  }
  return (entry & 3) != 0 || entry < PAGE ? 0 : entry;
}

static long find_in_page_cache(void* task, void* area_pointer, void* state) {
  struct lookup* lookup = state;
  void* pointer = area_pointer;
  (void)task;
  // Converts the pointer to a plain number: the verifier allows no arithmetic on this typed pointer.
  u64 area = ds_read_word((u64)&pointer);
  u64 file = ds_read_word(area + ds_memory.area_file);
  if (file == 0) return 0;
  u64 index = ((lookup->address - ds_read_word(area + ds_memory.area_start)) >> 12) +
              ds_read_word(area + ds_memory.area_offset);
  u64 page = cached_page(ds_read_word(file + ds_memory.file_mapping) + ds_memory.mapping_pages, index);
  // The kernel may still be reading a locked page from the file.
  if (page == 0 || (ds_read_word(page) & 1) != 0) return 0;
  u64 within = index - ds_read_word(page + ds_memory.page_index);
  if (within >= MAX_FOLIO_PAGES) return 0;
  u64 frame = (page - ds_memory.page_structs) / ds_memory.page_bytes + within;
  lookup->found = ds_memory.direct_map + frame * PAGE + (lookup->address & (PAGE - 1));
  return 0;
}

u64 ds_global_user_byte(u64 memory, u64 address) {
  if (!is_user_address(address)) return 0;
  int is_running = memory == 0;
  if (is_running) memory = ds_read_word(bpf_get_current_task() + ds_memory.task_memory);
  if (memory == 0) return 0;
  u64 found = mapped_byte(memory, address);
  if (found != NEVER_MAPPED) return found;
  if (!is_running) return 0;
  struct lookup lookup = {.address = address, .found = 0};
  bpf_find_vma(bpf_get_current_task_btf(), address, find_in_page_cache, &lookup, 0);
  return lookup.found;
}

// ---------------------------------------------------------------- copies

// Copies bytes that lie on two pages, one by one.
struct user_copy {
  char* to;
  u64 last_byte;  // of the room
  u64 first;      // address of the first byte
  u64 second;     // address of the next page
  u64 split;      // bytes on the first page
  u64 is_text;    // ends with a NUL
  i64 result;
};

static long copy_byte(u64 index, void* state) {
  struct user_copy* copy = state;
  u64 from = index < copy->split ? copy->first + index : copy->second + (index - copy->split);
  char byte = 0;
  if (bpf_probe_read_kernel(&byte, 1, (const void*)from) != 0) {
    set_unknown((u64*)&copy->result, (u64)DS_UNREADABLE);
    return 1;
  }
  u64 at = index;
  if (!ds_within(&at, copy->last_byte)) return 1;
  copy->to[at] = byte;
  if (copy->is_text == 0 || byte != 0) return 0;
  set_unknown((u64*)&copy->result, index + 1);
  return 1;
}

i64 ds_copy_user(char* to, u64 room, u64 count, u64 first, u64 second) {
  u64 bytes = room >> 1, is_text = room & 1, split = PAGE - (first & (PAGE - 1));
  if (first == 0) return DS_UNREADABLE;
  count = ds_at_most(count, bytes);
  if (is_text != 0) {
    i64 length = bpf_probe_read_kernel_str(to, (unsigned)count, (const void*)first);
    if (length > 0 && (u64)length <= split) return ds_as_unknown(length, to);
    if (count > 0) --count;
  } else if (count <= split) {
    return ds_as_unknown(bpf_probe_read_kernel(to, (unsigned)count, (const void*)first), to);
  }
  // If no NUL is among the first `count` bytes, truncates the text and returns `count` + 1.
  struct user_copy copy = {.to = to,
                           .last_byte = bytes - 1,
                           .first = first,
                           .second = second,
                           .split = split,
                           .is_text = is_text,
                           .result = is_text != 0 ? (i64)count + 1 : 0};
  // If the verifier knows that a loop has no iterations, Linux 6.18 removes the callback but not the reference to it,
  // and reports "No program to jit".
  bpf_loop((unsigned)ds_as_unknown((i64)count, to), copy_byte, &copy, 0);
  return ds_as_unknown(copy.result, to);
}

i64 ds_copy_user_word(u64* to, u64 size, u64 first, u64 second) {
  u64 split = PAGE - (first & (PAGE - 1));
  if (first == 0 || (split < size && second == 0)) return DS_UNREADABLE;
  u64 word = 0;
  if (split >= DS_WORD) {
    word = ds_read_word(first);
  } else {
    bpf_probe_read_kernel(&word, (unsigned)(split & 7), (const void*)first);
    if (second != 0) word |= ds_read_word(second) << (split & 7) * 8;
  }
  *to = word;
  return ds_as_unknown(0, to);
}
