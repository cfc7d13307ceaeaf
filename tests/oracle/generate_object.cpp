// Strings, structures and pointers of generated programs, and paths to parts of objects.
#include "generator.h"

namespace dscope::oracle {

namespace {

bool is_string(const Type& type) { return type.kind == Kind::String; }

}  // namespace

ExprPtr Generator::variable_reference(const Variable& variable, int depth) {
  Expr expr;
  expr.form = variable.keys.empty() ? Form::Variable : Form::Element;
  expr.type = variable.type;
  expr.variable = &variable;
  for (const Type* type : variable.keys) expr.parts.push_back(key(*type, depth));
  return std::make_shared<const Expr>(std::move(expr));
}

// Draws keys from few values, so that clauses access elements repeatedly.
ExprPtr Generator::key(const Type& type, int depth) {
  switch (type.kind) {
    case Kind::Integer: return cast_to(type, small(depth - 1, 3));
    case Kind::String: {
      static constexpr const char* words[] = {"", "a", "key"};
      if (depth > 1 && chance(30)) return string(depth - 1);
      return make(Form::Text, type, {}, words[pick(3)]);
    }
    default: return structure(type, depth - 1);
  }
}

// One step down from an object to a part of it, or null if it has no parts.
ExprPtr Generator::descend(ExprPtr from, int depth) {
  const Type& type = *from->type;
  switch (type.kind) {
    case Kind::Array: return make(Form::Index, *type.element, {from, index_for(type.count, depth)});
    case Kind::Struct: {
      const Field& field = type.fields[pick(type.fields.size())];
      Expr member = *make(Form::Member, *field.type, {from});
      member.field = &field;
      return std::make_shared<const Expr>(member);
    }
    case Kind::Pointer: {
      if (type.element->kind == Kind::Struct && chance(80)) {
        const Field& field = type.element->fields[pick(type.element->fields.size())];
        Expr member = *make(Form::Arrow, *field.type, {from});
        member.field = &field;
        return std::make_shared<const Expr>(member);
      }
      if (chance(60)) return make(Form::Deref, *type.element, {from});
      return make(Form::Index, *type.element, {from, number(int_, pick(2))});
    }
    case Kind::Integer:
    case Kind::String: return nullptr;
  }
  return nullptr;
}

ExprPtr Generator::object(const std::function<bool(const Type&)>& is_wanted, int depth, bool is_addressable) {
  // Keys and indices contain objects themselves.
  if (nesting_ > 5) return nullptr;
  ++nesting_;
  ExprPtr result;
  for (int attempt = 0; attempt < 12 && !result; ++attempt) {
    const Variable& variable = world_->variables[pick(world_->variables.size())];
    // The first assignment fixes the variable's type, so it must not refer to the variable.
    if (is_typing_pointers_ && !variable.is_declared && variable.type->kind == Kind::Pointer) continue;
    if (is_addressable && (!variable.keys.empty() || variable.type->kind == Kind::Pointer)) continue;
    ExprPtr found = variable_reference(variable, depth);
    while (found) {
      bool is_bitfield = found->field != nullptr && found->field->bit_size != 0;
      bool is_variable = found->form == Form::Variable && found->type->kind != Kind::Array;
      if (is_wanted(*found->type) && !(is_addressable && (is_bitfield || is_variable))) break;
      found = descend(found, depth - 1);
    }
    result = found;
  }
  --nesting_;
  return result;
}

ExprPtr Generator::string_literal() {
  static constexpr const char* words[] = {
      "",      "a",     "b",      "ab",     "abc",      "/",         "a/b",          "/usr/lib/",
      "x,y;z", "hello", "//a//b", "/a/b/c", "abcabcab", "zebra/cab", "Hello, World", "./a.b/."};
  if (chance(80)) return make(Form::Text, types_.string(), {}, words[pick(std::size(words))]);
  std::string random;
  for (unsigned length = pick(40); random.size() < length;) random += "abc/.,x"[pick(7)];
  return make(Form::Text, types_.string(), {}, random);
}

ExprPtr Generator::string_leaf() {
  if (chance(55)) {
    ExprPtr found = object(is_string, 0);
    // Many thread-local variables and elements are NULL.
    if (found && !(found->form == Form::Element && chance(80))) return found;
  }
  if (site_.has_user_memory && chance(20)) return user_text();
  if (chance(20)) {
    Expr known = *make(Form::Known, types_.string(), {}, "probename");
    known.known = site_.probe.substr(site_.probe.rfind(':') + 1);
    if (chance(50) && !site_.execname.empty()) {
      known.word = chance(50) ? "execname" : "stringof(curthread->comm)";
      known.known = site_.execname;
    } else if (chance(40)) {
      known.word = "probeprov";
      known.known = site_.probe.substr(0, site_.probe.find(':'));
    }
    return std::make_shared<const Expr>(known);
  }
  return string_literal();
}

ExprPtr Generator::string(int depth, bool may_be_null) {
  const Type& type = types_.string();
  if (depth <= 0 || --budget_ <= 0 || chance(30)) return string_leaf();
  switch (pick(10)) {
    case 0: {
      ExprPtr condition = integer(depth - 1), yes = string(depth - 1, may_be_null);
      return make(Form::Ternary, type, {condition, yes, string(depth - 1, may_be_null)});
    }
    case 1: {
      ExprPtr target = object(is_string, depth - 1);
      if (!target) return string_leaf();
      return make(Form::Assign, type, {target, string(depth - 1)});
    }
    case 2: {
      ExprPtr left = chance(50) ? integer(depth - 1) : string(depth - 1);
      return make(Form::Comma, type, {left, string(depth - 1, may_be_null)});
    }
    case 3: {
      auto is_text = [this](const Type& t) { return t.kind == Kind::Array && t.element == &types_.integer("char"); };
      ExprPtr source = object(is_text, depth - 1);
      return make(Form::Stringof, type, {source ? source : string_leaf()});
    }
    case 4:
      if (chance(30)) return make(Form::PointerStep, type, {string_leaf(), number(int_, pick(2))}, "+");
      return string_leaf();
    default: return string_call(depth, may_be_null);
  }
}

ExprPtr Generator::string_call(int depth, bool may_be_null) {
  const Type& type = types_.string();
  unsigned choice = pick(may_be_null || chance(20) ? 9 : 6);
  switch (choice) {
    case 0: return make(Form::Call, type, {integer(depth - 1)}, "lltostr");
    case 1: return make(Form::Call, type, {string(depth - 1)}, chance(50) ? "basename" : "dirname");
    case 2:
    case 3: {
      ExprPtr text = string(depth - 1);
      auto position = [&] { return chance(15) ? integer(depth - 1) : small(depth - 1, 12); };
      auto signed_position = [&]() -> ExprPtr {
        ExprPtr value = position();
        return chance(30) ? make(Form::Unary, *value->type, {value}, "-") : value;
      };
      std::vector<ExprPtr> arguments{text, signed_position()};
      if (chance(60)) arguments.push_back(signed_position());
      return make(Form::Call, type, arguments, "substr");
    }
    case 4:
    case 5: {
      ExprPtr left = string(depth - 1);
      return make(Form::Call, type, {left, string(depth - 1)}, "strjoin");
    }
    case 6: {
      ExprPtr text = string(depth - 1);
      return make(Form::Call, type, {text, string_literal()}, "strstr");
    }
    default: {
      ExprPtr text = string(depth - 1);
      ExprPtr wanted = chance(80) ? number(int_, "ab/.cx,"[pick(7)]) : integer(depth - 1);
      return make(Form::Call, type, {text, wanted}, choice == 7 ? "strchr" : "strrchr");
    }
  }
}

ExprPtr Generator::structure(const Type& type, int depth) {
  if (site_.has_user_memory && is_plain(type) && chance(20))
    return make(Form::Deref, type, {user_pointer(types_.pointer_to(type), depth - 1)});
  ExprPtr found = object([&](const Type& other) { return &other == &type; }, depth);
  if (!found) {
    const Variable* spare = nullptr;
    for (const Variable& variable : world_->variables)
      if (variable.type == &type && variable.keys.empty()) spare = &variable;
    if (spare == nullptr)
      spare = &world_->variables.emplace_back(Variable{
          .scope = is_concurrent() ? Scope::Self : Scope::Global, .name = fresh("o"), .type = &type, .keys = {}});
    found = variable_reference(*spare, 0);
  }
  if (depth > 1 && chance(20))
    return make(Form::Ternary, type, {integer(depth - 1), found, structure(type, depth - 2)});
  return found;
}

// A pointer to an existing element or member.
ExprPtr Generator::pointer(const Type& type, int depth) {
  const Type& element = *type.element;
  if (depth > 0 && chance(20)) {
    ExprPtr condition = integer(depth - 1), yes = pointer(type, depth - 2);
    return make(Form::Ternary, type, {condition, yes, pointer(type, depth - 2)});
  }
  if (depth >= 0 && chance(35)) {
    auto is_same = [&](const Type& other) { return &other == &type; };
    if (ExprPtr found = object(is_same, 0)) return found;
  }
  auto is_array = [&](const Type& other) { return other.kind == Kind::Array && other.element == &element; };
  ExprPtr array = object(is_array, depth, true);
  for (const Variable& variable : world_->variables)
    if (!array && is_array(*variable.type) && variable.keys.empty()) array = variable_reference(variable, 0);
  if (chance(30)) return make(Form::Cast, type, {array});
  ExprPtr first =
      make(Form::AddressOf, type, {make(Form::Index, element, {array, index_for(array->type->count - 1, depth)})});
  if (chance(25)) return make(Form::PointerStep, type, {first, number(int_, pick(2))}, "+");
  return first;
}

}  // namespace dscope::oracle
