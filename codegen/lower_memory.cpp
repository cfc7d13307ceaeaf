// Objects in memory: where an lvalue is, and how its bytes are read and written. Kernel and user memory is read by
// checked copies, except kernel objects that the verifier knows by BTF, which are loaded directly.
#include <algorithm>

#include "codegen/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

// Pointers to alloca()/copyin() memory are numbers: this base plus an offset into the clause's area. They can be kept
// in variables, compared and printed; each use is checked against what the clause has allocated (d-language.md 3.3).
constexpr uint64_t scratch_pointer_base = 0x0000d5c000000000ULL;

}  // namespace

Place Emitter::place_of(const Expr& expr, Access access) {
  const ExprInfo& meaning = info(expr);
  if (const auto* symbol = std::get_if<SymbolAddress>(&meaning.binding))
    return {Space::Kernel, b_.number(symbol->address)};
  auto inlined = through_inline(expr, [&](const Expr& value) { return place_of(value, access); });
  if (inlined) return *inlined;
  const Expr* index = nullptr;
  const Expr& base = target_of(expr, index);
  if (index != nullptr || std::holds_alternative<Name>(expr.form)) {
    const auto* id = std::get_if<VariableId>(&info(base).binding);
    DS_CHECK(id != nullptr);
    return variable_place(*id, index, access);
  }
  return std::visit(Overloaded{
                        [&](const Member& form) -> Place {
                          const auto* member = std::get_if<MemberPlace>(&meaning.binding);
                          DS_CHECK(member != nullptr);
                          Place object =
                              form.is_arrow ? place_of_pointer(*form.base, expr, access) : place_of(*form.base, access);
                          uint64_t offset = member->bit_offset / 8;
                          object.address = object.address->getType()->isPointerTy()
                                               ? b_.at(object.address, offset)
                                               : b_.ir.CreateAdd(object.address, b_.number(offset));
                          return object;
                        },
                        [&](const Unary& form) -> Place {
                          DS_CHECK(form.op == UnaryOp::Deref);
                          return place_of_pointer(*form.operand, expr, access);
                        },
                        [&](const Index& form) -> Place { return element_place(expr, form, access); },
                        [&](const Cast& form) -> Place { return place_of(*form.operand, access); },
                        [&](const Ternary& form) -> Place { return choice_place(expr, form); },
                        [&](const Assign& form) -> Place {
                          evaluate(expr);
                          return place_of(*form.lhs, access);
                        },
                        [&](const Comma& form) -> Place {
                          evaluate(*form.lhs);
                          return place_of(*form.rhs, access);
                        },
                        [&](const auto&) -> Place { DS_UNREACHABLE(); },
                    },
                    expr.form);
}

// The memory of a variable or element. Reading one that does not exist gives zeroes, writing makes it.
Place Emitter::variable_place(VariableId id, const Expr* index, Access access) {
  const Variable& variable = meaning_.variables[id.index];
  const VariablePlace& place = layout_.variables[id.index];
  if (place.kind == VariablePlace::Kind::Globals || place.kind == VariablePlace::Kind::Scratch)
    return {Space::Storage, variable_address(place)};
  bool is_map = place.kind == VariablePlace::Kind::Map;
  if (!is_map && access == Access::Write) return {Space::Storage, b_.at(task_storage(true), place.offset)};
  V key = is_map ? array_key(variable, place, std::get<Index>(index->form).arguments) : nullptr;
  V found = is_map ? b_.lookup(place.map, key) : task_storage(false);
  auto* present = b_.block("present");
  auto* absent = b_.block("absent");
  auto* after = b_.block("after");
  V nothing = b_.constant_bytes("", place.size, "nothing");
  b_.ir.CreateCondBr(b_.is_zero(b_.to_number(found)), absent, present);
  b_.start(present);
  V inside = b_.at(b_.guarded(found), is_map ? 0 : place.offset);
  b_.ir.CreateBr(after);
  b_.start(absent);
  V instead = nothing;
  if (access == Access::Write) {
    b_.call(Helper::MapUpdate, {b_.map(place.map), key, nothing, b_.number(0)});
    instead = b_.lookup(place.map, key);
    conditionally([&] { dynamic_drop_if(b_.is_zero(b_.to_number(instead))); });
  }
  auto* absent_end = b_.ir.GetInsertBlock();
  b_.ir.CreateBr(after);
  b_.start(after);
  auto* address = b_.ir.CreatePHI(b_.ptr, 2);
  address->addIncoming(inside, present);
  address->addIncoming(instead, absent_end);
  return {Space::Storage, b_.guarded(address)};
}

