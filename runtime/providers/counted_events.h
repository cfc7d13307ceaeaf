// Resolves the names of events that the providers cpc and perf count: software events of the kernel, generic hardware
// and cache events, and events of the devices in /sys/bus/event_source/devices (providers.md 15).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/hook.h"
#include "runtime/kernel/machine_record.h"

namespace dscope {

struct CountedEvent {
  uint32_t type = 0;  // type and config of perf_event_open(2)
  uint64_t config = 0;
  // Smallest number of events per firing: 1 for software events; for hardware events more, because a firing per event
  // would use up the machine.
  uint64_t min_period = 1;
};

constexpr std::string_view event_devices = "/sys/bus/event_source/devices";

// `devices` is the folder that describes this machine's devices. r1a2b names raw event 0x1a2b of the processor's
// manual.
std::optional<CountedEvent> find_counted_event(std::string_view name,
                                               const std::string& devices = machine_path(event_devices));

// The names of software events and of generic hardware events, in a fixed order, whether this machine has them or not.
std::vector<std::string> software_event_names();
std::vector<std::string> hardware_event_names();

// The hook that fires at every `period`-th event on every CPU.
HookPerfEvent counting_hook(const CountedEvent& event, uint64_t period);
// Tries to open the event: 0, or the errno of the failure.
int counting_error(const HookPerfEvent& hook);
// Parses a decimal number from 1 to INT64_MAX.
std::optional<uint64_t> read_event_count(std::string_view text);

}  // namespace dscope
