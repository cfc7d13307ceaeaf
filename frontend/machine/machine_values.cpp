#include "frontend/machine/machine_values.h"

#include <algorithm>

#include "contract/buffers/buffer_policy.h"
#include "frontend/machine/expression_shape.h"
#include "frontend/machine/plan_shape.h"
#include "frontend/semantics/walk.h"
#include "support/format.h"

namespace dscope {

// Expressions are visited in the order of walk_program(), which is the same on every machine.
class MachineValueCollector : ValueSink {
 public:
  MachineValueCollector(const Semantics& meaning, const CompiledPlan& compiled)
      : meaning_(meaning), compiled_(compiled) {}

  MachineValues collect() {
    describe_options(meaning_, compiled_.plan.options, *this);
    describe_plan(compiled_, *this);
    ExpressionShape expressions(meaning_, *this);
    walk_program(meaning_,
                 [&](const Expr& expr, const ClauseInstance& clause) { expressions.add_child(expr, clause); });
    walk_program(meaning_, [&](const Expr& expr, const ClauseInstance& clause) { expressions.describe(expr, clause); });
    return std::move(out_);
  }

 private:
  void line(std::string text) override { out_.shape_.push_back(std::move(text)); }

  void value(const void* holder, std::string name, uint64_t value) override {
    auto index = static_cast<uint32_t>(out_.values_.size());
    if (!out_.index_.try_emplace(holder, index).second) return;
    out_.values_.push_back({.name = std::move(name), .value = value});
  }

  void text(const void* holder, std::string text) override {
    if (out_.index_.try_emplace(holder, static_cast<uint32_t>(out_.texts_.size())).second)
      out_.texts_.push_back(std::move(text));
  }

  const Semantics& meaning_;
  const CompiledPlan& compiled_;
  MachineValues out_;
};

std::optional<uint32_t> MachineValues::find(const void* holder) const {
  auto found = index_.find(holder);
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

MachineValues machine_values(const Semantics& meaning, const CompiledPlan& compiled) {
  return MachineValueCollector(meaning, compiled).collect();
}

size_t equal_lines(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  auto property = [](std::string_view line) { return line.substr(0, line.find(shape_remark)); };
  auto [mine, theirs] = std::ranges::mismatch(one, other, {}, property, property);
  return static_cast<size_t>(mine - one.begin());
}

std::string shape_difference(const std::vector<std::string>& built_for, const std::vector<std::string>& here) {
  size_t equal = equal_lines(built_for, here);
  if (equal == built_for.size() && equal == here.size()) return {};
  auto line = [&](const std::vector<std::string>& lines) {
    return equal < lines.size() ? std::string_view(lines[equal]) : "nothing more";
  };
  return fmt::format("{}, but {} here", line(built_for), line(here));
}

}  // namespace dscope
