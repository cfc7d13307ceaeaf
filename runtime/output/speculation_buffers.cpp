#include "runtime/output/speculation_buffers.h"

#include <utility>

namespace dscope {

namespace {

uint32_t id_of(uint32_t speculation) { return speculation & 0xffff; }

// Compares generations, which wrap at 16 bits.
bool is_older(uint32_t speculation, uint32_t than) {
  return static_cast<int16_t>((speculation >> 16) - (than >> 16)) < 0;
}

}  // namespace

SpeculationBuffers::Fate SpeculationBuffers::fate_of(uint32_t speculation) const {
  auto found = buffers_.find(id_of(speculation));
  if (found == buffers_.end()) return Fate::Held;
  if (found->second.speculation == speculation) return found->second.fate;
  // A newer speculation uses the id. The older one ended long ago, and no buffer records how.
  return is_older(speculation, found->second.speculation) ? Fate::Dropped : Fate::Held;
}

// A new use of an id implies that the previous one was discarded, even if its discard record was lost.
SpeculationBuffers::Buffer& SpeculationBuffers::start(uint32_t speculation, Fate fate) {
  Buffer& buffer = buffers_[id_of(speculation)];
  if (buffer.speculation != speculation) buffer.records.clear();
  buffer.speculation = speculation;
  buffer.fate = fate;
  return buffer;
}

void SpeculationBuffers::hold(uint32_t speculation, std::span<const std::byte> record) {
  start(speculation, Fate::Held).records.emplace_back(record.begin(), record.end());
}

std::vector<SpeculationBuffers::Record> SpeculationBuffers::commit(uint32_t speculation) {
  return std::exchange(start(speculation, Fate::Printed).records, {});
}

void SpeculationBuffers::discard(uint32_t speculation) {
  if (fate_of(speculation) != Fate::Held) return;
  start(speculation, Fate::Dropped).records.clear();
}

}  // namespace dscope
