// Value numbering: which expressions of a clause have the same value, so that the emitter computes them once. Inlines
// of the D libraries are built from other inlines and name their argument several times; expanded, `__bio_dentry[B]` of
// io.d evaluates B over and over. The checker asks too, to count the nodes that will be emitted.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "frontend/semantics/semantics.h"

namespace dscope {

class ValueNumbering {
 public:
  // Returns the meaning of a node. The reference stays valid until forget().
  using InfoOf = std::function<const ExprInfo&(const Expr&)>;
  ValueNumbering(const Semantics& meaning, InfoOf info) : meaning_(meaning), info_(std::move(info)) {}

  // Whether a node that stands for another expression may be computed once: small expressions are not worth a register,
  // and expressions with side effects must be evaluated each time.
  bool may_be_shared(const Expr& expr);
  // The value number of `expr`. Two expressions have the same number if they are spelled alike once inlines are
  // expanded, have the same type, and belong to the same `clause`. The expressions of a derivation have numbers of
  // their own, because their args[] are those of another probe.
  uint32_t number_of(const Expr& expr, const void* clause);
  // Drops what is cached by node, because nodes have other meanings in another clause. Value numbers stay.
  void forget();

 private:
  uint32_t shared_size(const Expr& expr);

  const Semantics& meaning_;
  InfoOf info_;
  std::unordered_map<const Expr*, uint32_t> shared_sizes_;
  std::unordered_map<const Expr*, uint32_t> number_of_expr_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace dscope
