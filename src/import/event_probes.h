// Which probes of D an event of another tracer fires: a tracepoint is a probe of sdt; some are system calls, or what
// the providers sched, proc and io are made of.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arch/architecture.h"
#include "import/import_target.h"
#include "import/imported_event.h"
#include "import/thread_table.h"

namespace dscope {

class EventProbes {
 public:
  // The references must outlive this object. `types`: the events of the file; the index is the number by which fire()
  // knows an event. Adds their probes to the target.
  EventProbes(std::span<const ImportedEventType> types, const Architecture& architecture, ThreadTable& threads,
              ImportTarget& target);
  ~EventProbes();

  // `values` are parallel to the fields of the event type.
  void fire(size_t event, const ImportedFiring& firing, std::span<const ImportedValue> values);

  // A firing of a probe that comes with an event, and its values. False: the probe does not fire.
  using Derive = std::function<bool(std::span<const ImportedValue> fields, ImportedFiring& firing,
                                    std::vector<ImportedValue>& values)>;

 private:
  struct Rule {
    uint32_t probe = 0;
    Derive derive;
  };
  // Probes by the number of a system call, which the event has in its first field.
  struct CallTable {
    std::vector<uint32_t> probe_of_number;
    std::vector<uint32_t> argument_counts;
    bool is_return = false;
  };
  struct Event {
    std::vector<Rule> rules;
    std::unique_ptr<CallTable> calls;
  };

  void add_event(const ImportedEventType& type);
  void add_plain(const ImportedEventType& type, Event& event);
  bool add_system_call(const ImportedEventType& type, Event& event);
  bool add_all_system_calls(const ImportedEventType& type, Event& event);
  void fire_call(const CallTable& calls, const ImportedFiring& firing, std::span<const ImportedValue> values);

  const Architecture& architecture_;
  ImportTarget& target_;
  bool has_raw_entry_ = false, has_raw_return_ = false;
  std::vector<Event> events_;
  std::vector<ImportedValue> values_;
};

}  // namespace dscope
