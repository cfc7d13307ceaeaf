// ProbeBinder: binds probe descriptions to the probes they match.
#pragma once

#include "frontend/check/check_context.h"

namespace dscope {

class Derivations;
class StabilityRules;

class ProbeBinder : private CheckerPart {
 public:
  ProbeBinder(CheckContext& context, Derivations& derivations, StabilityRules& stability)
      : CheckerPart(context), derivations_(derivations), stability_(stability) {}

  bool bind(const Clause& clause, const ProbeSpecifier& specifier, ClauseInstance& instance);
  void drop_unavailable(const ProbeSpecifier& specifier, ClauseInstance& instance);

 private:
  void report_no_probes(const ProbeSpecifier& specifier, const ProbeDescription& description);

  Derivations& derivations_;
  StabilityRules& stability_;
};

}  // namespace dscope
