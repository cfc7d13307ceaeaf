#include "codegen/lower/actions/ring.h"

#include <algorithm>
#include <bit>

namespace dscope {

Ring::Ring(Lowering& core) : Lowerer(core) {
  auto table = std::ranges::find(core.plan.maps, MapKind::RingTable, &MapPlan::kind);
  if (table != core.plan.maps.end()) table_ = &*table;
}

V Ring::reserve(uint64_t bytes, llvm::BasicBlock* lost, V cpu) {
  V ring = b_.map("ds_ring");
  if (is_table()) {
    auto* key = b_.shared_slot(4, "ring_key");
    b_.store(key, number_of(cpu != nullptr ? cpu : b_.call(Helper::GetSmpProcessorId, {})), 4);
    ring = b_.lookup("ds_ring", key);
    ring->setName("ring");
    b_.branch_if(b_.is_zero(b_.to_number(ring)), lost);
    bytes += sizeof(ds_ring_stamp);
  }
  return b_.call_for_pointer(Helper::RingbufReserve, {ring, b_.number(bytes), b_.number(0)});
}

// ring_of_cpu() for numbers that a bundle learns on the machine where it runs.
V Ring::number_of(V cpu) {
  V shift = b_.number(core_.machine_number(std::countr_zero(table_->cpus_per_ring), &table_->cpus_per_ring));
  V mask = b_.number(core_.machine_number(table_->rings - 1, &table_->rings));
  return b_.ir.CreateAnd(b_.ir.CreateLShr(cpu, shift), mask);
}

// The time is read after the reservation: a consumer that then finds no record in a ring knows that all later records
// of this ring have later times.
V Ring::start_record(V space) {
  if (!is_table()) return space;
  space->setName("space");
  b_.store(b_.at(space, offsetof(ds_ring_stamp, time)), b_.call(Helper::KtimeGetNs, {}), 8);
  V record = b_.at(space, sizeof(ds_ring_stamp));
  record->setName("record");
  return record;
}

void Ring::submit(V record, uint64_t flags) { b_.call(Helper::RingbufSubmit, {space_of(record), b_.number(flags)}); }

void Ring::discard(V record, uint64_t flags) { b_.call(Helper::RingbufDiscard, {space_of(record), b_.number(flags)}); }

// The verifier accepts only the pointer that the reservation has returned.
V Ring::space_of(V record) const {
  return is_table() ? llvm::cast<llvm::GetElementPtrInst>(record)->getPointerOperand() : record;
}

}  // namespace dscope
