// Expansions: each use of an inline with parameters or of a translated member is typed and emitted as a copy of the
// definition in which the parameters stand for the arguments. So each use benefits from the properties of its own
// arguments: constants are folded, and a task that the verifier trusts is still trusted after `curpsinfo->`.
#pragma once

#include <unordered_map>

#include "frontend/check/check_context.h"

namespace dscope {

struct Parameters;
class ExpressionTyper;
class NameTable;

// The size of an expression after expanding everything that it stands for.
struct ExpressionExtent {
  uint64_t size = 1;    // nodes
  uint32_t height = 1;  // length of the longest path from the expression to a leaf
};

class Expansions : private CheckerPart {
 public:
  Expansions(CheckContext& context, ExpressionTyper& expressions, NameTable& names)
      : CheckerPart(context), expressions_(expressions), names_(names) {}

  Expr* copy(const Expr& original);
  // Creates an expression that the program does not contain, at the position of an existing expression.
  Expr* make(const Position& at, decltype(Expr::form) form);
  const Expr* expand(const Expr& definition, const Parameters& parameters, const Expr& use);
  bool check_extent(const Expr& definition, const Expr& use);
  uint64_t count_uses(const Expr& operand, const Expr& expr) const;
  ExprInfo replacement_info(const Expr& value, TypeId type);

 private:
  const Position& position_of_use(const Expr& use) const;
  uint64_t count_emitted_nodes(const Expr& expr) const;
  ExpressionExtent extent_of(const Expr& expr);

  ExpressionTyper& expressions_;
  NameTable& names_;

  uint64_t written_out_ = 0;  // nodes of all outermost uses so far
  uint32_t depth_ = 0;
  const Expr* outermost_use_ = nullptr;                        // of the expansions in progress
  std::unordered_map<const Expr*, ExpressionExtent> extents_;  // of stands_for nodes
};

}  // namespace dscope
