// RecordingHost: the machine that a recording compiles for. The clauses of the recording name groups of probes, which
// only the plan of the recording knows.
#pragma once

#include "contract/forwarding_host.h"
#include "frontend/record/record_plan.h"

namespace dscope {

class RecordingHost : public ForwardingHost {
 public:
  // Both must outlive the result.
  RecordingHost(Host& base, const RecordPlan& plan) : ForwardingHost(base), plan_(plan) {}

  std::vector<const Probe*> match(const ProbeDescription& description) override {
    size_t group = plan_.group_of(description);
    return group < plan_.groups.size() ? plan_.groups[group].probes : ForwardingHost::match(description);
  }
  // The stability of the probes is that of the user's descriptions.
  ProviderAttributes provider_attributes(std::string_view provider) override {
    return provider == RecordPlan::provider ? ProviderAttributes{} : ForwardingHost::provider_attributes(provider);
  }

 private:
  const RecordPlan& plan_;
};

}  // namespace dscope
