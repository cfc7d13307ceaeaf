#include "driver/replay/object_symbols.h"

#include <cstdlib>

#include "codegen/core/demangle.h"
#include "runtime/elf/build_id.h"
#include "runtime/elf/debug_files.h"
#include "support/fd.h"
#include "support/format.h"

namespace dscope {

namespace {

std::string text_of(std::string_view object, std::string_view symbol, uint64_t address, uint64_t offset) {
  if (object.empty()) return fmt::format("0x{:x}", address);
  if (symbol.empty()) return fmt::format("{}`0x{:x}", object, address);
  std::string text = fmt::format("{}`{}", object, symbol);
  return offset != 0 ? text + fmt::format("+0x{:x}", offset) : text;
}

// The file with this build-id: at its path, or in perf's store of files.
Fd open_object(const std::string& path, const std::string& build_id) {
  constexpr size_t folder_letters = 2;
  if (build_id.size() <= folder_letters) return {};
  std::vector<std::string> places = {path};
  if (const char* home = std::getenv("HOME"))
    places.push_back(fmt::format("{}/.debug/.build-id/{}/{}/elf", home, build_id.substr(0, folder_letters),
                                 build_id.substr(folder_letters)));
  for (const std::string& place : places)
    if (Fd file = open_regular(place); file && read_build_id(file.get()) == build_id) return file;
  return {};
}

}  // namespace

ObjectSymbols::ObjectSymbols(const CaptureInfo& info) : info_(info) {
  for (const CapturedObject& object : info.objects) {
    if (!object.build_id.empty()) build_ids_[object.path] = object.build_id;
    if (object.pid == 0 || object.end <= object.start) continue;
    maps_[object.pid].add(
        {.start = object.start, .end = object.end, .offset = object.offset, .device = {}, .path = object.path});
  }
}

ObjectSymbols::~ObjectSymbols() = default;

const ElfSymbols* ObjectSymbols::symbols_of(const std::string& path) {
  auto [entry, is_new] = files_.try_emplace(path);
  if (!is_new) return entry->second.get();
  auto build_id = build_ids_.find(path);
  if (build_id == build_ids_.end()) return nullptr;
  if (Fd file = open_object(path, build_id->second)) entry->second = ElfSymbols::read(file.get(), path);
  return entry->second.get();
}

// The names of the running kernel, if it is the recorded one at the same addresses.
const KernelSymbols& ObjectSymbols::kernel() {
  if (kernel_) return *kernel_;
  kernel_ = KernelSymbols::parse("");
  for (const CapturedObject& object : info_.objects) {
    if (object.pid != 0 || !object.path.starts_with("[kernel.kallsyms]")) continue;
    if (object.build_id.empty() || object.build_id != running_kernel_build_id()) break;
    KernelSymbols symbols = KernelSymbols::load();
    // The offset is the address of the first symbol when the file was recorded. Each boot may have another one.
    auto first = symbols.find(object.offset);
    if (first && first->start == object.offset) kernel_ = std::move(symbols);
    break;
  }
  return *kernel_;
}

ObjectSymbols::Location ObjectSymbols::locate_in_kernel(uint64_t address) {
  auto found = kernel().find(address);
  if (!found) return {.object = {}, .symbol = {}, .start = address, .module_start = address};
  return {std::string(found->module), std::string(found->name), found->start, found->module_start};
}

ObjectSymbols::Location ObjectSymbols::locate(uint32_t pid, uint64_t address) {
  if (pid == 0) return locate_in_kernel(address);
  Location location{.object = {}, .symbol = {}, .start = address, .module_start = address};
  auto maps = maps_.find(pid);
  const Mapping* mapping = maps != maps_.end() ? maps->second.find(address) : nullptr;
  if (mapping == nullptr) return location;
  location.object = mapping->object_name();
  location.module_start = mapping->start;
  const ElfSymbols* symbols = mapping->is_file() ? symbols_of(mapping->path) : nullptr;
  if (symbols == nullptr) return location;
  uint64_t virtual_address = symbols->virtual_address(address - mapping->start + mapping->offset);
  if (auto found = symbols->find(virtual_address)) {
    location.symbol = demangle(found->name);
    location.start = address - (virtual_address - found->start);
  }
  return location;
}

CapturedSymbol ObjectSymbols::describe(uint32_t pid, uint64_t address) {
  Location location = locate(pid, address);
  // A return address may be past the end of the function that calls.
  Location caller = locate(pid, address - 1);
  if (caller.symbol.empty()) caller = location;
  auto offset = [&](const Location& from) { return address - from.start; };
  return {.symbol = text_of(location.object, location.symbol, address, 0),
          .text = text_of(location.object, location.symbol, address, offset(location)),
          .caller = text_of(caller.object, caller.symbol, address, 0),
          .caller_text = text_of(caller.object, caller.symbol, address, offset(caller)),
          .module = location.object.empty() ? text_of("", "", address, 0) : location.object,
          .start = location.start,
          .module_start = location.module_start};
}

}  // namespace dscope
