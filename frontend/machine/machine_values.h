// The inputs of a program's code besides its text come in two kinds. Values are numbers that may differ from machine to
// machine without other consequences, such as offsets of kernel members. The shape is everything else. Code that was
// compiled for one machine runs on another one of the same shape once its values have been replaced.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/machine/machine_tables.h"

namespace dscope {

struct MachineValue {
  std::string name;  // "offset of struct task_struct.comm"
  uint64_t value = 0;
};

class MachineValues {
 public:
  // The order depends on the shape only.
  const std::vector<MachineValue>& values() const { return values_; }
  // Texts of macros, zero-padded to the room that they always have.
  const std::vector<std::string>& texts() const { return texts_; }
  // One line for each property. Behind shape_remark, a line names types for people; names do not count.
  const std::vector<std::string>& shape() const { return shape_; }
  // The index of the value that a part of the semantics or of the plan holds. `holder`: the address of the number, or
  // of the ExprInfo, TaskMember or ObjectMember that contains it; of a StringLiteral for the index of a text. nullopt:
  // the number is part of the shape.
  std::optional<uint32_t> find(const void* holder) const;

 private:
  friend class MachineValueCollector;
  friend class ProcessMacroCollector;
  std::vector<MachineValue> values_;
  std::vector<std::string> texts_;
  std::vector<std::string> shape_;
  std::unordered_map<const void*, uint32_t> index_;
};

// Collects the values of a checked program and its plan, to which the result refers.
MachineValues machine_values(const Semantics& meaning, const CompiledPlan& compiled);

inline constexpr std::string_view shape_remark = "  # ";
// The number of lines at the start of two shapes that are equal, apart from remarks.
size_t equal_lines(const std::vector<std::string>& one, const std::vector<std::string>& other);
// Returns the first line in which the shapes differ, as "LINE, but LINE here"; empty if they are equal.
std::string shape_difference(const std::vector<std::string>& built_for, const std::vector<std::string>& here);

}  // namespace dscope
