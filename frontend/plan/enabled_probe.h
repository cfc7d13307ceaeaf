// The probes of a program with the clauses that each of them runs, before programs are formed (private to
// plan_builder).
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/plan/plan_builder.h"

namespace dscope {

// What a clause reads of a firing. It decides where its program may run.
struct ClauseNeeds {
  uint64_t arguments = 0;       // arg0..., args[]: a bit for each that it reads, see argument_bit()
  bool firing_context = false;  // anything that describes the thread or code that fires the probe
};

// The last bit stands for all arguments from there on.
constexpr uint64_t argument_bit(size_t index) { return uint64_t{1} << std::min<size_t>(index, 63); }

ClauseNeeds needs_of(const Semantics& meaning, const ClauseInstance& clause);

struct EnabledProbe {
  const Probe* probe = nullptr;
  const DerivedProbe* derived = nullptr;  // the derivation, if the probe is derived
  std::vector<uint32_t> clauses;
  const ProbeSite* site = nullptr;  // the current one of several

  const Hook& hook() const {
    return site != nullptr ? site->hook : derived != nullptr ? derived->base().hook : probe->hook;
  }
  const std::vector<ArgSource>& raw_args() const {
    return site != nullptr ? site->raw_args : derived != nullptr ? derived->base().raw_args : probe->raw_args;
  }
};

// In the order of the clauses; without clauses that never run.
std::vector<EnabledProbe> enabled_probes(const Semantics& meaning);

}  // namespace dscope
