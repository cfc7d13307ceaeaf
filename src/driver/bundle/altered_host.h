// AlteredHost: a Host whose machine has other facilities than the one that it asks. A bundle contains code for several
// machines.
#pragma once

#include <utility>

#include "contract/forwarding_host.h"

namespace dscope {

class AlteredHost : public ForwardingHost {
 public:
  // `base` must outlive the result.
  AlteredHost(Host& base, MachineFacts facts, FunctionMechanisms mechanisms)
      : ForwardingHost(base), facts_(std::move(facts)), mechanisms_(mechanisms) {}

  const MachineFacts& facts() override { return facts_; }
  FunctionMechanisms function_mechanisms() override { return mechanisms_; }

 private:
  MachineFacts facts_;
  FunctionMechanisms mechanisms_;
};

}  // namespace dscope
