#include "frontend/check/expressions/address_spaces.h"

#include <algorithm>

#include "frontend/check/name_table.h"
#include "support/check.h"

namespace dscope {

Space untrusted(Space space) { return space == Space::Trusted ? Space::Kernel : space; }

Space join_spaces(Space a, Space b) {
  if (a == b || b == Space::None) return a;
  if (a == Space::None) return b;
  bool is_mixture = a == Space::Mixed || b == Space::Mixed || a == Space::Scratch || b == Space::Scratch;
  if (a == Space::Loaded || b == Space::Loaded)
    return a == Space::Mixed || b == Space::Mixed ? Space::Mixed : Space::Loaded;
  return is_mixture ? Space::Mixed : Space::Kernel;
}

void AddressSpaces::roll_back(size_t mark) {
  for (; changes_.size() > mark; changes_.pop_back())
    semantics_.variables[changes_.back().variable.index].pointee = changes_.back().before;
}

void AddressSpaces::forget_removed_variables() {
  was_read_.resize(std::min(was_read_.size(), semantics_.variables.size()));
}

Space AddressSpaces::read_pointee(VariableId id) {
  if (!was_read(id)) {
    was_read_.resize(semantics_.variables.size());
    was_read_[id.index] = true;
  }
  const Variable& variable = semantics_.variables[id.index];
  const Type& type = types_.resolved(variable.type);
  if (type.kind == TypeKind::Pointer && type.is_userland) return Space::User;
  return variable.pointee;
}

// The D variable an lvalue is part of, without following pointers.
std::optional<VariableId> AddressSpaces::root_variable(const Expr& expr) const {
  const ExprInfo self = info(expr);
  if (self.stands_for != nullptr) return root_variable(*self.stands_for);
  if (const auto* id = std::get_if<VariableId>(&self.binding)) return *id;
  if (const auto* member = std::get_if<Member>(&expr.form))
    return member->is_arrow ? std::nullopt : root_variable(*member->base);
  if (const auto* index = std::get_if<Index>(&expr.form)) {
    bool is_array = types_.resolved(info(*index->base).type).kind == TypeKind::Array;
    return is_array ? root_variable(*index->base) : std::nullopt;
  }
  return std::nullopt;
}

// Where the object of an lvalue lies.
Space AddressSpaces::object_space(const Expr& expr, const ExprInfo& self) const {
  if (!types_.is_pointer(self.type)) return self.space;
  if (self.stands_for != nullptr) return object_space(*self.stands_for, info(*self.stands_for));
  if (root_variable(expr)) return Space::Storage;
  if (const auto* member = std::get_if<Member>(&expr.form)) {
    ExprInfo base = info(*member->base);
    return member->is_arrow ? base.space : object_space(*member->base, base);
  }
  if (const auto* index = std::get_if<Index>(&expr.form)) {
    ExprInfo base = info(*index->base);
    return types_.is_pointer(base.type) ? untrusted(base.space) : object_space(*index->base, base);
  }
  if (const auto* unary = std::get_if<Unary>(&expr.form)) return info(*unary->operand).space;
  return Space::Kernel;
}

// ExprInfo::space of a part of an object in `object_space`; `type` is the type of the part.
Space AddressSpaces::loaded_space(const Expr& object, TypeId type, Space object_space, bool within_union) {
  if (object_space == Space::None) object_space = Space::Kernel;
  const Type& loaded = types_.resolved(type);
  if (loaded.kind == TypeKind::String) return Space::Storage;
  if (loaded.kind != TypeKind::Pointer) return object_space;
  if (loaded.is_userland) return Space::User;
  switch (object_space) {
    case Space::Storage: {
      // A D variable reached through a pointer is unknown here, and so are its pointers: they may lead to D variables
      // or into the kernel. Stores decide at run time.
      auto root = root_variable(object);
      return root ? read_pointee(*root) : Space::Storage;
    }
    case Space::Trusted: {
      // The verifier trusts plain pointers to structs only, and none that lies in a union.
      bool is_plain = types_.resolved(loaded.base).kind == TypeKind::Struct && !within_union;
      return is_plain ? Space::Trusted : Space::Kernel;
    }
    case Space::User: return Space::User;
    case Space::Scratch:
    case Space::Mixed:
    case Space::Loaded: return Space::Loaded;
    case Space::Kernel:
    case Space::None: return Space::Kernel;
  }
  DS_UNREACHABLE();
}

bool AddressSpaces::record_pointee(const Expr& target, const ExprInfo& target_info, const Expr& source,
                                   const ExprInfo& source_info) {
  auto root = root_variable(target);
  if (types_.is_pointer(target_info.type)) {
    if (source_info.space == Space::Mixed) {
      fail(Tag::D_ALLOCA_INCOMPAT, target.at,
           "ternary conditional with alloca and non-alloca branches cannot be assigned to a variable");
      return false;
    }
    if (!root || is_zero(source_info)) return true;
    return join_pointee(target, *root, source_info.space);
  }
  // Copying a whole struct copies its pointers, which came from another variable, from scratch memory or the kernel.
  if (!root || !types_.is_struct_or_union(target_info.type)) return true;
  if (semantics_.variables[root->index].pointee != Space::None) return true;
  auto source_root = root_variable(source);
  Space elsewhere = may_be_scratch(object_space(source, source_info)) ? Space::Loaded : Space::Kernel;
  return join_pointee(target, *root, source_root ? read_pointee(*source_root) : elsewhere);
}

bool AddressSpaces::join_pointee(const Expr& target, VariableId id, Space space) {
  space = untrusted(space);
  Variable& variable = semantics_.variables[id.index];
  if (space == Space::None || space == variable.pointee) return true;
  bool is_loaded = variable.pointee == Space::Loaded || space == Space::Loaded;
  bool is_mixture =
      variable.pointee != Space::None && !is_loaded && (variable.pointee == Space::Scratch || space == Space::Scratch);
  if (is_mixture) {
    fail(Tag::D_ALLOCA_INCOMPAT, target.at,
         "{}: cannot reuse the same identifier for both alloca and non-alloca allocations",
         spell_name(Name{.scope = variable.scope, .name = variable.name}));
    return false;
  }
  changes_.push_back({.variable = id, .before = variable.pointee});
  if (was_read(id)) is_stale_ = true;
  variable.pointee = join_spaces(variable.pointee, space);
  return true;
}

}  // namespace dscope
