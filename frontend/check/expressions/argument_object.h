// ArgumentObject: print(args), all typed arguments of the probe as one structure, and print($$vars).
#pragma once

#include <cstdint>
#include <vector>

#include "contract/probe.h"
#include "frontend/check/check_context.h"

namespace dscope {

class ArgumentTyper;
class Expansions;
class ExpressionTyper;
class NameTable;
class TracedVariableTyper;
class TranslatedObjects;

class ArgumentObject : private CheckerPart {
 public:
  ArgumentObject(CheckContext& context, ArgumentTyper& arguments, Expansions& expansions, ExpressionTyper& expressions,
                 NameTable& names, TracedVariableTyper& traced_variables, TranslatedObjects& translated_objects)
      : CheckerPart(context),
        arguments_(arguments),
        expansions_(expansions),
        expressions_(expressions),
        names_(names),
        traced_variables_(traced_variables),
        translated_objects_(translated_objects) {}

  // Whether the expression is the name `args` of the probe's arguments, or `$$vars`.
  bool is_args(const Expr& expr) const;
  // Types the expression. The members of `args` are the arguments under their names; argument n without a name is
  // `argn`. Arguments that D cannot read, such as floating-point numbers, are left out.
  ExprInfo check(const Expr& expr);

 private:
  Expr* make_argument(const Expr& args, uint64_t index);
  const Expr* value_of(const Expr& args, const std::vector<ProbeArg>& arguments, uint64_t index);

  ArgumentTyper& arguments_;
  Expansions& expansions_;
  ExpressionTyper& expressions_;
  NameTable& names_;
  TracedVariableTyper& traced_variables_;
  TranslatedObjects& translated_objects_;
};

}  // namespace dscope
