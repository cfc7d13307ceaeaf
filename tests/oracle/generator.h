// Generates random programs: types, variables, clauses. One seed determines the whole program. Programs check without
// errors. Undefined behavior is rare, and the model detects it.
#pragma once

#include <functional>
#include <random>

#include "program.h"

namespace dscope::oracle {

struct Size {
  int clauses = 3;     // at most, besides the first and the last
  int statements = 5;  // at most, per clause
  int depth = 4;       // of expressions
};

class Generator {
 public:
  // Every name in the program starts with `prefix`.
  Generator(uint64_t seed, std::string prefix, uint32_t strsize, Site site, Size size);
  Program program();

 private:
  bool is_concurrent() const { return site_.threads > 1; }
  unsigned pick(size_t n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return pick(100) < percent; }
  std::string fresh(const char* kind) { return kind + std::to_string(++names_) + world_->name; }

  // generate_world.cpp
  void make_types();
  const Type& make_struct(bool is_union);
  const Type& any_integer() { return types_.integer_at(pick(17)); }
  void make_variables();
  void add_variable(const Type& type, const char* kind);
  void add_array(const Type& value);
  void make_aggregations();

  // generate_statement.cpp
  Clause first_clause();
  Clause last_clause();
  Clause clause();
  std::vector<Statement> body(int statements, int nesting);
  Statement statement(int nesting);
  Statement print();
  Statement print_variable(const Variable& variable);
  Statement aggregate();
  Statement removal();
  void initialize(const Variable& variable, std::vector<Statement>& body);
  void collect_parts(const ExprPtr& object, std::vector<ExprPtr>& parts);
  std::vector<ExprPtr> elements(const Variable& variable);

  // generate_expression.cpp: integers
  ExprPtr integer(int depth);
  ExprPtr leaf();
  ExprPtr literal(const Type& type);
  ExprPtr binary(int depth);
  ExprPtr shift(int depth);
  ExprPtr comparison(int depth);
  ExprPtr other_comparison(int depth);
  ExprPtr assignment(int depth);
  ExprPtr number_call(int depth);
  ExprPtr character(int depth);
  ExprPtr cast_to(const Type& type, ExprPtr expr);
  ExprPtr small(int depth, unsigned limit);  // 0 .. limit - 1, mostly
  ExprPtr index_for(uint32_t count, int depth);
  int64_t interesting();

  // generate_object.cpp: strings, objects, pointers
  ExprPtr string(int depth, bool may_be_null = false);
  ExprPtr string_leaf();
  ExprPtr string_literal();
  ExprPtr string_call(int depth, bool may_be_null);
  ExprPtr structure(const Type& type, int depth);
  ExprPtr pointer(const Type& type, int depth);
  // A path to an object that satisfies `is_wanted`, or null if none was found.
  ExprPtr object(const std::function<bool(const Type&)>& is_wanted, int depth, bool is_addressable = false);
  ExprPtr descend(ExprPtr from, int depth);
  ExprPtr variable_reference(const Variable& variable, int depth);
  ExprPtr key(const Type& type, int depth);

  // generate_user.cpp: memory of the traced process
  Expr user_base();
  bool take_scratch(uint32_t size);
  Transfer transfer_of(uint32_t size);
  ExprPtr user_pointer(const Type& type, int depth);
  ExprPtr user_integer(int depth);
  ExprPtr user_text();

  static ExprPtr make(Form form, const Type& type, std::vector<ExprPtr> parts, std::string word = "");
  static ExprPtr number(const Type& type, int64_t value);

  std::mt19937_64 random_;
  std::shared_ptr<World> world_;
  Types& types_;
  Site site_;
  Size size_;
  const Type& int_;
  std::vector<const Type*> enums_, structs_;
  int names_ = 0;
  uint32_t scratch_ = 0;             // bytes of scratch memory left in the current clause
  int budget_ = 0;                   // nodes left for the current expression
  int nesting_ = 0;                  // depth of nested paths to objects
  bool is_typing_pointers_ = false;  // while first assignments set the types of pointers
};

}  // namespace dscope::oracle
