// The model: runs a generated program by the rules of D (d-language.md 3 to 7) and predicts its output. Written
// independently of the compiler: it never inspects generated code.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aggregation_model.h"
#include "program.h"
#include "user_memory.h"

namespace dscope::oracle {

// The output of a program: lines of its clauses in order, faults (clause number, text) in order, and the sorted lines
// of its aggregations.
struct Output {
  std::vector<std::string> lines;
  std::vector<std::pair<size_t, std::string>> faults;
  std::vector<std::string> aggregations;
  bool operator==(const Output&) const = default;
};

// Empty if the behavior is undefined in D, for example a dereference beyond the end of an array.
std::optional<Output> predict(const Program& program);

// ---- for model*.cpp

struct Value {
  int64_t number = 0;          // integers, pointers
  bool is_null = false;        // strings
  std::string text;            // strings
  std::vector<uint8_t> bytes;  // structs
  // For strings of variables: the variable's count of stores, and the count when this value was read.
  std::vector<std::pair<const int*, int>> stores;
};

struct Fault {
  std::string text;
};
struct Undefined {};

class Model {
 public:
  explicit Model(const Program& program) : program_(program), strsize_(program.world->types.strsize()) {}
  Output run();

 private:
  // Memory that pointers can lead to.
  struct Object {
    std::vector<uint8_t> bytes;
    bool is_null_when_unset = false;  // strings
    int stores = 0;
  };
  // An lvalue: part of an object, or an element that may be missing.
  struct Place {
    Object* object = nullptr;
    uint32_t offset = 0;
    const Type* type = nullptr;
    const Field* bits = nullptr;  // a bit-field
    const Variable* array = nullptr;
    std::string key;
  };

  void begin_thread();
  void fire(uint32_t thread, uint32_t event);
  void run(const Clause& clause);
  void run(const std::vector<Statement>& body);
  void run(const Statement& statement);
  void aggregate(const Statement& statement);

  Value value(const Expr& expr);
  Value recorded(const Expr& expr);
  int64_t number(const Expr& expr) { return value(expr).number; }
  bool truth(const Expr& expr) { return number(expr) != 0; }
  Value text_of(const Expr& expr);  // faults if NULL
  Value user_pointer(const Expr& expr);
  Value user_text(const Expr& expr);
  uint32_t user_offset(const Expr& expr, int64_t size);
  Value unary(const Expr& expr);
  Value binary(const Expr& expr);
  Value compare(const Expr& expr);
  Value logical(const Expr& expr);
  Value pointer_step(const Expr& expr);
  Value assign(const Expr& expr);
  Value compound(const Expr& expr);
  Value step(const Expr& expr);
  Value cast(const Expr& expr);
  Value call(const Expr& expr);
  Value element_of_text(const Expr& expr);
  int64_t arithmetic(const std::string& op, int64_t left, int64_t right, const Type& type);
  Value cut(std::string text) const;
  Value converted(Value value, const Type& from, const Type& to) const;

  Place place(const Expr& expr);
  Place pointed(int64_t pointer, const Type& type);
  int64_t pointer_to(const Place& place);
  static int64_t scratch_pointer(size_t index);
  Value load(const Place& place);
  Value store(const Place& place, const Value& value);
  Object& object(const Variable& variable);
  Object& element(const Place& place);
  std::string key_of(const Expr& element);
  std::string key_part(const Value& value, const Type& type);

  const Program& program_;
  uint32_t strsize_;
  std::map<const Variable*, Object> objects_;
  std::map<const Variable*, std::map<std::string, Object>> arrays_;
  std::map<const Variable*, int> array_stores_;
  std::vector<Object*> numbered_;  // objects that pointers lead to
  std::vector<std::unique_ptr<Object>> copies_;
  std::vector<std::unique_ptr<Object>> scratch_;  // copies of user memory in the running clause
  Object user_memory_;
  std::map<const Aggregation*, Elements> aggregations_;
  Output output_;
  std::vector<std::string> lines_;  // of the running clause
};

}  // namespace dscope::oracle
