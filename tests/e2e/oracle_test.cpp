// A correctness oracle: random integer and comparison expressions over all D integer types, evaluated by the BEGIN
// clause of a real run and by a model of D's rules (d-language.md 3.6, 4.5, 4.6) written independently of the compiler.
// The first difference is shrunk to its smallest sub-expression that still differs.
// DSCOPE_ORACLE_SEED and DSCOPE_ORACLE_COUNT choose other and more programs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>

#include "e2e_support.h"

namespace dscope::e2e {
namespace {

struct IntType {
  const char* name;
  unsigned bits;
  bool is_unsigned;
  unsigned rank() const { return bits + (is_unsigned ? 1 : 0); }
};
constexpr IntType types[] = {{"int8_t", 8, false},   {"uint8_t", 8, true},   {"int16_t", 16, false},
                             {"uint16_t", 16, true}, {"int32_t", 32, false}, {"uint32_t", 32, true},
                             {"int64_t", 64, false}, {"uint64_t", 64, true}};
constexpr const IntType& int_type = types[4];

int64_t narrow(int64_t value, const IntType& type) {
  if (type.bits == 64) return value;
  uint64_t mask = (uint64_t{1} << type.bits) - 1;
  uint64_t low = static_cast<uint64_t>(value) & mask;
  if (!type.is_unsigned && (low >> (type.bits - 1)) != 0) low |= ~mask;
  return static_cast<int64_t>(low);
}

struct Node {
  std::string text;
  IntType type;
  int64_t value;  // sign- or zero-extended as its type says
  std::vector<std::shared_ptr<Node>> parts;
};
using NodePtr = std::shared_ptr<Node>;

const IntType& promoted(const IntType& a, const IntType& b) { return b.rank() > a.rank() ? b : a; }

int64_t divide(int64_t a, int64_t b, bool is_unsigned, bool wants_rest) {
  if (is_unsigned) {
    uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
    return static_cast<int64_t>(wants_rest ? x % y : x / y);
  }
  if (b == -1) return wants_rest ? 0 : static_cast<int64_t>(-static_cast<uint64_t>(a));
  return wants_rest ? a % b : a / b;
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {
    for (size_t i = 0; i < std::size(types); ++i) {
      for (int copy = 0; copy < 2; ++copy) {
        int64_t value = narrow(interesting(), types[i]);
        variables_.push_back(
            std::make_shared<Node>(Node{"v" + std::to_string(i * 2 + static_cast<size_t>(copy)), types[i], value, {}}));
      }
    }
  }

  std::string declarations() const {
    std::string text;
    for (const NodePtr& variable : variables_) text += std::string(variable->type.name) + " " + variable->text + ";\n";
    return text;
  }
  std::string assignments() const {
    std::string text;
    for (const NodePtr& variable : variables_)
      text += variable->text + " = (" + variable->type.name + ")" +
              std::to_string(static_cast<uint64_t>(variable->value)) + "ULL;\n";
    return text;
  }

  NodePtr expression(int depth) {
    if (depth == 0 || pick(8) == 0) return leaf();
    switch (pick(12)) {
      case 0: return unary(depth);
      case 1: return cast(depth);
      case 2: return ternary(depth);
      case 3:
      case 4: return comparison(depth);
      case 5: return logical(depth);
      case 6:
      case 7: return shift(depth);
      default: return binary(depth);
    }
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  int64_t interesting() {
    switch (pick(5)) {
      case 0: return static_cast<int64_t>(pick(5)) - 2;
      case 1: return static_cast<int64_t>(uint64_t{1} << pick(64)) - pick(2);
      case 2: return -static_cast<int64_t>(uint64_t{1} << pick(63));
      default: return static_cast<int64_t>(random_());
    }
  }

  NodePtr leaf() {
    if (pick(3) != 0) return variables_[pick(static_cast<unsigned>(variables_.size()))];
    // A literal: decimal ints, or with a suffix that fixes its type.
    static constexpr std::pair<const char*, const IntType*> suffixes[] = {
        {"", &types[4]}, {"u", &types[5]}, {"l", &types[6]}, {"ull", &types[7]}};
    const auto& [suffix, type] = suffixes[pick(4)];
    auto value = static_cast<uint64_t>(narrow(interesting(), *type));
    uint64_t limit = type->bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type->bits) - 1;
    if (!type->is_unsigned) limit >>= 1;
    value &= limit;
    return std::make_shared<Node>(Node{std::to_string(value) + suffix, *type, static_cast<int64_t>(value), {}});
  }

  NodePtr unary(int depth) {
    NodePtr a = expression(depth - 1);
    switch (pick(3)) {
      case 0: return make("-(" + a->text + ")", a->type, static_cast<int64_t>(-static_cast<uint64_t>(a->value)), {a});
      case 1: return make("~(" + a->text + ")", a->type, ~a->value, {a});
      default: return make("!(" + a->text + ")", int_type, a->value == 0, {a});
    }
  }
  NodePtr cast(int depth) {
    NodePtr a = expression(depth - 1);
    const IntType& type = types[pick(8)];
    return make(std::string("(") + type.name + ")(" + a->text + ")", type, a->value, {a});
  }
  NodePtr ternary(int depth) {
    NodePtr c = expression(depth - 1), a = expression(depth - 1), b = expression(depth - 1);
    const IntType& type = promoted(a->type, b->type);
    return make("((" + c->text + ") ? (" + a->text + ") : (" + b->text + "))", type,
                c->value != 0 ? a->value : b->value, {c, a, b});
  }
  NodePtr comparison(int depth) {
    NodePtr a = expression(depth - 1), b = expression(depth - 1);
    const IntType& type = promoted(a->type, b->type);
    int64_t x = narrow(a->value, type), y = narrow(b->value, type);
    auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
    bool is_less = type.is_unsigned ? ux < uy : x < y;
    static constexpr const char* ops[] = {"<", "<=", ">", ">=", "==", "!="};
    bool results[] = {is_less, is_less || x == y, !is_less && x != y, !is_less, x == y, x != y};
    unsigned op = pick(6);
    return make("((" + a->text + ") " + ops[op] + " (" + b->text + "))", int_type, results[op], {a, b});
  }
  NodePtr logical(int depth) {
    NodePtr a = expression(depth - 1), b = expression(depth - 1);
    bool x = a->value != 0, y = b->value != 0;
    static constexpr const char* ops[] = {"&&", "||", "^^"};
    bool results[] = {x && y, x || y, x != y};
    unsigned op = pick(3);
    return make("((" + a->text + ") " + ops[op] + " (" + b->text + "))", int_type, results[op], {a, b});
  }
  NodePtr shift(int depth) {
    NodePtr a = expression(depth - 1), b = expression(depth - 1);
    unsigned count = static_cast<unsigned>(b->value & 63);
    bool is_left = pick(2) == 0;
    int64_t value = is_left               ? static_cast<int64_t>(static_cast<uint64_t>(a->value) << count)
                    : a->type.is_unsigned ? static_cast<int64_t>(static_cast<uint64_t>(a->value) >> count)
                                          : a->value >> count;
    return make("((" + a->text + ")" + (is_left ? " << " : " >> ") + "(" + b->text + "))", a->type, value, {a, b});
  }
  NodePtr binary(int depth) {
    NodePtr a = expression(depth - 1), b = expression(depth - 1);
    static constexpr char ops[] = {'+', '-', '*', '/', '%', '&', '|', '^'};
    char op = ops[pick(8)];
    if (op == '/' || op == '%') {
      // An odd divisor is never 0, in any type.
      const IntType& type = promoted(b->type, int_type);
      b = make("((" + b->text + ") | 1)", type, narrow(b->value, type) | 1, {b});
    }
    const IntType& type = promoted(a->type, b->type);
    int64_t x = narrow(a->value, type), y = narrow(b->value, type);
    auto ux = static_cast<uint64_t>(x), uy = static_cast<uint64_t>(y);
    int64_t value = 0;
    switch (op) {
      case '+': value = static_cast<int64_t>(ux + uy); break;
      case '-': value = static_cast<int64_t>(ux - uy); break;
      case '*': value = static_cast<int64_t>(ux * uy); break;
      case '/': value = divide(x, y, type.is_unsigned, false); break;
      case '%': value = divide(x, y, type.is_unsigned, true); break;
      case '&': value = x & y; break;
      case '|': value = x | y; break;
      default: value = x ^ y; break;
    }
    return make("((" + a->text + ") " + op + " (" + b->text + "))", type, value, {a, b});
  }

  NodePtr make(std::string text, const IntType& type, int64_t value, std::vector<NodePtr> parts) {
    return std::make_shared<Node>(Node{std::move(text), type, narrow(value, type), std::move(parts)});
  }

  std::mt19937_64 random_;
  std::vector<NodePtr> variables_;
};

// Values of the expressions as dscope computes them; empty with an explanation in `problem` if the run failed.
std::vector<int64_t> evaluate(const Generator& generator, const std::vector<NodePtr>& expressions,
                              std::string& problem) {
  std::string script = generator.declarations() + "BEGIN {\n" + generator.assignments() + "}\n";
  for (const NodePtr& expression : expressions)
    script += "BEGIN { printf(\"%d\\n\", (int64_t)(" + expression->text + ")); }\n";
  script += "BEGIN { exit(0); }\n";
  char path[] = "/tmp/dscope_oracle_XXXXXX";
  int fd = mkstemp(path);
  if (fd < 0 || write(fd, script.data(), script.size()) != static_cast<ssize_t>(script.size())) abort();
  close(fd);
  Outcome outcome = dscope({"-x", "nolibs", "-qs", path});
  unlink(path);
  std::vector<int64_t> values;
  std::stringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line) && !line.empty();) values.push_back(std::stoll(line));
  if (outcome.status != 0 || values.size() != expressions.size()) {
    problem = "status " + std::to_string(outcome.status) + ", " + std::to_string(values.size()) + " of " +
              std::to_string(expressions.size()) + " values\n" + outcome.err;
    values.clear();
  }
  return values;
}

