// Tracepoints: the kernel's tracepoints and the tracefs events defined on them; shared by sdt and rawtp.
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
  // The tracefs events, sorted by subsystem and name, without system calls and events that tracing tools have created.
  // If tracefs cannot be read: the list in BTF, with subsystem vmlinux.
  const std::vector<Row>& events();
  // events() and the bare tracepoints, which have no event: subsystem vmlinux.
  const std::vector<Row>& tracepoints();
  // A module has been loaded. Its events are kept separately, because events() determines the ids of probes.
  void loaded();
  // Probes, without hooks, for matching events of modules that were loaded later.
  std::vector<Probe> probes_of_later_modules(std::string_view provider, const ProbeDescription& description) const;

 private:
  KernelTypes& kernel_types_;
  std::optional<std::vector<Row>> events_, tracepoints_;  // empty until needed
  std::vector<Row> later_;
};

}  // namespace dscope
