// ForwardingHost: a Host that asks another one. Derived classes change single answers.
#pragma once

#include "contract/host.h"

namespace dscope {

class ForwardingHost : public Host {
 public:
  // `base` must outlive the result.
  explicit ForwardingHost(Host& base) : base_(base) {}

  void announce(const std::vector<std::vector<ProbeDescription>>& clauses) override { base_.announce(clauses); }
  std::vector<const Probe*> match(const ProbeDescription& description) override { return base_.match(description); }
  void stop_awaiting(const ProbeDescription& description) override { base_.stop_awaiting(description); }
  bool may_match_later_modules(const ProbeDescription& description) override {
    return base_.may_match_later_modules(description);
  }
  void load_args(const Probe& probe, TypeTable& types) override { base_.load_args(probe, types); }
  void load_variables(const Probe& probe, TypeTable& types) override { base_.load_variables(probe, types); }
  const TracedVariable* find_variable(const Probe& probe, TypeTable& types, std::string_view name) override {
    return base_.find_variable(probe, types, name);
  }
  std::string explain_variable(const Probe& probe, std::string_view name) override {
    return base_.explain_variable(probe, name);
  }
  ProviderAttributes provider_attributes(std::string_view provider) override {
    return base_.provider_attributes(provider);
  }
  std::optional<ProbeMistake> mistake(const ProbeDescription& description) override {
    return base_.mistake(description);
  }
  bool has_module(std::string_view name) override { return base_.has_module(name); }
  std::string why_missing(const ProbeDescription& description) override { return base_.why_missing(description); }
  std::vector<std::string> absent(const ProbeDescription& description) override { return base_.absent(description); }
  std::optional<TypeId> find_type(TypeTable& types, std::string_view module, std::string_view name) override {
    return base_.find_type(types, module, name);
  }
  std::string nearest_type(std::string_view name) override { return base_.nearest_type(name); }
  std::string why_no_type(std::string_view module) override { return base_.why_no_type(module); }
  std::string nearest_symbol(std::string_view name) override { return base_.nearest_symbol(name); }
  void complete_type(TypeTable& types, TypeId id) override { base_.complete_type(types, id); }
  std::optional<KernelSymbol> find_symbol(TypeTable& types, std::string_view module, std::string_view name) override {
    return base_.find_symbol(types, module, name);
  }
  const MachineFacts& facts() override { return base_.facts(); }
  FunctionMechanisms function_mechanisms() override { return base_.function_mechanisms(); }
  std::optional<PhysicalMemory> physical_memory(const MemoryOffsets& offsets) override {
    return base_.physical_memory(offsets);
  }
  std::vector<CpuFacts> cpus() override { return base_.cpus(); }
  std::map<uint32_t, std::string> block_drivers() override { return base_.block_drivers(); }

 private:
  Host& base_;
};

}  // namespace dscope
