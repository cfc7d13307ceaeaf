#include "codegen/lower/memory/memory_access.h"

#include "codegen/lower/memory/user_memory.h"
#include "codegen/lower/programs/faults.h"
#include "support/check.h"

namespace dscope {

std::optional<MachineNumber> MemoryAccess::object_member(std::string_view path) const {
  for (const ObjectMember& member : compiled_.object_members)
    if (member.path == path) return core_.machine_number(member.offset, &member);
  return std::nullopt;
}

V MemoryAccess::load(const Place& place, TypeId type, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.size_of(type));
  DS_CHECK(size == 1 || size == 2 || size == 4 || size == 8);
  bool is_signed = types.is_signed_integer(type);
  // A direct load would give a typed pointer, which the verifier forbids arithmetic on: see trusted_pointer.
  if (place.space == Space::Trusted && types.is_pointer(type)) return read_checked(place, size, false, at);
  switch (place.space) {
    case Space::Storage: return b_.load(place.address, size, is_signed);
    case Space::Trusted: return b_.load_kernel(place.address, size, is_signed);
    case Space::None:
    case Space::Kernel:
    case Space::Scratch:
    case Space::Mixed:
    case Space::Loaded:
    case Space::User: return read_checked(place, size, is_signed, at);
  }
  DS_UNREACHABLE();
}

V MemoryAccess::read_checked(const Place& place, uint32_t size, bool is_signed, const Expr& at) {
  V buffer = b_.shared_slot(8, "read");
  V address = b_.to_number(place.address);
  V result = place.space == Space::User ? user_memory_.read_word(buffer, size, address)
                                        : b_.call(Helper::ProbeReadKernel, {buffer, b_.number32(size), address});
  faults_.read_fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), place.space, address, at);
  return b_.load(buffer, size, is_signed);
}

// Through BTF pointers, the verifier allows loads only at the start of a member, so bit-fields are always copied. The
// copy is the smallest run of bytes that contains all bits.
V MemoryAccess::load_bitfield(const Place& base, const MachineNumber& first, const ResolvedMember& member,
                              const Expr& at) {
  uint32_t shift = member.bit_offset % 8;
  uint32_t bytes = (shift + member.bit_size - 1) / 8 + 1;
  V word = b_.number(0);
  V buffer = b_.shared_slot(8, "read");
  b_.ir.CreateStore(b_.number(0), buffer);
  DS_CHECK(bytes <= 8);
  if (base.space == Space::Storage) {
    V start = b_.at(base.address, first);
    for (uint64_t i = 0; i < bytes; ++i)
      word = b_.ir.CreateOr(word, b_.ir.CreateShl(b_.load(b_.at(start, i), 1, false), b_.number(i * 8)));
  } else {
    V address = b_.add(b_.to_number(base.address), first);
    V result = base.space == Space::User ? user_memory_.read_word(buffer, bytes, address)
                                         : b_.call(Helper::ProbeReadKernel, {buffer, b_.number32(bytes), address});
    faults_.read_fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), base.space, address, at);
    word = b_.load(buffer, 8, false);
  }
  bool is_signed = meaning_.types->is_signed_integer(member.type);
  V low = b_.ir.CreateLShr(word, b_.number(uint64_t{shift}));
  return b_.narrow_bits(low, static_cast<uint32_t>(member.bit_size), is_signed);
}

// Stores byte by byte, because the bits may cross a word boundary.
void MemoryAccess::store_bitfield(const Place& base, const ResolvedMember& member, V value) {
  uint32_t shift = member.bit_offset % 8;
  uint64_t first = member.bit_offset / 8, last = (member.bit_offset + member.bit_size - 1) / 8;
  uint64_t mask = (member.bit_size == 64 ? ~uint64_t{0} : (uint64_t{1} << member.bit_size) - 1) << shift;
  V bits = b_.ir.CreateAnd(b_.ir.CreateShl(value, b_.number(shift)), b_.number(mask));
  for (uint64_t i = first; i <= last; ++i) {
    uint64_t down = (i - first) * 8;
    V byte = b_.at(base.address, i);
    V kept = b_.ir.CreateAnd(b_.load(byte, 1, false), b_.number(~(mask >> down) & 0xff));
    b_.store(byte, b_.ir.CreateOr(kept, b_.ir.CreateLShr(bits, b_.number(down))), 1);
  }
}

void MemoryAccess::store(const Place& place, V value, TypeId type, const Expr&) {
  DS_CHECK(place.space == Space::Storage);
  b_.store(place.address, value, static_cast<uint32_t>(meaning_.types->size_of(type)));
}

void MemoryAccess::copy_object(V to, const Place& from, uint32_t size, const Expr& at) {
  if (from.space == Space::Storage) {
    if (size <= inline_copy_limit) return b_.copy(to, from.address, size);
    // A helper call for a long copy. It cannot fail.
    b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), b_.to_number(from.address)});
    return;
  }
  V address = b_.to_number(from.address);
  V result = from.space == Space::User ? user_memory_.read(to, size, b_.number(size), address)
                                       : b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), address});
  faults_.read_fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), from.space, address, at);
}

// Reads bytes from an address that may belong to the kernel or to the process, whatever the type of the pointer says.
// Writes zeros if it belongs to neither. Returns 0 if the read succeeded.
V MemoryAccess::read_anywhere(V to, uint32_t size, V address, bool is_user) {
  auto read = [&](bool from_user) {
    return from_user ? user_memory_.read(to, size, b_.number(size), address)
                     : b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), address});
  };
  V result = read(is_user);
  return b_.replace_if(b_.is_nonzero(result), result, "other_space", [&] { return read(!is_user); });
}

}  // namespace dscope
