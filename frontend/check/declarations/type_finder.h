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

  // --- by name: "pid_t", "struct file"
  // module: "C" and "D" are the types of headers and of D programs, other names a kernel module or process object;
  // empty: any.
  std::optional<TypeId> find(const std::string& module, const std::string& name);
  // A type that included headers declare: the pseudo object C.
  std::optional<TypeId> find_header_type(const std::string& name) const;
  // A type of the scope that declarations add to: the pseudo object C in included headers, D elsewhere.
  std::optional<TypeId> find_own_type(const std::string& name) const;
  void define_own_type(const std::string& name, TypeId type);
  // Finds a type that the catalog names, or creates a substitute if this kernel lacks it.
  TypeId catalog_type(std::string_view name);
  // Hints at a type whose name resembles that of an undefined struct, union or enum, or of an array of them.
  void suggest_type(TypeId incomplete);

  // --- members
  // `type` without typedefs, and with its members if they are known.
  TypeId complete(TypeId type);
  // Completes the elements of an array of any number of dimensions, or `type` itself, and returns `type`.
  TypeId complete_element(TypeId type);
  uint64_t size_of(TypeId type);
  // Between these calls a struct is incomplete, so that it cannot contain itself.
  void begin_definition(TypeId type) { open_definitions_.insert(type.index); }
  void end_definition(TypeId type) { open_definitions_.erase(type.index); }

 private:
  std::optional<TypeId> find_program_type(const std::string& name) const;
  std::optional<TypeId> find_emulated(const std::string& name) const;

  std::unordered_set<uint32_t> open_definitions_;  // structs whose closing brace has not been reached
};

}  // namespace dscope
