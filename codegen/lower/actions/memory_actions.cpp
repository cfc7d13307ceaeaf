// print(), tracemem() and pcap(): objects, memory and packets copied into the record as they are
// (consumer-and-actions.md 3.4, 3.7, 3.20).
#include "codegen/lower/emitter.h"

namespace dscope {

// Bytes at an address that may be the kernel's or the process's, whatever the type of the pointer says; zeroes if it is
// neither's. The result is 0 if they could be read.
V Emitter::read_anywhere(V to, uint32_t size, V address, bool is_user) {
  auto read = [&](bool from_user) {
    return from_user ? read_user(to, size, b_.number(size), address)
                     : b_.call(Helper::ProbeReadKernel, {to, b_.number32(size), address});
  };
  V result = read(is_user);
  return b_.replaced_if(b_.is_nonzero(result), result, "other_space", [&] { return read(!is_user); });
}

// Where the bytes are that a pointer value means: pointers to alloca() memory are numbers of our own.
V Emitter::bytes_behind(const Expr& pointer, V address, uint64_t size) {
  return may_be_scratch(info(pointer).space) ? readable_address(address, b_.number(size), pointer) : address;
}

// tracemem(address, size, dynamic size): what cannot be read is zeroes, not a fault.
void Emitter::trace_memory(const Call& call, const ActionPlan& plan) {
  const Expr& pointer = *call.arguments[0];
  V address = bytes_behind(pointer, number_or_address(pointer), 0);
  const Field& memory = plan.fields[0];
  read_anywhere(b_.at(record_, memory.offset), memory.size, address, info(pointer).space == Space::User);
  if (plan.fields.size() > 1) write_field(plan.fields[1], record_, *call.arguments[2]);
}

// print(pointer) records the pointer and the object, print(value) the value.
void Emitter::print_value(const Call& call, const ActionPlan& plan) {
  const Expr& value = *call.arguments[0];
  if (plan.fields.size() == 1) return write_field(plan.fields[0], record_, value);
  V address = scalar(value);
  b_.store(b_.at(record_, plan.fields[0].offset), address, 8);
  fault_if(b_.is_zero(address), DS_FAULT_BADADDR, address, value);
  const Field& object = plan.fields[1];
  V from = bytes_behind(value, address, object.size);
  V result = read_anywhere(b_.at(record_, object.offset), object.size, from, info(value).space == Space::User);
  fault_if(b_.is_nonzero(result), DS_FAULT_BADADDR, address, value);
}

V Emitter::packet_member(V packet, const char* path, uint32_t size, const Expr& at) {
  std::optional<uint64_t> offset = object_member(path);
  fault_if(b_.ir.getInt1(!offset), DS_FAULT_ILLOP, b_.number(0), at);
  return read_checked({Space::Kernel, b_.ir.CreateAdd(packet, b_.number(offset.value_or(0)))}, size, false, at);
}

// How many bytes behind skb->data the head of a protocol is: what is sent has that of the link there, what is received
// that of IP. 0 where the packet does not say.
V Emitter::start_of_packet(V packet, V data, V protocol, const Expr& at) {
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

// pcap(packet, protocol): the part of a struct sk_buff that is in one piece. Nothing of NULL.
void Emitter::record_packet(const Expr& expr, const Call& call, const ActionPlan& plan) {
  V packet = number_or_address(*call.arguments[0]);
  auto at = [&](size_t field) { return b_.at(record_, plan.fields[field].offset); };
  b_.store(at(0), b_.call(Helper::KtimeGetBootNs, {}), 8);
  for (size_t field : {1, 2}) b_.store(at(field), b_.number(0), 4);
  V protocol = scalar(*call.arguments[1]);
  b_.store(at(3), protocol, 4);
  when(b_.is_nonzero(packet), [&] {
    V data = packet_member(packet, "struct sk_buff.data", 8, expr);
    V start = start_of_packet(packet, data, protocol, expr);
    V length = b_.ir.CreateSub(packet_member(packet, "struct sk_buff.len", 4, expr), start);
    V elsewhere = packet_member(packet, "struct sk_buff.data_len", 4, expr);
    data = b_.ir.CreateAdd(data, start);
    V most = b_.number(plan.fields[4].size);
    V here = b_.ir.CreateSub(length, elsewhere);
    V captured = b_.ir.CreateSelect(b_.ir.CreateICmpUGT(here, most), most, here);
    captured = b_.guarded_below(captured, uint64_t{plan.fields[4].size} + 1);
    V read = b_.call(Helper::ProbeReadKernel, {at(4), b_.ir.CreateTrunc(captured, b_.i32), data});
    fault_if(b_.is_nonzero(read), DS_FAULT_BADADDR, data, expr);
    b_.store(at(1), captured, 4);
    b_.store(at(2), length, 4);
  });
}

}  // namespace dscope
