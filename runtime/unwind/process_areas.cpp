#include "runtime/unwind/process_areas.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <charconv>
#include <cstring>

#include "runtime/elf/debug_files.h"
#include "support/format.h"

namespace dscope {

namespace {

std::span<char> vdso_image(const Mapping& mapping) {
  auto* start = reinterpret_cast<char*>(::getauxval(AT_SYSINFO_EHDR));
  return start == nullptr ? std::span<char>{}
                          : std::span<char>{start, static_cast<size_t>(mapping.end - mapping.start)};
}

const ObjectTable* table_of(uint32_t pid, const Mapping& mapping, ObjectTables& tables) {
  if (mapping.is_vdso()) return &tables.of_memory(vdso_image(mapping));
  if (!mapping.is_file()) return nullptr;
  return &tables.of_file(open_mapped_file(pid, mapping).get());
}

// The virtual address of the mapping's first byte in its object.
std::optional<uint64_t> address_in_object(const Mapping& mapping, const ObjectTable& table) {
  constexpr uint64_t page = 4096;
  for (const ObjectTable::Segment& segment : table.segments)
    if (mapping.offset >= segment.offset / page * page &&
        mapping.offset - segment.offset / page * page < segment.size + page)
      return segment.address - segment.offset + mapping.offset;
  return std::nullopt;
}

}  // namespace

std::vector<ds_unwind_area> areas_of(uint32_t pid, const ProcessMaps& maps, ObjectTables& tables) {
  std::vector<ds_unwind_area> areas;
  for (const Mapping& mapping : maps.mappings()) {
    // The page of old system calls (vsyscall) is at a kernel address, where searches would go wrong.
    bool is_user_memory = mapping.start >> 63 == 0;
    if (!mapping.is_executable || !is_user_memory || areas.size() == DS_UNWIND_MAX_AREAS) continue;
    ds_unwind_area area{.start = mapping.start, .end = mapping.end, .bias = 0, .pages = 0, .page_count = 0};
    const ObjectTable* table = table_of(pid, mapping, tables);
    auto address = table != nullptr && table->page_count != 0 ? address_in_object(mapping, *table) : std::nullopt;
    if (address) {
      area.bias = mapping.start - *address + table->first_page;
      area.pages = table->pages;
      area.page_count = table->page_count;
    }
    areas.push_back(area);
  }
  return areas;
}

std::optional<uint64_t> stack_start_of(std::string_view stat) {
  constexpr int field = 28, first_after_name = 3;
  size_t end = stat.rfind(')');  // names may contain anything
  if (end == std::string_view::npos || end + 2 > stat.size()) return std::nullopt;
  stat.remove_prefix(end + 2);
  for (int i = first_after_name; i < field; ++i) {
    size_t blank = stat.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    stat.remove_prefix(blank + 1);
  }
  uint64_t value = 0;
  auto [rest, error] = std::from_chars(stat.data(), stat.data() + stat.size(), value);
  return error == std::errc{} && value > 1 ? std::optional(value) : std::nullopt;
}

std::optional<bool> is_64_bit(uint32_t pid) {
  Fd fd{::open(fmt::format("/proc/{}/exe", pid).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  unsigned char identity[EI_NIDENT];
  if (!fd || ::pread(fd.get(), identity, sizeof identity, 0) != sizeof identity) return std::nullopt;
  return std::memcmp(identity, ELFMAG, SELFMAG) != 0 || identity[EI_CLASS] == ELFCLASS64;
}

}  // namespace dscope
