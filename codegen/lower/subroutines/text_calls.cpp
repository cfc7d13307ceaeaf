// Subroutines that convert addresses and numbers from and to text (inet_ntoa, link_ntop, lltostr, strtoll ...) or parse
// text (strtok, cleanpath, json).
#include "codegen/lower/lowerers.h"

namespace dscope {

namespace {

constexpr uint32_t ipv4_bytes = 4, ipv6_bytes = 16, ethernet_bytes = 6, infiniband_bytes = 20;
constexpr uint64_t af_inet6 = 10, arphrd_ether = 1, arphrd_infiniband = 32;

// The optional base of lltostr() and strtoll(), from 2 to 36.
V base_argument(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  if (call.argument_count() < 2) return b.number(10);
  V base = call.int_argument(1);
  call.lower.faults.fault_if(b.ir.CreateICmpUGT(b.ir.CreateSub(base, b.number(2)), b.number(34)), DS_FAULT_ILLOP,
                             b.number(0), call.expr);
  return base;
}

// Copies bytes from a pointer's target to a temporary.
V copy_of_argument(const SubroutineCall& call, size_t index, uint32_t bytes) {
  Place place = call.lower.places.place_of_pointer(call.argument(index), call.expr, Access::Read, bytes);
  V copy = call.lower.scratch.temporary(bytes);
  call.lower.memory.copy_object(copy, place, bytes, call.expr);
  return copy;
}

// Emits `emit` in a block that is entered if `condition` holds, else `otherwise` in another one.
template <typename Emit, typename Otherwise>
void branch(const SubroutineCall& call, V condition, Emit emit, Otherwise otherwise) {
  BpfBuilder& b = call.builder();
  auto* then_block = b.block("then");
  auto* else_block = b.block("else");
  auto* after = b.block("after");
  b.ir.CreateCondBr(condition, then_block, else_block);
  b.start(then_block);
  call.lower.core.conditionally(emit);
  b.ir.CreateBr(after);
  b.start(else_block);
  call.lower.core.conditionally(otherwise);
  b.ir.CreateBr(after);
  b.start(after);
}

}  // namespace

SubroutineResult emit_InetNtoa(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V address = copy_of_argument(call, 0, ipv4_bytes);
  V data = call.result();
  b.call_support("ds_inet_ntoa", b.void_type, {data, address, call.sizes()});
  return call.text(data);
}

SubroutineResult emit_InetNtoa6(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  bool is_strict = call.argument_count() > 1 &&
                   static_cast<int32_t>(call.lower.core.fixed_constant(call.info(call.argument(1)))) != 0;
  V address = copy_of_argument(call, 0, ipv6_bytes);
  V data = call.result();
  b.call_support("ds_inet_ntoa6", b.void_type, {data, address, call.sizes(), b.number(is_strict ? 1 : 0)});
  return call.text(data);
}

// inet_ntop(af, address): the address family decides how many bytes are read.
SubroutineResult emit_InetNtop(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V family = call.int_argument(0);
  V data = call.result();
  auto emit_ipv6 = [&] {
    V address = copy_of_argument(call, 1, ipv6_bytes);
    b.call_support("ds_inet_ntoa6", b.void_type, {data, address, call.sizes(), b.number(1)});
  };
  auto emit_ipv4 = [&] {
    V address = copy_of_argument(call, 1, ipv4_bytes);
    b.call_support("ds_inet_ntoa", b.void_type, {data, address, call.sizes()});
  };
  branch(call, b.ir.CreateICmpEQ(family, b.number(af_inet6)), emit_ipv6, emit_ipv4);
  return call.text(data);
}

SubroutineResult emit_LinkNtop(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  V type = call.int_argument(0);
  V is_ethernet = b.ir.CreateICmpEQ(type, b.number(arphrd_ether));
  V is_known = b.ir.CreateOr(is_ethernet, b.ir.CreateICmpEQ(type, b.number(arphrd_infiniband)));
  call.lower.faults.fault_if(b.ir.CreateNot(is_known), DS_FAULT_ILLOP, b.number(0), call.expr);
  V data = call.result();
  auto emit_link = [&](uint32_t bytes) {
    V address = copy_of_argument(call, 1, bytes);
    b.call_support("ds_link_ntop", b.void_type, {data, address, call.sizes(), b.number(bytes)});
  };
  branch(call, is_ethernet, [&] { emit_link(ethernet_bytes); }, [&] { emit_link(infiniband_bytes); });
  return call.text(data);
}

// strtok(): the string and the position are in the scratch slot, so all clauses of a firing share them.
SubroutineResult emit_Strtok(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  uint32_t offset = call.lower.core.layout.strtok_offset;
  V state = call.lower.scratch.at(offset), text = call.lower.scratch.at(offset + 8);
  const ExprInfo& first = call.info(call.argument(0));
  bool continues = first.constant && call.lower.core.fixed_constant(first) == 0;
  if (!continues) {
    call.lower.string_memory.store(text, call.strsize() + 1, call.string(0));
    b.store(state, b.number(1), 8);
  }
  V position = b.load(state, 8, false);
  if (continues) call.lower.faults.fault_if(b.is_zero(position), DS_FAULT_BADADDR, b.number(0), call.expr);
  StringValue delimiters = call.string(1);
  V data = call.result();
  V sizes = call.sizes(call.string_capacity(), delimiters.capacity);
  V next =
      b.call_support("ds_strtok", b.i64, {data, text, sizes, delimiters.data, b.ir.CreateSub(position, b.number(1))});
  V is_over = b.ir.CreateICmpSLT(next, b.number(0));
  // After the last token, the position stays behind the end, so later calls find no token either.
  V after = b.ir.CreateSelect(is_over, b.number(call.string_capacity()), next);
  b.store(state, b.ir.CreateAdd(after, b.number(1)), 8);
  return call.text(data, is_over);
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
    V base = base_argument(call);
    b.call_support("ds_lltostr_base", b.void_type, {data, call.sizes(), value, base});
  } else {
    b.call_support("ds_lltostr", b.void_type, {data, call.sizes(), value});
  }
  return call.text(data);
}

SubroutineResult emit_Strtoll(const SubroutineCall& call) {
  BpfBuilder& b = call.builder();
  StringValue text = call.string(0);
  V base = base_argument(call);
  return b.call_support("ds_strtoll", b.i64, {text.data, b.number(text.capacity), base});
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

}  // namespace dscope
