// Loads, stores and copies objects. Checked copies read kernel and user memory. Direct loads read kernel objects whose
// BTF type the verifier knows.
#pragma once

#include "codegen/lower/lowerer.h"

namespace dscope {

class Faults;
class UserMemory;

class MemoryAccess : Lowerer {
 public:
  MemoryAccess(Lowering& core, Faults& faults, UserMemory& user_memory)
      : Lowerer(core), faults_(faults), user_memory_(user_memory) {}

  V load(const Place& place, TypeId type, const Expr& at);
  // `first`: the offset of the first byte with bits of the member.
  V load_bitfield(const Place& base, const MachineNumber& first, const ResolvedMember& member, const Expr& at);
  void store_bitfield(const Place& base, const ResolvedMember& member, V value);
  V read_checked(const Place& place, uint32_t size, bool is_signed, const Expr& at);
  void store(const Place& place, V value, TypeId type, const Expr& at);
  void copy_object(V to, const Place& from, uint32_t size, const Expr& at);
  V read_anywhere(V to, uint32_t size, V address, bool is_user);
  std::optional<MachineNumber> object_member(std::string_view path) const;

 private:
  Faults& faults_;
  UserMemory& user_memory_;
};

}  // namespace dscope
