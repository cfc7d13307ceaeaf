// Types, variables and aggregations of a generated program.
#include "generator.h"

namespace dscope::oracle {

Generator::Generator(uint64_t seed, std::string prefix, uint32_t strsize, Site site, Size size)
    : random_(seed),
      world_(std::make_shared<World>(strsize)),
      types_(world_->types),
      site_(std::move(site)),
      size_(size),
      int_(types_.integer("int")) {
  world_->name = std::move(prefix);
  world_->site = site_;
}

Program Generator::program() {
  make_types();
  make_variables();
  make_aggregations();
  Program program{world_, {first_clause()}};
  for (int count = 1 + static_cast<int>(pick(static_cast<size_t>(size_.clauses))); count > 0; --count)
    program.clauses.push_back(clause());
  if (!is_concurrent()) program.clauses.push_back(last_clause());
  return program;
}

void Generator::make_types() {
  if (chance(50)) {
    std::vector<int64_t> values;
    for (unsigned i = 0; i < 1 + pick(4); ++i) values.push_back(static_cast<int64_t>(pick(2000)) - 1000);
    enums_.push_back(&types_.add_enum(fresh("e"), values));
  }
  for (unsigned i = 0; i < 1 + pick(3); ++i) structs_.push_back(&make_struct(chance(20)));
}

const Type& Generator::make_struct(bool is_union) {
  std::vector<Field> fields;
  for (unsigned i = 0; i < 2 + pick(4); ++i) {
    Field field{.name = "m" + std::to_string(i), .type = &any_integer()};
    switch (pick(is_union ? 5 : 8)) {
      case 0:
      case 1: field.bit_size = 1 + pick(field.type->bits); break;
      case 2: field.type = &types_.array_of(*field.type, 2 + pick(4)); break;
      case 5: field.type = &types_.string(); break;
      case 6: field.type = &types_.array_of(types_.integer("char"), 4 + pick(12)); break;
      case 7:
        if (!structs_.empty()) field.type = structs_[pick(structs_.size())];
        break;
      default: break;
    }
    fields.push_back(field);
  }
  return types_.add_struct(fresh("s"), std::move(fields), is_union);
}

void Generator::add_variable(const Type& type, const char* kind) {
  bool is_object = type.kind == Kind::Array || type.kind == Kind::Struct;
  auto scope = static_cast<Scope>(pick(3));
  // Threads share no variables, and only some parts of an object are initialized at each event.
  if (is_concurrent() && (is_object || scope == Scope::Global)) scope = Scope::Self;
  // At most one undeclared pointer: its initial value must not be reached through another undeclared pointer.
  bool may_be_implicit = !is_object;
  for (const Variable& variable : world_->variables)
    may_be_implicit &= variable.is_declared || variable.type->kind != Kind::Pointer || type.kind != Kind::Pointer;
  bool is_declared = !may_be_implicit || !chance(25);
  world_->variables.push_back(
      {.scope = scope, .name = fresh(kind), .type = &type, .keys = {}, .is_declared = is_declared});
}

void Generator::add_array(const Type& value) {
  auto scope = is_concurrent() ? Scope::Self : static_cast<Scope>(pick(2));
  Variable array{.scope = scope, .name = fresh("t"), .type = &value, .keys = {}};
  for (unsigned i = 0; i < 1 + pick(3); ++i) {
    bool is_string = chance(35);
    array.keys.push_back(is_string ? &types_.string() : &any_integer());
  }
  if (chance(10)) array.keys = {structs_[pick(structs_.size())]};
  bool is_object = value.kind == Kind::Array || value.kind == Kind::Struct;
  array.is_declared = is_object || array.keys[0]->kind == Kind::Struct || !chance(30);
  world_->variables.push_back(array);
}

void Generator::make_variables() {
  for (unsigned i = 0; i < 3 + pick(4); ++i) add_variable(any_integer(), "i");
  if (!enums_.empty()) add_variable(*enums_[0], "i");
  for (unsigned i = 0; i < 2 + pick(2); ++i) add_variable(types_.string(), "s");
  for (const Type* type : structs_)
    if (chance(70)) add_variable(*type, "o");
  std::vector<const Type*> elements{&any_integer()};
  if (chance(60)) elements.push_back(structs_[pick(structs_.size())]);
  if (chance(25)) elements.push_back(&types_.array_of(any_integer(), 2 + pick(3)));
  if (chance(25)) elements.push_back(&types_.string());
  if (chance(40)) elements.push_back(&types_.integer("char"));
  for (const Type* element : elements) {
    add_variable(types_.array_of(*element, 2 + pick(7)), "a");
    bool can_point = element->kind == Kind::Integer || element->kind == Kind::Struct;
    if (can_point && chance(70)) add_variable(types_.pointer_to(*element), "p");
  }
  for (unsigned i = 0; i < pick(3); ++i) add_array(any_integer());
  if (chance(40)) add_array(types_.string());
  if (chance(30)) add_array(*structs_[pick(structs_.size())]);
  if (chance(15)) add_array(types_.array_of(any_integer(), 2 + pick(3)));
}

void Generator::make_aggregations() {
  static constexpr const char* functions[] = {"count",  "sum",      "min",       "max",       "avg",
                                              "stddev", "quantize", "lquantize", "llquantize"};
  for (unsigned i = 0; i < pick(3) + (is_concurrent() ? 2 : 0); ++i) {
    Aggregation aggregation{.name = fresh("g"), .function = functions[pick(9)], .keys = {}, .parameters = {}};
    for (unsigned k = 0; k < pick(3); ++k)
      aggregation.keys.push_back(chance(40) ? &types_.string() : &types_.integer(chance(50) ? "int" : "int64_t"));
    if (aggregation.function == "lquantize") {
      int64_t base = static_cast<int64_t>(pick(200)) - 100, step = 1 + pick(20);
      aggregation.parameters = {base, base + step * (1 + pick(30)) + pick(static_cast<size_t>(step)), step};
    }
    if (aggregation.function == "llquantize") {
      int64_t factor = 2 + pick(9), low = pick(3), high = low + pick(4);
      aggregation.parameters = {factor, low, high, chance(30) ? factor * factor : factor};
    }
    aggregation.has_increment = aggregation.is_distribution() && chance(30);
    world_->aggregations.push_back(aggregation);
  }
}

}  // namespace dscope::oracle
