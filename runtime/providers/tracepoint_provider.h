// Base class of the providers of tracepoints (sdt, rawtp): probes named by subsystem and tracepoint, including those of
// modules that are loaded later.
#pragma once

#include "runtime/providers/provider.h"
#include "runtime/providers/tracepoints.h"

namespace dscope {

class TracepointProvider : public Provider {
 public:
  explicit TracepointProvider(Tracepoints& tracepoints) : tracepoints_(tracepoints) {}

  bool could_match(const ProbeDescription& description) const override {
    return field_matches(description.provider, name()) && field_matches(description.function, "") &&
           could_match_tracepoint(description.name);
  }

  size_t count() override { return rows().size(); }
  ProbeName probe_name(size_t index) override {
    const Tracepoints::Row& row = rows()[index];
    return {.module = row.subsystem, .function = {}, .name = row.name};
  }
  void describe(size_t, Probe& probe) override {
    probe.hook = hook_of(probe);
    probe.has_typed_args = true;
  }

  bool may_match_later_modules(const ProbeDescription& description) override {
    return !description.provider.empty() && could_match(description);
  }
  std::vector<Probe> probes_of_later_modules(const ProbeDescription& description) override {
    std::vector<Probe> probes = tracepoints_.probes_of_later_modules(name(), description);
    for (Probe& probe : probes) describe(0, probe);
    return probes;
  }

 protected:
  virtual const std::vector<Tracepoints::Row>& rows() = 0;
  virtual Hook hook_of(const Probe& probe) const = 0;

  Tracepoints& tracepoints_;
};

}  // namespace dscope
