#include "runtime/library_watch.h"

#include "runtime/linker_bell.h"
#include "runtime/symbols/mapping_watch.h"

namespace dscope {

LibraryWatch::LibraryWatch(const std::vector<uint32_t>& pids, Children children, Others others)
    : pids_(pids.begin(), pids.end()),
      wanted_children_(children),
      others_(others),
      watch_(pids_.empty() && others == Others::Leave ? nullptr : MappingWatch::open()),
      bell_(watch_ == nullptr ? nullptr : LinkerBell::open(pids)) {}

LibraryWatch::~LibraryWatch() = default;

int LibraryWatch::fd() const { return bell_ != nullptr ? bell_->fd() : -1; }

bool LibraryWatch::stop_processes(bool stops) { return bell_ != nullptr && bell_->stop_processes(stops); }

std::set<uint32_t> LibraryWatch::take() {
  std::set<uint32_t> found;
  if (watch_ == nullptr) return found;
  if (bell_ != nullptr) bell_->silence();
  for (const MappingEvent& event : watch_->take()) handle(event, found);
  return found;
}

void LibraryWatch::handle(const MappingEvent& event, std::set<uint32_t>& found) {
  switch (event.kind) {
    case MappingEvent::Kind::Map:
      if (!event.mapping.is_file()) return;
      if (pids_.contains(event.tgid)) found.insert(event.tgid);
      if (others_ == Others::Files && known_files_.emplace(event.mapping.device, event.mapping.inode).second)
        files_.push_back({event.tgid, event.mapping.path});
      return;
    case MappingEvent::Kind::Fork:
      if (wanted_children_ == Children::Leave || !pids_.contains(event.parent)) return;
      if (pids_.insert(event.tgid).second) children_.insert(event.tgid);
      return;
    case MappingEvent::Kind::Execute:
      if (wanted_children_ == Children::UntilExec && children_.erase(event.tgid) != 0) pids_.erase(event.tgid);
      return;
  }
}

}  // namespace dscope
