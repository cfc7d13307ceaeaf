#include "runtime/library_watch.h"

#include "runtime/symbols/mapping_watch.h"

namespace dscope {

LibraryWatch::LibraryWatch(const std::vector<uint32_t>& pids)
    : pids_(pids.begin(), pids.end()), watch_(pids_.empty() ? nullptr : MappingWatch::open()) {}

LibraryWatch::~LibraryWatch() = default;

std::set<uint32_t> LibraryWatch::take() {
  std::set<uint32_t> found;
  if (watch_ == nullptr) return found;
  for (const MappingEvent& event : watch_->take())
    if (event.kind == MappingEvent::Kind::Map && event.mapping.is_file() && pids_.contains(event.tgid))
      found.insert(event.tgid);
  return found;
}

}  // namespace dscope
