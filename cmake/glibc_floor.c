// The functions of glibc 2.35 and 2.36 that libstdc++ and libgcc use, so that programs of the release archive run with
// glibc 2.34. Hidden: libraries that the program opens keep glibc's own.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

// Since glibc 2.36. libstdc++ calls it for std::random_device.
HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number) abort();
  return number;
}

struct search {
  uintptr_t address;
  struct dl_find_object* result;
};

static int is_object_of_address(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct search* search = data;
  uintptr_t begin = UINTPTR_MAX, end = 0, unwind_table = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* part = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_EH_FRAME) unwind_table = start;
    if (part->p_type != PT_LOAD) continue;
    if (start < begin) begin = start;
    if (start + part->p_memsz > end) end = start + part->p_memsz;
  }
  if (search->address < begin || search->address >= end || unwind_table == 0) return 0;
  memset(search->result, 0, sizeof *search->result);
  search->result->dlfo_map_start = (void*)begin;
  search->result->dlfo_map_end = (void*)end;
  search->result->dlfo_eh_frame = (void*)unwind_table;
  return 1;
}

// Since glibc 2.35. libgcc calls it for each frame that an exception passes.
HIDDEN int _dl_find_object(void* address, struct dl_find_object* result) {
  struct search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(is_object_of_address, &search) == 1 ? 0 : -1;
}
