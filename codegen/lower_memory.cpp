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

Place Emitter::place_of(const Expr& expr) {
  const ExprInfo& meaning = info(expr);
  if (const auto* symbol = std::get_if<SymbolAddress>(&meaning.binding))
    return {Space::Kernel, b_.number(symbol->address)};
  if (const auto* id = std::get_if<VariableId>(&meaning.binding)) {
    const VariablePlace& place = layout_.variables[id->index];
    if (place.kind == VariablePlace::Kind::Task) return {Space::Storage, b_.at(task_storage(true), place.offset)};
    return {Space::Storage, variable_address(place)};
  }
  return std::visit(
      Overloaded{
          [&](const Member& form) -> Place {
            const auto* member = std::get_if<MemberPlace>(&meaning.binding);
            DS_CHECK(member != nullptr);
            Place base = form.is_arrow ? place_of_pointer(*form.base, expr) : place_of(*form.base);
            uint64_t offset = member->bit_offset / 8;
            base.address = base.address->getType()->isPointerTy()
                               ? b_.at(base.address, offset)
                               : b_.ir.CreateAdd(base.address, b_.number(offset));
            return base;
          },
          [&](const Unary& form) -> Place {
            DS_CHECK(form.op == UnaryOp::Deref);
            if (!meaning_.types->is_pointer(type_of(*form.operand))) return place_of(*form.operand);
            return place_of_pointer(*form.operand, expr);
          },
          [&](const Index& form) -> Place { return element_place(expr, form); },
          [&](const Cast& form) -> Place { return place_of(*form.operand); },
          [&](const Comma& form) -> Place {
            evaluate(*form.lhs);
            return place_of(*form.rhs);
          },
          [&](const auto&) -> Place { DS_UNREACHABLE(); },
      },
      expr.form);
}

// The object a pointer expression points to. NULL is found here, before any address is computed from it.
Place Emitter::place_of_pointer(const Expr& pointer, const Expr& at) {
  const ExprInfo& meaning = info(pointer);
  if (!meaning_.types->is_scalar(meaning.type)) return place_of(pointer);  // an array: its first element
  V address = scalar(pointer);
  fault_if(b_.ir.CreateICmpEQ(address, b_.number(0)), DS_FAULT_BADADDR, b_.number(0), at);
  switch (meaning.space) {
    case Space::User: return {Space::User, address};
    case Space::Storage: {
      const Type& type = meaning_.types->resolved(meaning.type);
      uint64_t size = std::max<uint64_t>(1, meaning_.types->size_of(type.base));
      return {Space::Storage, storage_address(address, b_.number(size), at)};
    }
    case Space::Trusted:
      if (options_.trusted_loads) return {Space::Trusted, b_.to_pointer(address)};
      return {Space::Kernel, address};
    case Space::None:
    case Space::Kernel: return {Space::Kernel, address};
  }
  DS_UNREACHABLE();
}

Place Emitter::element_place(const Expr& expr, const Index& form) {
  const TypeTable& types = *meaning_.types;
  const Type& type = types.resolved(type_of(*form.base));
  V index = scalar(*form.arguments[0]);
  uint64_t size = types.size_of(type.base);
  if (type.kind == TypeKind::Array && type.count > 1 && !info(*form.arguments[0]).constant)
    fault_if(b_.ir.CreateICmpUGE(index, b_.number(type.count)), DS_FAULT_BADINDEX, index, expr);
  V offset = b_.ir.CreateMul(index, b_.number(size));
  if (type.kind == TypeKind::Pointer && info(*form.base).space == Space::Storage) {
    V address = scalar(*form.base);
    fault_if(b_.ir.CreateICmpEQ(address, b_.number(0)), DS_FAULT_BADADDR, b_.number(0), expr);
    return {Space::Storage, storage_address(b_.ir.CreateAdd(address, offset), b_.number(size), expr)};
  }
  Place base = place_of_pointer(*form.base, expr);
  if (base.space == Space::Trusted) base = {Space::Kernel, b_.to_number(base.address)};
  base.address = base.address->getType()->isPointerTy() ? b_.at(base.address, offset)
                                                        : b_.ir.CreateAdd(base.address, offset);
  return base;
}

// Scratch pointer -> address, if [pointer, pointer + size) was allocated by this clause; else a fault.
V Emitter::storage_address(V scratch_pointer, V size, const Expr& at) {
  if (alloca_used_ == nullptr) {  // nothing was ever allocated in this program
    fault_if(b_.ir.getTrue(), DS_FAULT_BADADDR, scratch_pointer, at);
    return frame_.slot;
  }
  auto limit = static_cast<uint64_t>(std::max<int64_t>(8, plan_.options.number(OptionId::Scratchsize)));
  V offset = b_.ir.CreateSub(scratch_pointer, b_.number(scratch_pointer_base));
  fault_if(b_.ir.CreateICmpUGE(offset, b_.number(limit)), DS_FAULT_BADADDR, scratch_pointer, at);
  V used = b_.ir.CreateLoad(b_.i64, alloca_used_);
  fault_if(b_.ir.CreateICmpUGT(b_.ir.CreateAdd(offset, size), used), DS_FAULT_BADADDR, scratch_pointer, at);
  return b_.at(scratch_at(alloca_area_), offset);
}

V Emitter::load_place(const Place& place, TypeId type, const Expr& at) {
  const TypeTable& types = *meaning_.types;
  auto size = static_cast<uint32_t>(types.is_pointer(type) ? 8 : types.size_of(type));
  DS_CHECK(size == 1 || size == 2 || size == 4 || size == 8);
  bool is_signed = types.is_signed_integer(type);
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
