// Translators: their definitions and the search for one (d-language.md 2.5).
#pragma once

#include <optional>

#include "frontend/check/check_context.h"

namespace dscope {

class Inlines;
class TranslatedObjects;
class TypeBuilder;
class TypeFinder;

class Translators : private CheckerPart {
 public:
  Translators(CheckContext& context, Inlines& inlines, TranslatedObjects& translated_objects, TypeBuilder& type_builder,
              TypeFinder& type_finder)
      : CheckerPart(context),
        inlines_(inlines),
        translated_objects_(translated_objects),
        type_builder_(type_builder),
        type_finder_(type_finder) {}

  void define(const External& external, const TranslatorDefinition& form);
  bool check_member_value(const TranslatorMember& member, TypeId type, const ExprInfo& value);
  std::optional<uint32_t> find(TypeId source, bool is_zero_source, TypeId target) const;
  // The next translator belongs to a later version of D: its definition is ignored.
  void hide_next(bool is_hidden) { is_next_hidden_ = is_hidden; }

 private:
  void type(uint32_t index);
  bool is_exact_type(TypeId a, TypeId b) const;

  Inlines& inlines_;
  TranslatedObjects& translated_objects_;
  TypeBuilder& type_builder_;
  TypeFinder& type_finder_;

  bool is_next_hidden_ = false;  // #pragma D binding "..." translator
};

}  // namespace dscope
