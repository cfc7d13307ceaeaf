// The bytes of strings: literals, copies, truncation. Every buffer is zero-padded, so that keys and comparisons can
// work on words.
#pragma once

#include "codegen/bpf/call_constants.h"
#include "codegen/lower/lowerer.h"

namespace dscope {

class Faults;
class ScratchSlot;
class UserMemory;

// The sizes of one call of the support library, see DS_SIZES.
constexpr uint64_t pack_sizes(uint64_t destination, uint64_t characters, uint64_t first, uint64_t second) {
  return DS_SIZES(destination, characters, first, second);
}

class Faults;
class ScratchSlot;
class UserMemory;

class StringMemory : Lowerer {
 public:
  StringMemory(Lowering& core, ScratchSlot& scratch, Faults& faults, UserMemory& user_memory)
      : Lowerer(core), scratch_(scratch), faults_(faults), user_memory_(user_memory) {}

  StringValue literal(std::string_view bytes);
  StringValue copy_from(const Place& place, uint32_t bytes, const Expr& at);
  V read(V to, uint32_t bytes, const Place& place, const Expr& at);
  V sizes(uint32_t capacity) const;
  void store(V to, uint32_t size, const StringValue& value);
  void truncate(V to, uint32_t size);
  void store_unaligned(V to, uint32_t size, const StringValue& value);

 private:
  ScratchSlot& scratch_;
  Faults& faults_;
  UserMemory& user_memory_;
  std::map<std::string, V> literals_;  // addresses of the literals
};

}  // namespace dscope
