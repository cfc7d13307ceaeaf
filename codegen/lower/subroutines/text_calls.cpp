#include "codegen/lower/subroutines/text_calls.h"

#include <algorithm>

#include "codegen/lower/lowerers.h"
#include "support/check.h"

namespace dscope {

namespace {

constexpr uint32_t ipv4_bytes = 4, ipv6_bytes = 16, ethernet_bytes = 6, infiniband_bytes = 20;
constexpr uint64_t af_inet6 = 10, arphrd_ether = 1, arphrd_infiniband = 32;

}  // namespace

V TextCalls::result_sizes(const Expr& expr, uint32_t first, uint32_t second) {
  uint64_t characters = std::min(bound(expr) - 1, meaning_.types->strsize());
  return b_.number(pack_sizes(round_up8(bound(expr)), characters, first, second));
}

// The optional base of lltostr() and strtoll().
V TextCalls::base_argument(const Expr& expr, const Call& call) {
  if (call.arguments.size() < 2) return b_.number(10);
  V base = expressions_.scalar(*call.arguments[1]);
  faults_.fault_if(b_.ir.CreateICmpUGT(b_.ir.CreateSub(base, b_.number(2)), b_.number(34)), DS_FAULT_ILLOP,
                   b_.number(0), expr);
  return base;
}

// Copies bytes from a pointer's target to a temporary.
V TextCalls::memory_copy(const Expr& pointer, uint32_t bytes, const Expr& at) {
  Place place = places_.place_of_pointer(pointer, at, Access::Read, bytes);
  V copy = scratch_.temporary(bytes);
  memory_.copy_object(copy, place, bytes, at);
  return copy;
}

StringValue TextCalls::inet_ntoa(const Expr& expr, const Call& call, Subroutine subroutine) {
  bool is_ipv6 = subroutine == Subroutine::InetNtoa6;
  bool is_strict = is_ipv6 && call.arguments.size() > 1 && *info(*call.arguments[1]).constant != 0;
  V address = memory_copy(*call.arguments[0], is_ipv6 ? ipv6_bytes : ipv4_bytes, expr);
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  if (is_ipv6)
    b_.call_support("ds_inet_ntoa6", b_.void_type, {data, address, result_sizes(expr), b_.number(is_strict ? 1 : 0)});
  else b_.call_support("ds_inet_ntoa", b_.void_type, {data, address, result_sizes(expr)});
  return {data, capacity, nullptr};
}

// inet_ntop(af, address): the address family decides how many bytes are read.
StringValue TextCalls::inet_ntop(const Expr& expr, const Call& call) {
  V family = expressions_.scalar(*call.arguments[0]);
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  auto* ipv6 = b_.block("ipv6");
  auto* ipv4 = b_.block("ipv4");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(b_.ir.CreateICmpEQ(family, b_.number(af_inet6)), ipv6, ipv4);
  b_.start(ipv6);
  core_.conditionally([&] {
    V address = memory_copy(*call.arguments[1], ipv6_bytes, expr);
    b_.call_support("ds_inet_ntoa6", b_.void_type, {data, address, result_sizes(expr), b_.number(1)});
  });
  b_.ir.CreateBr(after);
  b_.start(ipv4);
  core_.conditionally([&] {
    V address = memory_copy(*call.arguments[1], ipv4_bytes, expr);
    b_.call_support("ds_inet_ntoa", b_.void_type, {data, address, result_sizes(expr)});
  });
  b_.ir.CreateBr(after);
  b_.start(after);
  return {data, capacity, nullptr};
}

StringValue TextCalls::link_ntop(const Expr& expr, const Call& call) {
  V type = expressions_.scalar(*call.arguments[0]);
  V is_ethernet = b_.ir.CreateICmpEQ(type, b_.number(arphrd_ether));
  V is_known = b_.ir.CreateOr(is_ethernet, b_.ir.CreateICmpEQ(type, b_.number(arphrd_infiniband)));
  faults_.fault_if(b_.ir.CreateNot(is_known), DS_FAULT_ILLOP, b_.number(0), expr);
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  auto* ethernet = b_.block("ethernet");
  auto* infiniband = b_.block("infiniband");
  auto* after = b_.block("after");
  b_.ir.CreateCondBr(is_ethernet, ethernet, infiniband);
  for (auto [block, bytes] : {std::pair{ethernet, ethernet_bytes}, std::pair{infiniband, infiniband_bytes}}) {
    b_.start(block);
    core_.conditionally([&, size = bytes] {
      V address = memory_copy(*call.arguments[1], size, expr);
      b_.call_support("ds_link_ntop", b_.void_type, {data, address, result_sizes(expr), b_.number(size)});
    });
    b_.ir.CreateBr(after);
  }
  b_.start(after);
  return {data, capacity, nullptr};
}

// strtok(): the string and the position are in the scratch slot, so all clauses of a firing share them.
StringValue TextCalls::token(const Expr& expr, const Call& call) {
  V state = scratch_.at(layout_.strtok_offset), text = scratch_.at(layout_.strtok_offset + 8);
  bool continues = info(*call.arguments[0]).constant == uint64_t{0};
  if (!continues) {
    StringValue given = strings_.required_string(*call.arguments[0]);
    string_memory_.store(text, meaning_.types->strsize() + 1, given);
    b_.store(state, b_.number(1), 8);
  }
  V position = b_.load(state, 8, false);
  if (continues) faults_.fault_if(b_.is_zero(position), DS_FAULT_BADADDR, b_.number(0), expr);
  StringValue delimiters = strings_.required_string(*call.arguments[1]);
  uint32_t capacity = round_up8(bound(expr));
  V data = scratch_.temporary(capacity);
  V next = b_.call_support("ds_strtok", b_.i64,
                           {data, text, result_sizes(expr, string_capacity(), delimiters.capacity), delimiters.data,
                            b_.ir.CreateSub(position, b_.number(1))});
  V is_over = b_.ir.CreateICmpSLT(next, b_.number(0));
  // After the last token, the position stays behind the end, so later calls find no token either.
  V after = b_.ir.CreateSelect(is_over, b_.number(string_capacity()), next);
  b_.store(state, b_.ir.CreateAdd(after, b_.number(1)), 8);
  return {data, capacity, is_over};
}

SubroutineResult emit_Cleanpath(const SubroutineCall& call) {
  StringValue path = call.string(0);
  V work = call.lower.scratch.temporary(path.capacity), data = call.result();
  call.builder().call_support("ds_cleanpath", call.builder().void_type,
                              {data, path.data, call.sizes(path.capacity), work});
  return call.text(data);
}

SubroutineResult emit_Lltostr(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V value = call.scalar(0);
  V data = call.result();
  if (call.argument_count() > 1) {
    V base = call.lower.text_calls.base_argument(call.expr, call.form);
    b.call_support("ds_lltostr_base", b.void_type, {data, call.sizes(), value, base});
  } else {
    b.call_support("ds_lltostr", b.void_type, {data, call.sizes(), value});
  }
  return call.text(data);
}

SubroutineResult emit_Json(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  StringValue path = call.string(1);
  V data = call.result();
  V sizes = call.sizes(text.capacity, path.capacity);
  V found = b.call_support("ds_json", b.i64, {data, text.data, sizes, path.data});
  return call.text(data, b.ir.CreateICmpSLT(found, b.number(0)));
}

SubroutineResult emit_InetNtoa(const SubroutineCall& call) {
  return call.lower.text_calls.inet_ntoa(call.expr, call.form, Subroutine::InetNtoa);
}

SubroutineResult emit_InetNtoa6(const SubroutineCall& call) {
  return call.lower.text_calls.inet_ntoa(call.expr, call.form, Subroutine::InetNtoa6);
}

SubroutineResult emit_InetNtop(const SubroutineCall& call) {
  return call.lower.text_calls.inet_ntop(call.expr, call.form);
}

SubroutineResult emit_LinkNtop(const SubroutineCall& call) {
  return call.lower.text_calls.link_ntop(call.expr, call.form);
}

SubroutineResult emit_Strtok(const SubroutineCall& call) { return call.lower.text_calls.token(call.expr, call.form); }

}  // namespace dscope
