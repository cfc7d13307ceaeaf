// Expressions that have one value although a definition names them often: inlines of the libraries are built of others,
// and each names its argument several times. Written out, `__bio_dentry[B]` of io.d names B over and over. What may be
// computed once is decided here, for the emitter, which does so, and for the checker, which counts what is emitted.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "frontend/semantics/semantics.h"

namespace dscope {

class AlikeExpressions {
 public:
  // The meaning of a node; it stays where it is until forget().
  using InfoOf = std::function<const ExprInfo&(const Expr&)>;
  AlikeExpressions(const Semantics& meaning, InfoOf info) : meaning_(meaning), info_(std::move(info)) {}

  // Of a node that stands for others: small ones are not worth it, and what has effects must not be.
  bool may_be_shared(const Expr& expr);
  // A number that expressions have in common if they are written alike once inlines are taken for what they stand for,
  // are of one type, and are in the same `clause`. What a derived probe is made of has names of its own (args[] of
  // another probe).
  uint32_t likeness(const Expr& expr, const void* clause);
  // Nodes have other meanings in another clause. The numbers stay.
  void forget();

 private:
  uint32_t shared_size(const Expr& expr);

  const Semantics& meaning_;
  InfoOf info_;
  std::unordered_map<const Expr*, uint32_t> shared_sizes_;
  std::unordered_map<const Expr*, uint32_t> likenesses_;
  std::unordered_map<std::string, uint32_t> numbers_;
};

}  // namespace dscope
