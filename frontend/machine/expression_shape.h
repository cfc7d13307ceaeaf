// The shape of expressions: what codegen reads of their types, bindings and constants.
#pragma once

#include <unordered_set>

#include "frontend/machine/value_sink.h"
#include "frontend/semantics/semantics.h"

namespace dscope {

class ExpressionShape {
 public:
  ExpressionShape(const Semantics& meaning, ValueSink& out) : meaning_(meaning), out_(out) {}

  // First pass: records the operands whose size does not matter. The whole of a struct is read only if no member of it
  // is.
  void add_child(const Expr& expr, const ClauseInstance& clause);
  // Second pass: sends one line, and the values that the expression holds.
  void describe(const Expr& expr, const ClauseInstance& clause);

 private:
  std::string type_text(TypeId type) const;
  std::string binding_text(const Expr& expr, const ExprInfo& info, const ClauseInstance& clause);
  std::string constant_text(const Expr& expr, const ExprInfo& info, const ClauseInstance& clause);
  std::string member_text(const Expr& expr, const ExprInfo& info, const ResolvedMember& member,
                          const ClauseInstance& clause);
  std::string argument_text(const Probe& probe, uint32_t index);
  std::string literal_text(const StringLiteral& literal);
  bool depends_on_machine(const Expr& expr, const ClauseInstance& clause) const;

  const Semantics& meaning_;
  ValueSink& out_;
  std::unordered_set<const Expr*> sizeless_;
};

// Sends the shape and the values of an argument's source. `owner`: "arg0 of syscall::read:entry".
std::string source_shape(const ArgSource& source, const std::string& owner, ValueSink& out);

}  // namespace dscope
