// GuardedSymbolizer: a Symbolizer that always returns soon and never throws. Looking up names reads files of other
// users, so it may fail or take long. Then addresses appear without names, and the run goes on.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "runtime/format/symbolizer.h"
#include "support/result.h"

namespace dscope {

class GuardedSymbolizer final : public Symbolizer {
 public:
  // Called once for each process whose names can no longer be looked up; 0: the kernel, or names without a process.
  using OnFailure = std::function<void(uint32_t tgid, const Error& error)>;

  // `symbols` does the work and must outlive this object. After `is_interrupted` (support/interruption.h) is set, it is
  // not called any more.
  GuardedSymbolizer(Symbolizer& symbols, OnFailure on_failure)
      : symbols_(symbols), on_failure_(std::move(on_failure)) {}

  std::string kernel_symbol(uint64_t address, bool with_offset) override;
  std::string kernel_module(uint64_t address) override;
  std::string user_symbol(uint32_t tgid, uint64_t address, bool with_offset) override;
  std::string user_module(uint32_t tgid, uint64_t address) override;
  std::string kernel_caller(uint64_t address, bool with_offset) override;
  std::string user_caller(uint32_t tgid, uint64_t address, bool with_offset) override;
  uint64_t kernel_symbol_start(uint64_t address) override;
  uint64_t kernel_module_start(uint64_t address) override;
  uint64_t user_symbol_start(uint32_t tgid, uint64_t address) override;
  uint64_t user_module_start(uint32_t tgid, uint64_t address) override;
  std::vector<std::string> user_source(uint32_t tgid, uint64_t address) override;
  std::vector<uint64_t> unwind(uint32_t tgid, std::span<const uint64_t> registers, std::span<const std::byte> stack,
                               size_t max_frames) override;
  bool may_be_code(uint32_t tgid, uint64_t address) override;
  std::string readable(std::string_view name) const override;
  bool is_tracer_frame(uint64_t address) override;
  std::string_view container_name(uint64_t cgroup, ContainerPart part) override;
  void observe_containers(const ContainerObserver& observer) override;
  std::vector<int> event_fds() const override { return symbols_.event_fds(); }
  void process_events() override;

 private:
  // Returns what `lookup` returns; nothing if it must not be called or throws.
  template <typename Lookup>
  auto attempt(uint32_t tgid, Lookup&& lookup) const -> std::optional<decltype(lookup())>;
  template <typename Lookup>
  std::string name_or_number(uint32_t tgid, uint64_t address, Lookup&& lookup) const;

  Symbolizer& symbols_;
  OnFailure on_failure_;
  mutable std::set<uint32_t> failed_;  // processes for which a lookup has thrown: another one would cost as much
};

}  // namespace dscope
