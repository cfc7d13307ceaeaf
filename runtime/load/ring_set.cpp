#include "runtime/load/ring_set.h"

#include <chrono>

namespace dscope {

Result<RingSet> RingSet::open(const BpfMap& map) {
  std::vector<RingReader> readers;
  if (map.kind() == MapKind::RingBuffer) {
    DS_TRY(RingReader reader, RingReader::open(map));
    readers.push_back(std::move(reader));
  }
  for (const BpfMap& ring : map.rings()) {
    DS_TRY(RingReader reader, RingReader::open(ring));
    readers.push_back(std::move(reader));
  }
  if (readers.empty()) return fail(Error::make("the plan has no ring buffer"));
  return RingSet{std::move(readers), map.kind() == MapKind::RingTable};
}

std::vector<int> RingSet::fds() const {
  std::vector<int> fds;
  for (const RingReader& ring : rings_) fds.push_back(ring.fd());
  return fds;
}

uint64_t RingSet::consumed() const {
  uint64_t sum = 0;
  for (const RingReader& ring : rings_) sum += ring.consumed();
  return sum;
}

RingSet::Mark RingSet::mark() const {
  Mark mark;
  for (const RingReader& ring : rings_) mark.push_back(ring.produced());
  return mark;
}

bool RingSet::has_passed(const Mark& mark) const {
  for (size_t i = 0; i < rings_.size(); ++i)
    if (rings_[i].consumed() < mark[i]) return false;
  return true;
}

uint64_t RingSet::now() {
  return static_cast<uint64_t>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace dscope