// c ? object : object: copied, as the two may lie in different kinds of memory.
Place Emitter::choice_place(const Expr& expr, const Ternary& form) {
  if (const auto& constant = info(*form.condition).constant)
    return place_of(*constant != 0 ? *form.then_value : *form.else_value);
  auto size = static_cast<uint32_t>(meaning_.types->size_of(type_of(expr)));
  V copy = temporary(size);
  V holds = condition(*form.condition);
  auto* then_block = b_.block("then");
  auto* else_block = b_.block("else");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(holds, then_block, else_block);
  for (auto [start, branch] : {std::pair{then_block, form.then_value}, std::pair{else_block, form.else_value}}) {
    b_.start(start);
    conditionally([&] { copy_object(copy, place_of(*branch), size, *branch); });
    b_.ir.CreateBr(after);
  }
  b_.start(after);
  return {Space::Storage, copy};
}

// The object a pointer expression points to. NULL is found here, before any address is computed from it.
Place Emitter::place_of_pointer(const Expr& pointer, const Expr& at, Access access) {
  const ExprInfo& meaning = info(pointer);
  const TypeTable& types = *meaning_.types;
  if (!types.is_scalar(meaning.type) && !types.is_string(meaning.type))
    return place_of(pointer, access);  // an array: its first element
  if (meaning.space == Space::Trusted && options_.trusted_loads)
    if (V trusted = trusted_pointer(pointer); trusted != nullptr) {
      fault_if(b_.is_zero(trusted), DS_FAULT_BADADDR, b_.number(0), at);
      return {Space::Trusted, trusted};
    }
  V address = scalar(pointer);
  fault_if(b_.ir.CreateICmpEQ(address, b_.number(0)), DS_FAULT_BADADDR, b_.number(0), at);
  switch (meaning.space) {
    case Space::User: return {Space::User, address};
    case Space::Storage: {
      const Type& type = types.resolved(meaning.type);
      uint64_t size = type.kind == TypeKind::Pointer ? std::max<uint64_t>(1, types.size_of(type.base)) : 1;
      return stored_pointer(address, b_.number(size), at, access);
    }
    case Space::Trusted:
    case Space::None:
    case Space::Kernel: return {Space::Kernel, address};
  }
  DS_UNREACHABLE();
}

// curthread, or a pointer member of a trusted object, as the verifier's own kind of pointer; null: it is neither.
// Anywhere else such pointers are plain numbers, as the verifier forbids arithmetic with its own.
V Emitter::trusted_pointer(const Expr& pointer) {
  const ExprInfo& meaning = info(pointer);
  if (const auto* variable = std::get_if<BuiltinVariable>(&meaning.binding))
    return *variable == BuiltinVariable::Curthread ? current_task() : nullptr;
  if (!std::holds_alternative<Member>(pointer.form) || !std::holds_alternative<MemberPlace>(meaning.binding))
    return nullptr;
  Place place = place_of(pointer);
  if (place.space != Space::Trusted) return nullptr;
  return b_.ir.CreateAlignedLoad(b_.ptr, place.address, llvm::Align(8));
}

