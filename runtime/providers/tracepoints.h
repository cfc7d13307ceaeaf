// Tracepoints: which tracepoints the kernel has and the events that tracefs makes of them; shared by sdt and rawtp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/probe.h"

namespace dscope {

class KernelTypes;

class Tracepoints {
 public:
  explicit Tracepoints(KernelTypes& kernel_types) : kernel_types_(kernel_types) {}

  struct Row {
    std::string subsystem, name;
    auto operator<=>(const Row&) const = default;
  };
  // Events with records, sorted by subsystem and name. Where tracefs cannot be read BTF's list stands in, and the
  // subsystem is called vmlinux. System calls and what tracing tools made for themselves are left out.
  const std::vector<Row>& events();
  // Those and the bare tracepoints, which have no event: subsystem vmlinux.
  const std::vector<Row>& tracepoints();
  // A module has been loaded since: its events are not among those, which have their numbers.
  void loaded();
  // Probes for them without hooks.
  std::vector<Probe> probes_of_later_modules(std::string_view provider, const ProbeDescription& description) const;

 private:
  KernelTypes& kernel_types_;
  std::optional<std::vector<Row>> events_, tracepoints_;  // empty until asked for
  std::vector<Row> later_;
};

}  // namespace dscope
