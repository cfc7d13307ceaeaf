// HeldValues: what objects of C++, Rust and Go hold, such as the characters of a std::string. printf(), trace(),
// print() and stringof() show these instead of the objects (held_types.def).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/check/check_context.h"
#include "frontend/check/expressions/held_layouts.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class TranslatedObjects;

class HeldValues : private CheckerPart {
 public:
  HeldValues(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions,
             TranslatedObjects& translated_objects)
      : CheckerPart(context),
        layouts_(context),
        expansions_(expansions),
        expressions_(expressions),
        translated_objects_(translated_objects) {}

  // The string that an object, or the object at a pointer, holds, as an expression that is typed; null if none.
  const Expr* text_of(const Expr& object);
  // Lets the argument of an action stand for what it holds. `is_whole`: also structures with members that hold values,
  // vectors, pointers, and the objects at pointers, as print() shows them.
  void replace(const Expr& argument, bool is_whole);
  // Returns the expression that print() shows for a typed one: the same, or another one that is typed.
  const Expr* printed(const Expr& object) { return shown(object, max_depth); }

 private:
  static constexpr int max_depth = 4;  // of structures in structures

  // A structure that print() shows in place of an object, while it is composed.
  struct Composition {
    Type type;
    TranslatedObject object;
  };

  const Expr* target(const Expr& pointer);
  Expr* literal(const Expr& at, uint64_t value);
  Expr* member(const Expr& object, std::string_view path);
  Expr* cast(Expr& operand, TypeId type);
  Expr* text(const Expr& object, const HeldType& held);
  Expr* element(const Expr& object, const HeldType& held, TypeId type, uint64_t index);
  Expr* element_in_block(const Expr& object, const HeldType& held, uint64_t index);
  Expr* node(const Expr& object, const HeldType& held, uint64_t index);
  Expr* count(const Expr& object, const HeldType& held);
  Expr* alternative(const Expr& object, const HeldType& held, TypeId type, uint64_t index);
  const Expr* shown(const Expr& object, int depth);
  std::optional<ExprInfo> held_object(const Expr& object, const HeldType& held, int depth);
  std::optional<ExprInfo> elements(const Expr& object, const HeldType& held, int depth);
  std::optional<ExprInfo> optional(const Expr& object, const HeldType& held, int depth);
  std::optional<ExprInfo> variant(const Expr& object, const HeldType& held, int depth);
  std::optional<ExprInfo> pointed(const Expr& object, const HeldType& held, int depth);
  std::optional<ExprInfo> structure(const Expr& object, int depth);
  Expr* is_variant(const Expr& object, TypeId type, const TypeMember& variant);
  bool has_held_member(TypeId id, int depth);
  Composition composition_of(const Expr& object) const;
  bool add(Composition& whole, std::string name, const Expr* value, const Expr* condition = nullptr);
  std::optional<ExprInfo> finished(Composition whole);

  HeldLayouts layouts_;
  Expansions& expansions_;
  ExpressionTyper& expressions_;
  TranslatedObjects& translated_objects_;
};

}  // namespace dscope
