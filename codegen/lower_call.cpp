// Subroutines whose result is a number.
#include "codegen/emitter.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint64_t from_end = 0x7fffffffffffffffULL;  // DS_FROM_END of codegen/bpf/support.h

}  // namespace

V Emitter::subroutine(const Expr& expr, const Call& call, Subroutine id) {
  auto swapped = [&](uint32_t bits) {
    V value = b_.ir.CreateTrunc(scalar(*call.arguments[0]), b_.ir.getIntNTy(bits));
    return b_.ir.CreateZExt(b_.ir.CreateUnaryIntrinsic(llvm::Intrinsic::bswap, value), b_.i64);
  };
  auto search = [&](const char* function, uint64_t default_start) {
    StringValue text = required_string(*call.arguments[0]);
    StringValue needle = required_string(*call.arguments[1]);
    V start = call.arguments.size() > 2 ? scalar(*call.arguments[2]) : b_.number(default_start);
    V sizes = b_.number(uint64_t{text.capacity} << 32 | uint64_t{needle.capacity} << 48);
    return b_.call_support(function, b_.i64, {text.data, needle.data, sizes, start});
  };
  switch (id) {
    case Subroutine::Strlen: {
      StringValue text = required_string(*call.arguments[0]);
      return b_.call_support("ds_strlen", b_.i64, {text.data, b_.number(text.capacity)});
    }
    case Subroutine::Index: return search("ds_index", 0);
    case Subroutine::Rindex: return search("ds_rindex", from_end);
    case Subroutine::Rand: return b_.call(Helper::GetPrandomU32, {});
    case Subroutine::Htons:
    case Subroutine::Ntohs: return swapped(16);
    case Subroutine::Htonl:
    case Subroutine::Ntohl: return swapped(32);
    case Subroutine::Htonll:
    case Subroutine::Ntohll: return swapped(64);
    case Subroutine::Alloca: return alloca_call(expr, call);
    case Subroutine::Copyin: return copyin(expr, call);
    case Subroutine::Bcopy:
    case Subroutine::Copyinto: return copy_to_scratch(expr, call, id);
    case Subroutine::Copyout: return copyout(expr, call);
    case Subroutine::Copyoutstr: return copyoutstr(expr, call);
    default: break;
  }
  // What gives a string can be asked for as an address only to compare it with NULL.
  DS_CHECK(meaning_.types->is_string(type_of(expr)));
  StringValue value = string(expr);
  V address = b_.to_number(value.data);
  return value.is_null != nullptr ? b_.ir.CreateSelect(value.is_null, b_.number(0), address) : address;
}

}  // namespace dscope
