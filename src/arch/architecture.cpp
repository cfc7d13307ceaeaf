#include "arch/architecture.h"

#include <algorithm>

namespace dscope {

namespace {

constexpr const Architecture* all[] = {&x86_64, &aarch64};

}  // namespace

const Architecture* find_architecture(std::string_view name) {
  auto found = std::ranges::find(all, name, &Architecture::name);
  return found == std::end(all) ? nullptr : *found;
}

const Architecture& native_architecture() {
#if defined(__x86_64__)
  return x86_64;
#elif defined(__aarch64__)
  return aarch64;
#else
#error "src/arch has no table of this processor"
#endif
}

const Architecture& architecture_of(const MachineFacts& facts) {
  const Architecture* found = find_architecture(facts.machine);
  return found != nullptr ? *found : native_architecture();
}

const SystemCall* find_system_call(const Architecture& architecture, uint32_t number) {
  auto call = std::ranges::find(architecture.system_calls, number, &SystemCall::number);
  return call == architecture.system_calls.end() ? nullptr : &*call;
}

const SystemCall* find_system_call(const Architecture& architecture, std::string_view name) {
  auto call = std::ranges::find(architecture.system_calls, name, &SystemCall::name);
  return call == architecture.system_calls.end() ? nullptr : &*call;
}

std::optional<uint32_t> architecture_constant(const Architecture& architecture, std::string_view name) {
  constexpr std::string_view call_prefix = "__nr_";
  if (name.starts_with(call_prefix)) {
    const SystemCall* call = find_system_call(architecture, name.substr(call_prefix.size()));
    return call != nullptr ? std::optional{call->number} : std::nullopt;
  }
  if (!name.starts_with("R_")) return std::nullopt;
  auto found = std::ranges::find(architecture.register_names, name, &std::pair<std::string_view, uint32_t>::first);
  return found == architecture.register_names.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace dscope
