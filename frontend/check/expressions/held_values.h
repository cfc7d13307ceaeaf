// HeldValues: what objects of C++ and Rust hold, such as the characters of a std::string. printf(), trace(), print()
// and stringof() show these instead of the objects (held_types.def).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/check/check_context.h"

namespace dscope {

class Expansions;
class ExpressionTyper;
class TranslatedObjects;
struct HeldType;

class HeldValues : private CheckerPart {
 public:
  HeldValues(CheckContext& context, Expansions& expansions, ExpressionTyper& expressions,
             TranslatedObjects& translated_objects)
      : CheckerPart(context),
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
  static constexpr int max_depth = 3;  // of structures in structures

  const HeldType* type_of(TypeId id);
  const Expr* target(const Expr& pointer);
  std::optional<TypeId> member_type(TypeId id, std::string_view path);
  Expr* member(const Expr& object, std::string_view path);
  Expr* text(const Expr& object, const HeldType& held);
  Expr* element(const Expr& object, const HeldType& held, uint64_t index);
  Expr* count(const Expr& object, const HeldType& held);
  const Expr* shown(const Expr& object, int depth);
  std::optional<ExprInfo> elements(const Expr& object, const HeldType& held);
  std::optional<ExprInfo> structure(const Expr& object, int depth);
  bool has_held_member(TypeId id, int depth);
  ExprInfo composed(TranslatedObject object, Type type);

  Expansions& expansions_;
  ExpressionTyper& expressions_;
  TranslatedObjects& translated_objects_;
};

}  // namespace dscope
