// The probes of a D program and the clauses that each probe runs: the input of ProgramFormer (private to plan_builder).
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "frontend/plan/plan_builder.h"

namespace dscope {

// The data of a firing that a clause reads. It decides where the clause's program may run.
struct ClauseNeeds {
  uint64_t arguments = 0;           // the bits of the arg0... and args[] that it reads, see argument_bit()
  std::set<uint32_t> traced_names;  // indices into Semantics::traced_names
  bool firing_context = false;      // reads data about the thread or code that fires the probe
  bool stacks = false;              // reads a stack or a caller
  bool registers = false;           // reads user registers, or variables of the program that may be in them
};

// The last bit stands for argument 63 and all further arguments.
constexpr uint64_t argument_bit(size_t index) { return uint64_t{1} << std::min<size_t>(index, 63); }

ClauseNeeds needs_of(const Semantics& meaning, const ClauseInstance& clause);

struct EnabledProbe {
  const Probe* probe = nullptr;
  const DerivedProbe* derived = nullptr;  // the derivation, if the probe is derived
  std::vector<uint32_t> clauses;
  const ProbeSite* site = nullptr;  // the current site of a probe with several sites

  const Hook& hook() const {
    return site != nullptr ? site->hook : derived != nullptr ? derived->base().hook : probe->hook;
  }
  const std::vector<ArgSource>& raw_args() const {
    return site != nullptr ? site->raw_args : derived != nullptr ? derived->base().raw_args : probe->raw_args;
  }
  // Index into TracedVariable::places.
  size_t place() const { return site != nullptr ? static_cast<size_t>(site - probe->sites.data()) : 0; }
};

// Returns the probes in the order of their clauses, without clauses that never run.
std::vector<EnabledProbe> enabled_probes(const Semantics& meaning);

}  // namespace dscope
