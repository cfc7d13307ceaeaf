#include "runtime/providers/process/argument_passing.h"

#include <algorithm>
#include <bit>

namespace dscope {
namespace {

constexpr size_t vector_register_count = 8;
constexpr uint64_t word = 8, max_in_registers = 2 * word;

// Bytes to read of a word that holds a value; objects may have any size.
uint32_t read_size(uint64_t size) {
  return static_cast<uint32_t>(std::has_single_bit(size) ? std::min(size, word) : word);
}

}  // namespace

// Classifies each eight bytes of an object: Vector if they hold only floating-point numbers, else Integer.
void ArgumentLocations::classify(TypeId id, uint64_t offset, Parts& parts) {
  process_types_->complete(*types_, types_->resolve(id));
  const Type type = types_->resolved(id);  // a copy: completing members adds types
  uint64_t size = types_->size_of(id);
  if (size == 0 || parts.is_in_memory) return;
  if (offset % std::max(1U, types_->alignment_of(id)) != 0 || offset + size > max_in_registers) {
    parts.is_in_memory = true;
    return;
  }
  if (type.kind == TypeKind::Array) {
    for (uint32_t i = 0; i < type.count; ++i) classify(type.base, offset + i * types_->size_of(type.base), parts);
    return;
  }
  if (type.kind == TypeKind::Struct || type.kind == TypeKind::Union) {
    for (const TypeMember& member : type.members) {
      if (member.bit_size == 0) classify(member.type, offset + member.bit_offset / 8, parts);
      else parts.part[(offset * 8 + member.bit_offset) / 64] = Part::Integer;
    }
    return;
  }
  Part& part = parts.part[offset / word];
  if (type.kind == TypeKind::Float && size > word) parts.is_in_memory = true;
  else if (type.kind != TypeKind::Float) part = Part::Integer;
  else if (part == Part::None) part = Part::Vector;
}

ArgumentLocations::Parts ArgumentLocations::parts_of(const ProcessTypes::Passed& passed) {
  Parts parts;
  if (passed.is_by_reference) parts.part[0] = Part::Integer;
  else if (types_->size_of(passed.type) > max_in_registers) parts.is_in_memory = true;
  else classify(passed.type, 0, parts);
  return parts;
}

// Rust does not specify how it passes objects, except that objects of two words, such as slices and strings, use two
// registers.
bool ArgumentLocations::is_unspecified(const ProcessTypes::Passed& passed) {
  if (!passed.is_rust || !types_->is_struct_or_union(passed.type)) return false;
  process_types_->complete(*types_, types_->resolve(passed.type));
  const Type& type = types_->resolved(passed.type);
  auto is_word = [&](const TypeMember& member) {
    return types_->size_of(member.type) == word && types_->is_scalar(member.type);
  };
  return type.members.size() != 2 || !std::ranges::all_of(type.members, is_word);
}

ArgSource ArgumentLocations::in_registers(const Parts& parts, TypeId type, int64_t first, int64_t second) const {
  ArgSource source{.kind = ArgSourceKind::Register, .offset = first, .size = read_size(types_->size_of(type))};
  if (parts.count(Part::Vector) != 0) source.kind = ArgSourceKind::VectorRegister;
  source.is_signed = types_->is_signed_integer(type);
  if (parts.part[1] == Part::None) return source;
  source.kind = source.kind == ArgSourceKind::Register ? ArgSourceKind::RegisterPair : source.kind;
  source.base = static_cast<uint32_t>(second);
  return source;
}

ArgSource ArgumentLocations::on_stack(TypeId type) {
  uint64_t size = types_->size_of(type);
  if (types_->alignment_of(type) > word) words_ += words_ % 2;
  ArgSource source{.kind = ArgSourceKind::StackWord,
                   .offset = static_cast<int64_t>(abi_->stack_arguments + word * words_),
                   .size = read_size(size),
                   .is_signed = types_->is_signed_integer(type)};
  words_ += (size + word - 1) / word;
  return source;
}

std::optional<ArgSource> ArgumentLocations::next(const ProcessTypes::Passed& passed) {
  if (is_unspecified(passed)) return std::nullopt;
  if (is_aapcs64()) return next_aapcs64(passed);
  Parts parts = parts_of(passed);
  if (parts.is_in_memory) return on_stack(passed.type);
  size_t integers = parts.count(Part::Integer), vectors = parts.count(Part::Vector);
  if (integers + vectors == 0) return ArgSource{};  // an object without members
  bool has_room =
      registers_ + integers <= abi_->arguments.size() && vector_registers_ + vectors <= vector_register_count;
  if (!has_room && passed.is_by_reference) return std::nullopt;  // its address is on the stack
  if (!has_room) return on_stack(passed.type);
  int64_t first = integers > 0 ? int64_t{abi_->arguments[registers_]} : 0;
  int64_t second = integers > 1 ? int64_t{abi_->arguments[registers_ + 1]} : 0;
  registers_ += integers;
  vector_registers_ += vectors;
  if (passed.is_by_reference) return ArgSource{.kind = ArgSourceKind::UserMemory, .base = static_cast<uint32_t>(first)};
  return in_registers(parts, passed.type, first, second);
}

void ArgumentLocations::reserve_result(const ProcessTypes::Passed& passed) {
  if (is_aapcs64()) return;  // x8 has the address
  bool has_address = passed.is_by_reference || parts_of(passed).is_in_memory;
  // long double is returned in an x87 register.
  if (has_address && types_->resolved(passed.type).kind != TypeKind::Float) ++registers_;
}

std::optional<ArgSource> ArgumentLocations::result(const ProcessTypes::Passed& passed) {
  if (types_->resolved(passed.type).kind == TypeKind::Float) return ArgSource{.kind = ArgSourceKind::VectorRegister};
  Parts parts = is_aapcs64() ? aapcs64_parts_of(passed.type) : parts_of(passed);
  bool is_in_memory = passed.is_by_reference || parts.is_in_memory;
  if (is_in_memory && is_aapcs64()) return std::nullopt;  // the function need not keep the address
  if (is_in_memory) return ArgSource{.kind = ArgSourceKind::UserMemory, .base = abi_->result};
  return in_registers(parts, passed.type, abi_->result, abi_->second_result);
}

// The number of members of an object if all are floating-point numbers of one size; else 0.
size_t ArgumentLocations::count_vector_members(TypeId id, uint64_t& member_size) {
  process_types_->complete(*types_, types_->resolve(id));
  const Type type = types_->resolved(id);  // a copy: completing members adds types
  if (type.kind == TypeKind::Float) {
    uint64_t size = types_->size_of(id);
    bool is_same = member_size == 0 || member_size == size;
    member_size = size;
    return is_same ? 1 : 0;
  }
  if (type.kind == TypeKind::Array) return type.count * count_vector_members(type.base, member_size);
  if (type.kind != TypeKind::Struct && type.kind != TypeKind::Union) return 0;
  size_t count = 0;
  for (const TypeMember& member : type.members) {
    size_t members = count_vector_members(member.type, member_size);
    if (members == 0) return 0;
    count = type.kind == TypeKind::Union ? std::max(count, members) : count + members;
  }
  return count;
}

// Up to four floating-point numbers use a vector register each.
ArgumentLocations::Parts ArgumentLocations::aapcs64_parts_of(TypeId id) {
  constexpr size_t max_members = 4;
  Parts parts;
  uint64_t size = types_->size_of(id), member_size = 0;
  size_t members = count_vector_members(id, member_size);
  if (members > 0 && members <= max_members) {
    parts.part[0] = Part::Vector;
    parts.vectors = members;
  } else if (size > max_in_registers) {
    parts.is_in_memory = true;
  } else if (size != 0) {
    parts.part[0] = Part::Integer;
    if (size > word) parts.part[1] = Part::Integer;
  }
  return parts;
}

// Once an argument is on the stack, all later arguments of its kind are too.
std::optional<ArgSource> ArgumentLocations::next_aapcs64(const ProcessTypes::Passed& passed) {
  Parts parts = aapcs64_parts_of(passed.type);
  bool is_by_address = passed.is_by_reference || parts.is_in_memory;
  if (!is_by_address && parts.vectors != 0) {
    bool has_room = vector_registers_ + parts.vectors <= vector_register_count;
    vector_registers_ = has_room ? vector_registers_ + parts.vectors : vector_register_count;
    return has_room ? ArgSource{.kind = ArgSourceKind::VectorRegister} : on_stack(passed.type);
  }
  size_t integers = is_by_address ? 1 : parts.count(Part::Integer);
  if (integers == 0) return ArgSource{};  // an object without members
  if (!is_by_address && types_->alignment_of(passed.type) > word) registers_ += registers_ % 2;
  bool has_room = registers_ + integers <= abi_->arguments.size();
  if (!has_room) registers_ = abi_->arguments.size();
  if (!has_room) return is_by_address ? std::nullopt : std::optional{on_stack(passed.type)};
  uint32_t first = abi_->arguments[registers_], second = integers > 1 ? abi_->arguments[registers_ + 1] : 0;
  registers_ += integers;
  if (is_by_address) return ArgSource{.kind = ArgSourceKind::UserMemory, .base = first};
  return in_registers(parts, passed.type, first, second);
}

}  // namespace dscope