void collect_parts(const NodePtr& node, std::vector<NodePtr>& all) {
  for (const NodePtr& part : node->parts) collect_parts(part, all);
  all.push_back(node);
}

// The shortest sub-expression that differs from the model.
std::string shrink(const Generator& generator, const NodePtr& node) {
  std::vector<NodePtr> parts;
  collect_parts(node, parts);
  std::string problem;
  std::vector<int64_t> values = evaluate(generator, parts, problem);
  const Node* smallest = node.get();
  int64_t seen = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] == parts[i]->value || parts[i]->text.size() > smallest->text.size()) continue;
    smallest = parts[i].get();
    seen = values[i];
  }
  return "BEGIN { printf(\"%d\", (int64_t)(" + smallest->text + ")); }\n  prints " + std::to_string(seen) +
         ", should be " + std::to_string(smallest->value) + "\nwith\n" + generator.assignments();
}

long setting(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text != nullptr ? atol(text) : otherwise;
}

TEST(Oracle, RandomExpressionsAgreeWithTheModel) {
  SKIP_UNLESS_TRACING();
  long count = setting("DSCOPE_ORACLE_COUNT", 3000);
  auto seed = static_cast<uint64_t>(setting("DSCOPE_ORACLE_SEED", 20));
  constexpr long batch = 100;
  for (long done = 0; done < count; done += batch, ++seed) {
    Generator generator(seed);
    std::vector<NodePtr> expressions;
    for (long i = 0; i < batch; ++i) expressions.push_back(generator.expression(1 + static_cast<int>(i % 5)));
    std::string problem;
    std::vector<int64_t> values = evaluate(generator, expressions, problem);
    ASSERT_FALSE(values.empty()) << "seed " << seed << ": " << problem;
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], expressions[i]->value) << "seed " << seed << "\n" << shrink(generator, expressions[i]);
  }
}

}  // namespace
}  // namespace dscope::e2e
