// The kind and size of fields in records and keys (private to plan_builder). data_layout.h assigns their offsets.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "frontend/plan/plan_builder.h"

namespace dscope {

class Host;

// Larger sizes become this maximum, which the kernel rejects.
constexpr uint32_t max_field_size = UINT32_MAX & ~7U;
inline uint32_t size_within_bounds(uint64_t bytes) {
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, max_field_size));
}

// The common properties of all uses of one key position.
struct KeyUse {
  uint32_t string_bytes = 1;                    // of the longest string
  std::optional<ProbePart> probe_part;          // the part of the probe's name that the last use is
  std::optional<ContainerPart> container_part;  // as probe_part
  bool is_mixed = false;                        // other uses are not that part
};

// The part of the probe's name that a variable contains and that records and keys store as a row number. Returns
// nullopt for probeprov if any process may fire the clause's probes, because probeprov then contains its pid.
std::optional<ProbePart> probe_part(const ClauseInstance& clause, BuiltinVariable variable);

class FieldPlanner {
 public:
  // The host completes the types that print() shows, and FieldPlanner adds them to `plan`.
  FieldPlanner(const Semantics& meaning, const OptionValues& options, Host& host, ProgramPlan& plan);

  Field key(const KeyUse& use, const AggregationKey& key);
  Field key(const KeyUse& use, TypeId type) { return key(use, AggregationKey{.type = type}); }
  // Returns the field for the result of stack(), sym() and other actions that record themselves, in a record or key.
  Field of_action(const ClauseInstance& clause, const Call& call, Action action) const;
  // Adds room for a copy of the user stack to a field that the clause records, if the consumer is to unwind it.
  Field with_copy(const ClauseInstance& clause, Field field) const;
  // Returns the fields that the action `node` adds to the record. `format`: the index of its CheckedFormat; -1: none.
  std::vector<Field> of_call(const ClauseInstance& clause, const Expr& node, const Call& call, Action action,
                             int32_t format);

 private:
  bool copies_user_stacks(const ClauseInstance& clause) const;
  Field value(TypeId type, uint32_t string_bytes) const;
  Field named_value(TypeId type, std::optional<NumberGroup> numbers);
  void name_arguments(const ClauseInstance& clause, const TranslatedObject& arguments, int32_t printed);
  int32_t printed_numbers(NumberGroup numbers, const Field& field);
  Field argument(const ClauseInstance& clause, const Expr& expr, bool as_string);
  uint32_t frames_of(const ClauseInstance& clause, const Call& call, OptionId default_frames) const;
  bool fits_every_name() const;
  bool is_text(TypeId type) const;
  std::vector<bool> string_conversions(int32_t format, size_t field_count) const;
  std::vector<Field> special_fields(const ClauseInstance& clause, const Call& call, Action action);
  // special_fields_Exit(...), special_fields_Trace(...): the fields of each row that records Special. A row whose
  // function is missing does not link.
#define DS_ACTION(id, ...) std::vector<Field> special_fields_##id(const ClauseInstance& clause, const Call& call);
#include "catalog/actions.def"
#undef DS_ACTION
  int32_t printed_type(TypeId type);

  const Semantics& meaning_;
  TypeTable& types_;
  const OptionValues& options_;
  Host& host_;
  ProgramPlan& plan_;
  std::map<uint32_t, int32_t> printed_types_;  // TypeId -> index in the plan
};

}  // namespace dscope