// What a pointer to D storage points to. alloca()/copyin() memory may be written; variables only read through a
// pointer, by a checked copy: the verifier has forgotten what such a number points to.
Place Emitter::stored_pointer(V address, V size, const Expr& at, Access access) {
  if (access == Access::Write) return {Space::Storage, storage_address(address, size, at)};
  if (alloca_area_ == 0) return {Space::Kernel, address};
  V offset = b_.guarded(b_.ir.CreateSub(address, b_.number(scratch_pointer_base)));
  auto limit = static_cast<uint64_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
  V is_scratch = b_.ir.CreateICmpULT(offset, b_.number(limit));
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  V is_outside = b_.ir.CreateICmpUGT(b_.ir.CreateAdd(offset, size), used);
  fault_if(b_.ir.CreateAnd(is_scratch, is_outside), DS_FAULT_BADADDR, address, at);
  auto* scratch = b_.block("scratch");
  auto* other = b_.ir.GetInsertBlock();
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(is_scratch, scratch, after);
  b_.start(scratch);
  V real = b_.to_number(b_.at(scratch_at(alloca_area_), b_.guarded(offset)));
  b_.ir.CreateBr(after);
  b_.start(after);
  auto* chosen = b_.ir.CreatePHI(b_.i64, 2);
  chosen->addIncoming(address, other);
  chosen->addIncoming(real, scratch);
  return {Space::Kernel, chosen};
}

Place Emitter::element_place(const Expr& expr, const Index& form, Access access) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(type_of(*form.base));
  V index = scalar(*form.arguments[0]);
  uint64_t size = types.size_of(type.base);
  if (type.kind == TypeKind::Array && type.count > 1 && !info(*form.arguments[0]).constant)
    index = bounded(index, type.count, DS_FAULT_BADINDEX, expr);
  V offset = b_.ir.CreateMul(index, b_.number(size));
  if (type.kind == TypeKind::Pointer && info(*form.base).space == Space::Storage) {
    V address = scalar(*form.base);
    fault_if(b_.ir.CreateICmpEQ(address, b_.number(0)), DS_FAULT_BADADDR, b_.number(0), expr);
    return stored_pointer(b_.ir.CreateAdd(address, offset), b_.number(size), expr, access);
  }
  Place base = place_of_pointer(*form.base, expr, access);
  if (base.space == Space::Trusted) base = {Space::Kernel, b_.to_number(base.address)};
  base.address =
      base.address->getType()->isPointerTy() ? b_.at(base.address, offset) : b_.ir.CreateAdd(base.address, offset);
  return base;
}

// Scratch pointer -> address, if [pointer, pointer + size) was allocated by this clause; else a fault.
V Emitter::storage_address(V scratch_pointer, V size, const Expr& at) {
  if (alloca_used_ == nullptr) {  // nothing was ever allocated in this program
    fault_if(b_.ir.getTrue(), DS_FAULT_BADADDR, scratch_pointer, at);
    return frame_.slot;
  }
  auto limit = static_cast<uint64_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
  V offset = b_.guarded(b_.ir.CreateSub(scratch_pointer, b_.number(scratch_pointer_base)));
  fault_if(b_.ir.CreateICmpUGE(offset, b_.number(limit)), DS_FAULT_BADADDR, scratch_pointer, at);
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  fault_if(b_.ir.CreateICmpUGT(b_.ir.CreateAdd(offset, size), used), DS_FAULT_BADADDR, scratch_pointer, at);
  return b_.at(scratch_at(alloca_area_), b_.guarded(offset));
}

V Emitter::load_place(const Place& place, TypeId type, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.is_pointer(type) ? 8 : types.size_of(type));
  DS_CHECK(size == 1 || size == 2 || size == 4 || size == 8);
  bool is_signed = types.is_signed_integer(type);
  // A pointer loaded directly would be one of the verifier's own: see trusted_pointer.
  if (place.space == Space::Trusted && types.is_pointer(type)) return read_checked(place, size, false, at);
  switch (place.space) {
    case Space::Storage:
    case Space::Trusted: return b_.load(place.address, size, is_signed);
    case Space::None:
    case Space::Kernel:
    case Space::User: return read_checked(place, size, is_signed, at);
  }
  DS_UNREACHABLE();
}

V Emitter::read_checked(const Place& place, uint32_t size, bool is_signed, const Expr& at) {
  V buffer = b_.shared_slot(8, "read");
  Helper helper = place.space == Space::User ? Helper::ProbeReadUser : Helper::ProbeReadKernel;
  V address = b_.to_number(place.address);
  V result = b_.call(helper, {buffer, b_.number32(size), address});
  fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, at);
  return b_.load(buffer, size, is_signed);
}

