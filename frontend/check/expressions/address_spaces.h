// AddressSpaces: the address space of each object and pointer (d-language.md 3.3). A pointer variable has one space for
// the whole program, joined over all assignments. Kernel and User join to Kernel: a checked kernel read fails cleanly
// on a user address, and reads D storage too. D allows no variable to hold both scratch and other addresses. An
// expression may choose between them, and a pointer that scratch memory holds may point anywhere: both are decided at
// run time.
#pragma once

#include <utility>
#include <vector>

#include "frontend/check/check_context.h"

namespace dscope {

// Returns the space of an address computed from an address in `space`: the verifier follows members of trusted objects,
// but no arithmetic.
Space untrusted(Space space);
// Returns the space of a value that comes from either of two spaces.
Space join_spaces(Space a, Space b);
inline bool is_own_memory(Space space) { return space == Space::Storage || may_be_scratch(space); }

class AddressSpaces : private CheckerPart {
 public:
  explicit AddressSpaces(CheckContext& context) : CheckerPart(context) {}

  std::optional<VariableId> root_variable(const Expr& expr) const;
  Space object_space(const Expr& expr, const ExprInfo& info) const;
  Space loaded_space(const Expr& object, TypeId type, Space object_space, bool within_union);
  bool record_pointee(const Expr& target, const ExprInfo& target_info, const Expr& source, const ExprInfo& source_info);
  Space read_pointee(VariableId id);
  // Clears the undo log: earlier changes are never rolled back.
  void start() { changes_.clear(); }
  size_t mark() const { return changes_.size(); }
  // Undoes the changes after `mark`. Every variable they concern must still exist.
  void roll_back(size_t mark);
  // Call this after removing variables from the program.
  void forget_removed_variables();
  // Whether a pointee that an earlier expression read has changed since the last call: then that expression is wrong.
  bool take_stale() { return std::exchange(is_stale_, false); }

 private:
  bool join_pointee(const Expr& target, VariableId id, Space space);
  bool was_read(VariableId id) const { return id.index < was_read_.size() && was_read_[id.index]; }

  struct PointeeChange {
    VariableId variable;
    Space before = Space::None;
  };
  std::vector<PointeeChange> changes_;
  std::vector<bool> was_read_;  // by variable
  bool is_stale_ = false;
};

}  // namespace dscope
