#include "runtime/format/guarded_symbolizer.h"

#include "support/catch_exceptions.h"
#include "support/format.h"
#include "support/interruption.h"

namespace dscope {

template <typename Lookup>
auto GuardedSymbolizer::attempt(uint32_t tgid, Lookup&& lookup) const -> std::optional<decltype(lookup())> {
  if (is_interrupted || failed_.contains(tgid)) return std::nullopt;
  auto found = catch_exceptions([&]() -> Result<decltype(lookup())> { return lookup(); });
  if (found) return std::move(*found);
  failed_.insert(tgid);
  if (on_failure_) on_failure_(tgid, found.error());
  return std::nullopt;
}

template <typename Lookup>
std::string GuardedSymbolizer::name_or_number(uint32_t tgid, uint64_t address, Lookup&& lookup) const {
  if (auto name = attempt(tgid, lookup)) return std::move(*name);
  return fmt::format("0x{:x}", address);
}

std::string GuardedSymbolizer::kernel_symbol(uint64_t address, bool with_offset) {
  return name_or_number(0, address, [&] { return symbols_.kernel_symbol(address, with_offset); });
}

std::string GuardedSymbolizer::kernel_module(uint64_t address) {
  return name_or_number(0, address, [&] { return symbols_.kernel_module(address); });
}

std::string GuardedSymbolizer::user_symbol(uint32_t tgid, uint64_t address, bool with_offset) {
  return name_or_number(tgid, address, [&] { return symbols_.user_symbol(tgid, address, with_offset); });
}

std::string GuardedSymbolizer::user_module(uint32_t tgid, uint64_t address) {
  return name_or_number(tgid, address, [&] { return symbols_.user_module(tgid, address); });
}

std::string GuardedSymbolizer::kernel_caller(uint64_t address, bool with_offset) {
  return name_or_number(0, address, [&] { return symbols_.kernel_caller(address, with_offset); });
}

std::string GuardedSymbolizer::user_caller(uint32_t tgid, uint64_t address, bool with_offset) {
  return name_or_number(tgid, address, [&] { return symbols_.user_caller(tgid, address, with_offset); });
}

uint64_t GuardedSymbolizer::kernel_symbol_start(uint64_t address) {
  return attempt(0, [&] { return symbols_.kernel_symbol_start(address); }).value_or(address);
}

uint64_t GuardedSymbolizer::kernel_module_start(uint64_t address) {
  return attempt(0, [&] { return symbols_.kernel_module_start(address); }).value_or(address);
}

uint64_t GuardedSymbolizer::user_symbol_start(uint32_t tgid, uint64_t address) {
  return attempt(tgid, [&] { return symbols_.user_symbol_start(tgid, address); }).value_or(address);
}

uint64_t GuardedSymbolizer::user_module_start(uint32_t tgid, uint64_t address) {
  return attempt(tgid, [&] { return symbols_.user_module_start(tgid, address); }).value_or(address);
}

std::vector<std::string> GuardedSymbolizer::user_source(uint32_t tgid, uint64_t address) {
  return attempt(tgid, [&] { return symbols_.user_source(tgid, address); }).value_or(std::vector<std::string>{});
}

std::vector<uint64_t> GuardedSymbolizer::unwind(uint32_t tgid, std::span<const uint64_t> registers,
                                                std::span<const std::byte> stack, size_t max_frames) {
  auto unwind = [&] { return symbols_.unwind(tgid, registers, stack, max_frames); };
  return attempt(tgid, unwind).value_or(std::vector<uint64_t>{});
}

bool GuardedSymbolizer::may_be_code(uint32_t tgid, uint64_t address) {
  return attempt(tgid, [&] { return symbols_.may_be_code(tgid, address); }).value_or(true);
}

std::string GuardedSymbolizer::readable(std::string_view name) const {
  return attempt(0, [&] { return symbols_.readable(name); }).value_or(std::string{name});
}

bool GuardedSymbolizer::is_tracer_frame(uint64_t address) {
  return attempt(0, [&] { return symbols_.is_tracer_frame(address); }).value_or(false);
}

std::string_view GuardedSymbolizer::container_name(uint64_t cgroup, ContainerPart part) {
  return attempt(0, [&] { return symbols_.container_name(cgroup, part); }).value_or(std::string_view{});
}

void GuardedSymbolizer::observe_containers(const ContainerObserver& observer) {
  attempt(0, [&] {
    symbols_.observe_containers(observer);
    return true;
  });
}

void GuardedSymbolizer::process_events() {
  auto process = [&] {
    symbols_.process_events();
    return true;
  };
  attempt(0, process);
}

}  // namespace dscope
