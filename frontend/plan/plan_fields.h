// The fields of values in records and keys (private to plan_builder): their kind and size. data_layout.h places them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "frontend/plan/plan_builder.h"

namespace dscope {

// Larger sizes are cut to this maximum, which the kernel refuses.
constexpr uint32_t largest_size = UINT32_MAX & ~7U;
inline uint32_t size_within_bounds(uint64_t bytes) {
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, largest_size));
}

// What all uses of one key position have in common.
struct KeyUse {
  uint32_t string_bytes = 1;                  // of the longest string
  std::optional<BuiltinVariable> probe_part;  // the last use is this name of the probe
  bool is_mixed = false;                      // not all uses are
};

// The names of the firing probe, which records and keys hold as a row number.
std::optional<ProbePart> probe_part(BuiltinVariable variable);
// Nothing for probeprov if any process may fire the clause's probes: the number of the process is part of it then.
std::optional<ProbePart> probe_part(const ClauseInstance& clause, BuiltinVariable variable);

class FieldPlanner {
 public:
  // Types that print() shows are completed by the host and added to `plan`.
  FieldPlanner(const Semantics& meaning, const OptionValues& options, Host& host, ProgramPlan& plan);

  Field key(const KeyUse& use, TypeId type);
  // The result of stack(), sym() and other Value actions, as record field or key.
  Field of_action(const ClauseInstance& clause, const Call& call, Action action) const;
  // With room for a copy of the user stack, if option ustackunwind=dwarf asks for one.
  Field with_copy(Field field) const;
  // What the action `node` puts into the record. `format`: the index of its CheckedFormat; -1: none.
  std::vector<Field> of_call(const ClauseInstance& clause, const Expr& node, const Call& call, Action action,
                             int32_t format);

 private:
  Field value(TypeId type, uint32_t string_bytes) const;
  Field named_value(TypeId type);
  Field argument(const ClauseInstance& clause, const Expr& expr, bool as_string);
  uint32_t frames_of(const ClauseInstance& clause, const Call& call, Action action) const;
  bool fits_every_name() const;
  bool is_text(TypeId type) const;
  bool is_string_conversion(int32_t format, size_t field) const;
  std::vector<Field> printed(const ClauseInstance& clause, const Expr& argument);
  std::vector<Field> packet() const;
  std::vector<Field> traced_memory(const ClauseInstance& clause, const Call& call);
  int32_t printed_type(TypeId type);

  const Semantics& meaning_;
  TypeTable& types_;
  const OptionValues& options_;
  Host& host_;
  ProgramPlan& plan_;
  std::map<uint32_t, int32_t> printed_types_;  // TypeId -> index in the plan
};

}  // namespace dscope
