#include "runtime/library_watch.h"

#include "runtime/linker_bell.h"
#include "runtime/symbols/mapping_watch.h"

namespace dscope {

LibraryWatch::LibraryWatch(const std::vector<uint32_t>& pids)
    : pids_(pids.begin(), pids.end()),
      watch_(pids_.empty() ? nullptr : MappingWatch::open()),
      bell_(watch_ == nullptr ? nullptr : LinkerBell::open(pids)) {}

LibraryWatch::~LibraryWatch() = default;

int LibraryWatch::fd() const { return bell_ != nullptr ? bell_->fd() : -1; }

std::set<uint32_t> LibraryWatch::take() {
  std::set<uint32_t> found;
  if (watch_ == nullptr) return found;
  if (bell_ != nullptr) bell_->silence();
  for (const MappingEvent& event : watch_->take())
    if (event.kind == MappingEvent::Kind::Map && event.mapping.is_file() && pids_.contains(event.tgid))
      found.insert(event.tgid);
  return found;
}

}  // namespace dscope
