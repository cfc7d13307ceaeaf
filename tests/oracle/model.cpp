// Clauses, statements, aggregations, and the model's memory.
#include "model.h"

#include <algorithm>
#include <cstring>

#include "string_model.h"

namespace dscope::oracle {

std::optional<Output> predict(const Program& program) {
  try {
    return Model(program).run();
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

// Variables of programs for several threads are thread-local or clause-local, so the threads can run one by one.
Output Model::run() {
  const Site& site = program_.world->site;
  for (uint32_t thread = 0; thread < site.threads; ++thread) {
    begin_thread();
    for (uint32_t event = 0; event < site.events; ++event) fire(thread, event);
  }
  // The order of the faults of several threads is unknown.
  if (site.threads > 1 && !output_.faults.empty()) throw Undefined{};
  for (const auto& [aggregation, elements] : aggregations_) {
    std::vector<std::string> lines = lines_of(*aggregation, elements);
    output_.aggregations.insert(output_.aggregations.end(), lines.begin(), lines.end());
  }
  std::sort(output_.aggregations.begin(), output_.aggregations.end());
  return output_;
}

void Model::begin_thread() {
  objects_.clear();
  arrays_.clear();
  numbered_.clear();
  copies_.clear();
}

void Model::fire(uint32_t thread, uint32_t event) {
  UserMemory memory = user_memory(thread, event);
  user_memory_.bytes.assign(memory.begin(), memory.end());
  for (size_t i = 0; i < program_.clauses.size(); ++i) {
    lines_.clear();
    scratch_.clear();
    try {
      run(program_.clauses[i]);
      output_.lines.insert(output_.lines.end(), lines_.begin(), lines_.end());
    } catch (const Fault& fault) {
      output_.faults.emplace_back(i, fault.text);
    }
  }
}

void Model::run(const Clause& clause) {
  if (clause.predicate && !truth(*clause.predicate)) return;
  run(clause.body);
}

void Model::run(const std::vector<Statement>& body) {
  for (const Statement& statement : body) run(statement);
}

// The text of a number that is recorded in its own type.
static std::string narrowed_text(int64_t value, const Type& type) {
  value = narrow(value, type);
  return type.is_unsigned ? std::to_string(static_cast<uint64_t>(value)) : std::to_string(value);
}

void Model::run(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Expression: value(*statement.expr); break;
    case Statement::Kind::If: run(truth(*statement.expr) ? statement.body : statement.otherwise); break;
    case Statement::Kind::Aggregate: aggregate(statement); break;
    case Statement::Kind::Print: {
      std::string line = program_.world->name;
      for (const ExprPtr& arg : statement.args) {
        Value printed = recorded(*arg);
        bool is_string = arg->type->kind == Kind::String;
        line += "|" + (is_string           ? printed.text
                       : statement.is_cast ? std::to_string(printed.number)
                                           : narrowed_text(printed.number, *arg->type));
      }
      lines_.push_back(line);
      break;
    }
  }
}

// True for the result of a subroutine, also through a comma or either branch of a conditional.
static bool is_result(const Expr& expr) {
  if (expr.form == Form::Comma) return is_result(*expr.parts[1]);
  if (expr.form == Form::Ternary) return is_result(*expr.parts[1]) && is_result(*expr.parts[2]);
  bool is_copyinstr = expr.form == Form::UserText && expr.transfer == Transfer::Direct;
  return expr.form == Form::Call || is_copyinstr || expr.form == Form::Text;
}

// A NULL returned by a subroutine prints as an empty string. Any other NULL faults.
Value Model::recorded(const Expr& expr) {
  Value result = value(expr);
  if (result.is_null && !is_result(expr)) throw Fault{"invalid address (0x0)"};
  return result;
}

void Model::aggregate(const Statement& statement) {
  std::string keys;
  for (size_t i = 0; i < statement.keys.size(); ++i) {
    const Expr& key = *statement.keys[i];
    const Type& type = *statement.aggregation->keys[i];
    Value part = converted(recorded(key), *key.type, type);
    keys += "|" + (type.kind == Kind::String ? key_text(part.text) : std::to_string(part.number));
  }
  int64_t amount = statement.args.empty() ? 0 : number(*statement.args[0]);
  int64_t increment = statement.args.size() > 1 ? number(*statement.args[1]) : 1;
  aggregations_[statement.aggregation][keys].values.emplace_back(amount, increment);
}

Model::Object& Model::object(const Variable& variable) {
  Object& object = objects_[&variable];
  if (object.bytes.empty()) {
    object.bytes.resize(variable.type->size);
    object.is_null_when_unset = variable.scope == Scope::Self;
  }
  return object;
}

namespace {

// Empty strings in an object compare equal, whether they were stored or the object is in its initial state.
void unmark_empty_strings(std::vector<uint8_t>& bytes, const Type& type, size_t offset) {
  if (type.kind == Kind::String && bytes[offset + 1] == 0) bytes[offset] = 0;
  for (uint32_t i = 0; type.kind == Kind::Array && i < type.count; ++i)
    unmark_empty_strings(bytes, *type.element, offset + size_t{i} * type.element->size);
  if (type.kind != Kind::Struct || type.is_union) return;
  for (const Field& field : type.fields) unmark_empty_strings(bytes, *field.type, offset + field.offset);
}

}  // namespace

std::string Model::key_part(const Value& value, const Type& type) {
  if (type.kind == Kind::String) return value.text + '\0';
  if (type.kind == Kind::Struct) {
    auto bytes = value.bytes;
    unmark_empty_strings(bytes, type, 0);
    return {bytes.begin(), bytes.end()};
  }
  return std::to_string(value.number) + ',';
}

std::string Model::key_of(const Expr& element) {
  std::string key;
  for (size_t i = 0; i < element.parts.size(); ++i) {
    const Type& type = *element.variable->keys[i];
    key += key_part(converted(recorded(*element.parts[i]), *element.parts[i]->type, type), type);
  }
  return key;
}

// Creates the element if it does not exist.
Model::Object& Model::element(const Place& place) {
  Object& object = arrays_[place.array][place.key];
  if (object.bytes.empty()) {
    object.bytes.resize(place.array->type->size);
    object.is_null_when_unset = true;
  }
  return object;
}

namespace {

constexpr int64_t pointer_unit = int64_t{1} << 32;
// The numbers of objects in scratch memory begin here.
constexpr int64_t first_scratch = 1 << 24;

uint64_t load_word(const std::vector<uint8_t>& bytes, uint32_t offset, uint32_t size) {
  uint64_t word = 0;
  if (offset + size > bytes.size()) throw Undefined{};
  std::memcpy(&word, bytes.data() + offset, size);
  return word;
}

void store_word(std::vector<uint8_t>& bytes, uint32_t offset, uint32_t size, uint64_t word) {
  if (offset + size > bytes.size()) throw Undefined{};
  std::memcpy(bytes.data() + offset, &word, size);
}

}  // namespace

int64_t Model::pointer_to(const Place& place) {
  if (place.object == nullptr) throw Undefined{};
  auto known = std::find(numbered_.begin(), numbered_.end(), place.object);
  if (known == numbered_.end()) known = numbered_.insert(numbered_.end(), place.object);
  return (known - numbered_.begin() + 1) * pointer_unit + pointer_unit / 2 + place.offset;
}

int64_t Model::scratch_pointer(size_t index) {
  return (first_scratch + static_cast<int64_t>(index) + 1) * pointer_unit + pointer_unit / 2;
}

Model::Place Model::pointed(int64_t pointer, const Type& type) {
  if (pointer == 0) throw Fault{"invalid address (0x0)"};
  int64_t number = pointer / pointer_unit - 1, offset = pointer % pointer_unit - pointer_unit / 2;
  Object* object = nullptr;
  if (number >= first_scratch && number - first_scratch < static_cast<int64_t>(scratch_.size()))
    object = scratch_[static_cast<size_t>(number - first_scratch)].get();
  else if (number >= 0 && number < static_cast<int64_t>(numbered_.size()))
    object = numbered_[static_cast<size_t>(number)];
  else throw Undefined{};
  if (offset < 0 || offset + type.size > static_cast<int64_t>(object->bytes.size())) throw Undefined{};
  return {.object = object, .offset = static_cast<uint32_t>(offset), .type = &type};
}

Model::Place Model::place(const Expr& expr) {
  switch (expr.form) {
    case Form::Variable: return {.object = &object(*expr.variable), .type = expr.type};
    case Form::Element: return {.type = expr.type, .array = expr.variable, .key = key_of(expr)};
    case Form::Member: {
      Place base = place(*expr.parts[0]);
      base.offset += expr.field->offset;
      base.type = expr.type;
      if (expr.field->bit_size != 0) base.bits = expr.field;
      return base;
    }
    case Form::Arrow: {
      const Type& type = *expr.parts[0]->type->element;
      Place base = pointed(number(*expr.parts[0]), type);
      base.offset += expr.field->offset;
      base.type = expr.type;
      if (expr.field->bit_size != 0) base.bits = expr.field;
      return base;
    }
    case Form::Deref: return pointed(number(*expr.parts[0]), *expr.type);
    case Form::Index: {
      const Expr& base = *expr.parts[0];
      if (base.type->kind == Kind::Pointer) {
        int64_t pointer = number(base);
        int64_t by = number(*expr.parts[1]);
        if (pointer == 0) throw Fault{"invalid address (0x0)"};
        if (by < -100 || by > 100) throw Undefined{};
        return pointed(pointer + by * expr.type->size, *expr.type);
      }
      Place array = place(base);
      int64_t index = number(*expr.parts[1]);
      if (index < 0 || index >= base.type->count) throw Fault{"index out of bounds (" + std::to_string(index) + ")"};
      array.offset += static_cast<uint32_t>(index) * expr.type->size;
      array.type = expr.type;
      return array;
    }
    // An object that is not a variable: makes a copy.
    default: {
      copies_.push_back(std::make_unique<Object>(Object{value(expr).bytes}));
      return {.object = copies_.back().get(), .type = expr.type};
    }
  }
}

Value Model::load(const Place& place) {
  const Object* object = place.object;
  if (place.array != nullptr) {
    auto& elements = arrays_[place.array];
    auto found = elements.find(place.key);
    if (found == elements.end()) {
      Value nothing;
      nothing.is_null = place.type->kind == Kind::String;
      if (nothing.is_null && place.array->type != place.type) throw Undefined{};
      const int& stores = array_stores_[place.array];
      nothing.stores = {{&stores, stores}};
      nothing.bytes.resize(place.type->kind == Kind::Struct ? place.type->size : 0);
      return nothing;
    }
    object = &found->second;
  }
  switch (place.type->kind) {
    case Kind::Integer: {
      uint64_t word = load_word(object->bytes, place.offset, place.type->size);
      if (place.bits == nullptr) return {.number = narrow(static_cast<int64_t>(word), *place.type)};
      auto low = static_cast<int64_t>(word >> place.bits->bit_offset);
      return {.number = narrow_bits(low, place.bits->bit_size, place.type->is_unsigned)};
    }
    case Kind::Pointer: return {.number = static_cast<int64_t>(load_word(object->bytes, place.offset, 8))};
    case Kind::String: {
      load_word(object->bytes, place.offset, 1);
      const auto* bytes = reinterpret_cast<const char*>(object->bytes.data()) + place.offset;
      auto mark = static_cast<StringMark>(bytes[0]);
      bool is_whole = object->bytes.size() == place.type->size;
      if (mark == StringMark::Unset && object->is_null_when_unset && !is_whole) throw Undefined{};
      bool is_null = mark == StringMark::Null || (mark == StringMark::Unset && object->is_null_when_unset);
      Value text{.is_null = is_null};
      if (!is_null) text.text.assign(bytes + 1, strnlen(bytes + 1, strsize_));
      const int& stores = place.array != nullptr ? array_stores_[place.array] : object->stores;
      text.stores = {{&stores, stores}};
      return text;
    }
    case Kind::Array:
    case Kind::Struct: {
      if (place.offset + place.type->size > object->bytes.size()) throw Undefined{};
      auto from = object->bytes.begin() + place.offset;
      return {.bytes = {from, from + place.type->size}};
    }
  }
  throw Undefined{};
}

// Returns the value after the store.
Value Model::store(const Place& place, const Value& value) {
  if (place.array != nullptr) ++array_stores_[place.array];
  bool is_whole_element = place.array != nullptr && place.type == place.array->type;
  if (is_whole_element && place.type->kind == Kind::Integer && value.number == 0) {
    arrays_[place.array].erase(place.key);
    return value;
  }
  Object& object = place.object != nullptr ? *place.object : element(place);
  ++object.stores;
  switch (place.type->kind) {
    case Kind::Integer: {
      auto word = static_cast<uint64_t>(value.number);
      if (place.bits != nullptr) {
        uint64_t mask = narrow_bits(-1, place.bits->bit_size, true);
        uint64_t old = load_word(object.bytes, place.offset, place.type->size);
        word = (old & ~(mask << place.bits->bit_offset)) | (word & mask) << place.bits->bit_offset;
      }
      store_word(object.bytes, place.offset, place.type->size, word);
      break;
    }
    case Kind::Pointer: store_word(object.bytes, place.offset, 8, static_cast<uint64_t>(value.number)); break;
    case Kind::String: {
      bool is_whole = object.bytes.size() == place.type->size;
      if (value.is_null && !is_whole) throw Undefined{};
      std::string bytes(1, static_cast<char>(value.is_null ? StringMark::Null : StringMark::Text));
      bytes += value.text.substr(0, strsize_);
      bytes.resize(place.type->size);
      store_word(object.bytes, place.offset, 1, 0);
      std::copy(bytes.begin(), bytes.end(), object.bytes.begin() + place.offset);
      break;
    }
    case Kind::Array:
    case Kind::Struct:
      if (value.bytes.size() != place.type->size) throw Undefined{};
      std::copy(value.bytes.begin(), value.bytes.end(), object.bytes.begin() + place.offset);
      break;
  }
  return load(place);
}

}  // namespace dscope::oracle
