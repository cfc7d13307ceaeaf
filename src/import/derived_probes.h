// The probes of sched, proc and io that come with tracepoints of other tracers' files.
#pragma once

#include <span>
#include <vector>

#include "import/event_probes.h"

namespace dscope {

struct EventDerivation {
  ImportedProbe probe;
  EventProbes::Derive derive;
};

// The probes that come with an event of this type, one of `all` in the file. In the order in which they fire. `threads`
// must outlive the result.
std::vector<EventDerivation> derived_probes(const ImportedEventType& type, std::span<const ImportedEventType> all,
                                            ThreadTable& threads);

// Names the threads that an event of the scheduler names, for files without other names of threads.
void learn_names(const ImportedEventType& type, std::span<const ImportedValue> fields, ThreadTable& threads);

}  // namespace dscope
