#include "runtime/record/address_names.h"

#include "runtime/elf/build_id.h"
#include "runtime/elf/debug_files.h"

namespace dscope {

std::span<const uint64_t> AddressNames::without_tracer(std::span<const uint64_t> kernel_stack) {
  size_t first = 0;
  for (; first < kernel_stack.size(); ++first) {
    auto [known, is_new] = is_tracer_.try_emplace(kernel_stack[first], false);
    if (is_new) known->second = symbols_.is_tracer_frame(kernel_stack[first]);
    if (!known->second) break;
  }
  return kernel_stack.subspan(first);
}

void AddressNames::add_kernel(std::span<const uint64_t> stack) {
  for (uint64_t address : stack)
    if (!writer_.has_symbol(0, address)) writer_.add_symbol(0, address, kernel_name(address));
}

std::span<const uint64_t> AddressNames::add_code(uint32_t pid, std::span<const uint64_t> stack) {
  if (known_processes_.insert(pid).second) add_objects(pid);
  for (size_t i = 0; i < stack.size(); ++i) {
    if (writer_.has_symbol(pid, stack[i])) continue;
    if (i > 0 && !symbols_.may_be_code(pid, stack[i])) return stack.first(i);
    writer_.add_symbol(pid, stack[i], user_name(pid, stack[i]));
  }
  return stack;
}

CapturedSymbol AddressNames::kernel_name(uint64_t address) {
  return {.symbol = symbols_.kernel_symbol(address, false),
          .text = symbols_.kernel_symbol(address, true),
          .caller = symbols_.kernel_caller(address, false),
          .caller_text = symbols_.kernel_caller(address, true),
          .module = symbols_.kernel_module(address),
          .start = symbols_.kernel_symbol_start(address),
          .module_start = symbols_.kernel_module_start(address)};
}

CapturedSymbol AddressNames::user_name(uint32_t pid, uint64_t address) {
  return {.symbol = symbols_.user_symbol(pid, address, false),
          .text = symbols_.user_symbol(pid, address, true),
          .caller = symbols_.user_caller(pid, address, false),
          .caller_text = symbols_.user_caller(pid, address, true),
          .module = symbols_.user_module(pid, address),
          .start = symbols_.user_symbol_start(pid, address),
          .module_start = symbols_.user_module_start(pid, address)};
}

void AddressNames::add_objects(uint32_t pid) {
  auto maps = ProcessMaps::read(pid);
  if (!maps) return;
  for (const Mapping& mapping : maps->mappings())
    if (mapping.is_executable && mapping.is_file())
      writer_.add_object({.pid = pid,
                          .start = mapping.start,
                          .end = mapping.end,
                          .offset = mapping.offset,
                          .path = mapping.path,
                          .build_id = build_id_of(pid, mapping)});
}

// Processes map the same files.
const std::string& AddressNames::build_id_of(uint32_t pid, const Mapping& mapping) {
  auto [known, is_new] = build_ids_.try_emplace({mapping.device, mapping.inode});
  if (is_new)
    if (Fd file = open_mapped_file(pid, mapping)) known->second = read_build_id(file.get());
  return known->second;
}

}  // namespace dscope
