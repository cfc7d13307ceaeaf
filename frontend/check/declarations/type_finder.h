// TypeFinder: types by name, and the members of types that are completed on first use.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "frontend/check/check_context.h"

namespace dscope {

class TypeFinder : private CheckerPart {
 public:
  explicit TypeFinder(CheckContext& context) : CheckerPart(context) {}

  std::optional<TypeId> find_header_type(const std::string& name) const;
  std::optional<TypeId> find_own_type(const std::string& name) const;
  void define_own_type(const std::string& name, TypeId type);
  std::optional<TypeId> find(const std::string& module, const std::string& name);
  TypeId complete(TypeId type);
  uint64_t size_of(TypeId type);
  TypeId catalogue_type(std::string_view name);
  void suggest_type(TypeId incomplete);
  TypeId complete_element(TypeId type);
  // Between these calls a struct is incomplete, so that it cannot contain itself.
  void begin_definition(TypeId type) { open_definitions_.insert(type.index); }
  void end_definition(TypeId type) { open_definitions_.erase(type.index); }

 private:
  std::optional<TypeId> find_program_type(const std::string& name) const;
  std::optional<TypeId> find_emulated(const std::string& name) const;

  std::unordered_set<uint32_t> open_definitions_;  // structs whose closing brace has not been reached
};

}  // namespace dscope
