// Value numbering: finds expressions of a clause with the same value, so that the emitter computes them once. Inlines
// of the D libraries use other inlines and name their argument several times; expanded, `__bio_dentry[B]` of io.d
// evaluates B over and over. The checker uses it too, to count the nodes that codegen will emit.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "frontend/semantics/semantics.h"

namespace dscope {

class ValueNumbering {
 public:
  // Returns the info of a node. The reference stays valid until clear_nodes().
  using InfoOf = std::function<const ExprInfo&(const Expr&)>;
  ValueNumbering(const Semantics& meaning, InfoOf info) : meaning_(meaning), info_(std::move(info)) {}

  // Whether codegen may compute a node that stands for another expression once. Small expressions are not worth a
  // register, and an expression with side effects must be evaluated each time.
  bool may_be_shared(const Expr& expr);
  // Returns the value number of `expr`. Two expressions have the same number if they are spelled alike after inlines
  // are expanded, have the same type, and belong to the same `clause`. The expressions of a derivation never share
  // numbers with those of the clause, because their args[] belong to another probe.
  uint32_t number_of(const Expr& expr, const void* clause);
  // Drops the data cached by node, because nodes have other infos in another clause. Value numbers stay valid.
  void clear_nodes();

 private:
  uint32_t shared_size(const Expr& expr);

  const Semantics& meaning_;
  InfoOf info_;
  std::unordered_map<const Expr*, uint32_t> shared_sizes_;
  std::unordered_map<const Expr*, uint32_t> number_of_expr_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace dscope
