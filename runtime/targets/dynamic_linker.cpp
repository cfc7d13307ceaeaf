#include "runtime/targets/dynamic_linker.h"

#include <elf.h>

#include <cstring>

#include "runtime/elf/debug_files.h"
#include "runtime/elf/process_maps.h"
#include "support/format.h"
#include "support/read_file.h"

namespace dscope {

std::optional<uint64_t> auxiliary_value(pid_t pid, uint64_t type) {
  auto auxv = read_file(fmt::format("/proc/{}/auxv", pid).c_str());
  if (!auxv) return std::nullopt;
  Elf64_auxv_t item{};
  for (size_t offset = 0; offset + sizeof item <= auxv->size(); offset += sizeof item) {
    std::memcpy(&item, auxv->data() + offset, sizeof item);
    if (item.a_type == type) return item.a_un.a_val;
  }
  return std::nullopt;
}

std::optional<DynamicLinker> DynamicLinker::find(pid_t pid) {
  auto base = auxiliary_value(pid, AT_BASE);
  if (!base || *base == 0) return std::nullopt;
  auto maps = ProcessMaps::read(static_cast<uint32_t>(pid));
  const Mapping* mapping = maps ? maps->find(*base) : nullptr;
  if (mapping == nullptr || !mapping->is_file()) return std::nullopt;
  Fd file = open_regular(fmt::format("/proc/{}/map_files/{:x}-{:x}", pid, mapping->start, mapping->end));
  if (!file) return std::nullopt;
  auto symbols = ElfSymbols::read(file.get(), "", "", true);
  return DynamicLinker{.symbols = std::move(symbols), .base = *base, .file = std::move(file)};
}

std::optional<uint64_t> DynamicLinker::address(std::string_view name) const {
  auto found = symbols->find_name(name);
  return found ? std::optional{base + *found} : std::nullopt;
}

std::optional<uint64_t> DynamicLinker::file_offset(std::string_view name) const {
  auto found = symbols->find_name(name);
  return found ? symbols->file_offset(*found) : std::nullopt;
}

}  // namespace dscope
