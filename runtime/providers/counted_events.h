// Names of the events that the providers cpc and perf count: the kernel's own, those every processor has, its caches',
// and those of the devices in /sys/bus/event_source/devices (providers.md 15).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/hook.h"

namespace dscope {

struct CountedEvent {
  uint32_t type = 0;  // of perf_event_open(2)
  uint64_t config = 0;
  // Of software events every one may fire; more of the processor's would keep the machine busy with nothing else.
  uint64_t min_period = 1;
};

constexpr const char* event_devices = "/sys/bus/event_source/devices";

// `devices`: the folder that describes the machine's. r1a2b is event 0x1a2b of the processor as its manual numbers it.
std::optional<CountedEvent> find_counted_event(std::string_view name, const std::string& devices = event_devices);

// Of the kernel and of processors in general, in one order; whether this machine has them is not asked.
std::vector<std::string> software_event_names();
std::vector<std::string> hardware_event_names();

// The firing of every `period`-th on every CPU.
HookPerfEvent counting_hook(const CountedEvent& event, uint64_t period);
// 0: it can be opened here; else the error number.
int why_not_counted(const HookPerfEvent& hook);

// A decimal number above 0 that fits.
std::optional<uint64_t> read_event_count(std::string_view text);

}  // namespace dscope
