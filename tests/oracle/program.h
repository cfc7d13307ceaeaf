// Generated programs as trees, and their text in D. Trees are shared and immutable: shrinking creates new trees.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "site.h"
#include "types.h"

namespace dscope::oracle {

enum class Scope { Global, Self, This };

struct Variable {
  Scope scope{};
  std::string name;
  const Type* type = nullptr;
  std::vector<const Type*> keys;  // of an associative array
  bool is_declared = true;        // if false, its first assignment fixes the type
};

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

enum class Form {
  Number,     // `number`, spelled `word` if that is not empty
  Text,       // string literal `word`
  Known,      // `word` in D, with the known value `number` or string `known`
  Null,       // NULL
  Variable,   // `variable`
  Element,    // variable[parts]
  Index,      // parts[0][parts[1]]
  Member,     // parts[0].field
  Arrow,      // parts[0]->field
  Deref,      // *parts[0]
  AddressOf,  // &parts[0]
  Unary,      // `word` parts[0]
  Binary,     // parts[0] `word` parts[1], integers; also shifts
  Compare,    // parts[0] `word` parts[1]: integers, pointers or strings
  Logical,
  PointerStep,        // pointer or string `word` integer
  PointerDifference,  // in elements
  Assign,             // parts[0] = parts[1]
  Compound,           // parts[0] `word`= parts[1]
  Step,               // ++ or -- as `word`; `number` 1: postfix
  Ternary,
  Comma,
  Cast,
  Stringof,
  Call,  // word(parts)
  // A pointer to parts[1] bytes of user memory at address `word` + parts[0], or to a copy of them. `number` is the
  // offset of address `word` in the UserMemory, or null_pointer.
  UserPointer,
  // The string there. parts[1] limits the size of copyinstr(), if present.
  UserText,
};

// How a program reads user memory.
enum class Transfer { Direct, Copyin, Copyinto };

struct Expr {
  Form form{};
  const Type* type = nullptr;
  std::string word;
  int64_t number = 0;
  std::string known;
  std::vector<ExprPtr> parts;
  const Variable* variable = nullptr;
  const Field* field = nullptr;
  Transfer transfer{};  // of user memory. Copyinto uses the variable `known`
};

// The type in which operators treat an integer: `int_type` for a bit-field whose values are all ints, as in C.
inline const Type& operand_type(const Expr& expr, const Type& int_type) {
  bool is_member = (expr.form == Form::Member || expr.form == Form::Arrow) && expr.field != nullptr;
  uint32_t bits = is_member ? expr.field->bit_size : 0;
  return bits != 0 && bits + (expr.type->is_unsigned ? 1 : 0) <= 32 ? int_type : *expr.type;
}

struct Aggregation {
  std::string name, function;
  std::vector<const Type*> keys;
  std::vector<int64_t> parameters;  // of lquantize and llquantize
  bool has_increment = false;
  bool is_distribution() const { return function.find("quantize") != std::string::npos; }
};

struct Statement {
  enum class Kind { Expression, Print, If, Aggregate } kind{};
  ExprPtr expr;               // Expression; condition of If
  std::vector<ExprPtr> args;  // Print; Aggregate: value and increment
  bool is_cast = true;        // Print: integers are cast to int64_t, so that all 64 bits are recorded
  std::vector<ExprPtr> keys;
  const Aggregation* aggregation = nullptr;
  std::vector<Statement> body, otherwise;
};

struct Clause {
  ExprPtr predicate;  // may be null
  std::vector<Statement> body;
};

// Declarations that the clauses of one program refer to. Outlives all programs shrunk from it.
struct World {
  explicit World(uint32_t strsize) : types(strsize) {}
  std::string name;  // prefix of every line that this program prints
  Site site;
  Types types;
  std::deque<Variable> variables;
  std::deque<Aggregation> aggregations;
};

struct Program {
  std::shared_ptr<const World> world;
  std::vector<Clause> clauses;
};

std::string text(const Expr& expr);
// The parts of a program: declarations, clauses, and one END clause that prints the aggregations.
std::string declarations(const Program& program);
std::string clauses(const Program& program);
std::string printing_of_aggregations(const Program& program);

bool is_constant(const Expr& expr);

}  // namespace dscope::oracle