// The verifier lets BTF pointers be loaded from only where a member starts, so bit-fields are always copied; the
// storage read is the smallest run of bytes that holds all bits.
V Emitter::load_bitfield(const Place& base, const MemberPlace& member, const Expr& at) {
  uint64_t first = member.bit_offset / 8;
  uint64_t last = (member.bit_offset + member.bit_size - 1) / 8;
  auto bytes = static_cast<uint32_t>(last - first + 1);
  V word = b_.number(0);
  V buffer = b_.shared_slot(8, "read");
  b_.ir.CreateStore(b_.number(0), buffer);
  DS_CHECK(bytes <= 8);
  if (base.space == Space::Storage) {
    for (uint32_t i = 0; i < bytes; ++i)
      word = b_.ir.CreateOr(word, b_.ir.CreateShl(b_.load(b_.at(base.address, first + i), 1, false), b_.number(i * 8)));
  } else {
    V address = b_.ir.CreateAdd(b_.to_number(base.address), b_.number(first));
    Helper helper = base.space == Space::User ? Helper::ProbeReadUser : Helper::ProbeReadKernel;
    V result = b_.call(helper, {buffer, b_.number32(bytes), address});
    fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, at);
    word = b_.load(buffer, 8, false);
  }
  bool is_signed = meaning_.types->is_signed_integer(member.type);
  uint64_t left = 64 - (member.bit_offset % 8) - member.bit_size;
  V top = b_.ir.CreateShl(word, b_.number(left));
  V count = b_.number(64 - member.bit_size);
  return is_signed ? b_.ir.CreateAShr(top, count) : b_.ir.CreateLShr(top, count);
}

// Byte by byte, as the bits may lie across words.
void Emitter::store_bitfield(const Place& base, const MemberPlace& member, V value) {
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

void Emitter::store_place(const Place& place, V value, TypeId type, const Expr&) {
  DS_CHECK(place.space == Space::Storage);
  const TypeTable& types = *meaning_.types;
  b_.store(place.address, value, static_cast<uint32_t>(types.is_pointer(type) ? 8 : types.size_of(type)));
}

void Emitter::copy_object(V to, const Place& from, uint32_t size, const Expr& at) {
  if (from.space == Space::Storage) return b_.copy(to, from.address, size);
  Helper helper = from.space == Space::User ? Helper::ProbeReadUser : Helper::ProbeReadKernel;
  V address = b_.to_number(from.address);
  V result = b_.call(helper, {to, b_.number32(size), address});
  fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, at);
}

// copyin(address, size): user memory into the clause's area (subroutine copyin).
V Emitter::copyin(const Expr& expr, const Call& call) {
  auto limit = static_cast<uint32_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
  DS_CHECK(alloca_area_ != 0 && alloca_used_ != nullptr);
  V address = scalar(*call.arguments[0]);
  V size = scalar(*call.arguments[1]);
  fault_if(b_.ir.CreateICmpUGT(size, b_.number(limit)), DS_FAULT_BADSIZE, size, expr);
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  V after = b_.ir.CreateAdd(used, b_.ir.CreateAnd(b_.ir.CreateAdd(size, b_.number(7)), b_.number(~uint64_t{7})));
  fault_if(b_.ir.CreateICmpUGT(after, b_.number(limit)), DS_FAULT_NOSCRATCH, b_.number(0), expr);
  fault_if(b_.ir.CreateICmpUGT(used, b_.number(limit)), DS_FAULT_NOSCRATCH, b_.number(0), expr);
  V target = b_.at(scratch_at(alloca_area_), used);
  V result = b_.call(Helper::ProbeReadUser, {target, b_.ir.CreateTrunc(size, b_.i32), address});
  fault_if(b_.ir.CreateICmpNE(result, b_.number(0)), DS_FAULT_BADADDR, address, expr);
  b_.ir.CreateStore(after, alloca_used_);
  return b_.ir.CreateAdd(used, b_.number(scratch_pointer_base));
}

}  // namespace dscope
