#include "codegen/lower/actions/memory_actions.h"

#include "codegen/lower/actions/actions.h"
#include "codegen/lower/actions/fields.h"
#include "codegen/lower/memory/alloca_memory.h"
#include "codegen/lower/memory/memory_access.h"
#include "codegen/lower/programs/faults.h"
#include "codegen/lower/values/expressions.h"

namespace dscope {

// The readable address of a pointer value. Scratch pointers, into alloca() memory, are not addresses and are converted.
V MemoryActions::readable_address_of(const Expr& pointer, V address, uint64_t size) {
  return may_be_scratch(info(pointer).space) ? alloca_memory_.readable_address(address, b_.number(size), pointer)
                                             : address;
}

// tracemem(address, size, dynamic size): unreadable memory is recorded as zeros and does not fault.
void MemoryActions::trace_memory(const Call& call, const ActionPlan& plan) {
  const Expr& pointer = *call.arguments[0];
  V address = readable_address_of(pointer, expressions_.number_or_address(pointer), 0);
  const Field& memory = plan.fields[0];
  memory_.read_anywhere(b_.at(state_.record, memory.offset), memory.size, address, info(pointer).space == Space::User);
  if (plan.fields.size() > 1) fields_.write(plan.fields[1], state_.record, *call.arguments[2]);
}

// print(pointer) records the pointer and its object, print(value) the value.
void MemoryActions::print_value(const Call& call, const ActionPlan& plan) {
  const Expr& value = *call.arguments[0];
  if (plan.fields.size() == 1) return fields_.write(plan.fields[0], state_.record, value);
  V address = expressions_.scalar(value);
  b_.store(b_.at(state_.record, plan.fields[0].offset), address, 8);
  faults_.fault_if(b_.is_zero(address), DS_FAULT_BADADDR, address, value);
  const Field& object = plan.fields[1];
  V from = readable_address_of(value, address, object.size);
  V result =
      memory_.read_anywhere(b_.at(state_.record, object.offset), object.size, from, info(value).space == Space::User);
  faults_.fault_if(b_.is_nonzero(result), DS_FAULT_BADADDR, address, value);
}

V MemoryActions::packet_member(V packet, const char* path, uint32_t size, const Expr& at) {
  std::optional<MachineNumber> offset = memory_.object_member(path);
  faults_.fault_if(b_.ir.getInt1(!offset), DS_FAULT_ILLOP, b_.number(0), at);
  return memory_.read_checked({Space::Kernel, b_.add(packet, offset.value_or(0))}, size, false, at);
}

// The offset of the protocol's header from skb->data. A sent packet starts with the link header there, a received one
// with the IP header. 0 if the packet does not have the header's position.
V MemoryActions::start_of_packet(V packet, V data, V protocol, const Expr& at) {
  constexpr uint64_t ethernet = 1, internet = 12, unknown = 0xffff;  // PCAP_ETHER, PCAP_IP
  V is_ethernet = b_.ir.CreateICmpEQ(protocol, b_.number(ethernet));
  V is_internet = b_.ir.CreateICmpEQ(protocol, b_.number(internet));
  V network = packet_member(packet, "struct sk_buff.network_header", 2, at);
  V link = packet_member(packet, "struct sk_buff.mac_header", 2, at);
  V header = b_.ir.CreateSelect(is_internet, network, b_.ir.CreateSelect(is_ethernet, link, b_.number(0)));
  V is_known = b_.ir.CreateAnd(b_.is_nonzero(header), b_.ir.CreateICmpNE(header, b_.number(unknown)));
  V start = b_.ir.CreateAdd(packet_member(packet, "struct sk_buff.head", 8, at), header);
  return b_.ir.CreateSelect(is_known, b_.ir.CreateSub(start, data), b_.number(0));
}

// pcap(packet, protocol): records the linear part of a struct sk_buff. A NULL packet has length 0.
void MemoryActions::record_packet(const Expr& expr, const Call& call, const ActionPlan& plan) {
  V packet = expressions_.number_or_address(*call.arguments[0]);
  auto at = [&](size_t field) { return b_.at(state_.record, plan.fields[field].offset); };
  b_.store(at(0), b_.call(Helper::KtimeGetBootNs, {}), 8);
  for (size_t field : {1, 2}) b_.store(at(field), b_.number(0), 4);
  V protocol = expressions_.int_argument(*call.arguments[1]);
  b_.store(at(3), protocol, 4);
  core_.when(b_.is_nonzero(packet), [&] {
    V data = packet_member(packet, "struct sk_buff.data", 8, expr);
    V start = start_of_packet(packet, data, protocol, expr);
    V length = b_.ir.CreateSub(packet_member(packet, "struct sk_buff.len", 4, expr), start);
    V in_fragments = packet_member(packet, "struct sk_buff.data_len", 4, expr);
    data = b_.ir.CreateAdd(data, start);
    V limit = b_.number(plan.fields[4].size);
    V linear = b_.ir.CreateSub(length, in_fragments);
    V captured = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(linear, limit), limit, linear);
    captured = b_.pin_below(captured, uint64_t{plan.fields[4].size} + 1);
    V read = b_.call(Helper::ProbeReadKernel, {at(4), b_.ir.CreateTrunc(captured, b_.i32), data});
    faults_.fault_if(b_.is_nonzero(read), DS_FAULT_BADADDR, data, expr);
    b_.store(at(1), captured, 4);
    b_.store(at(2), length, 4);
  });
}

}  // namespace dscope
