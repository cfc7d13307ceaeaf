#include "runtime/targets/library_watch.h"

#include "runtime/symbols/mapping_watch.h"
#include "runtime/targets/linker_bell.h"

namespace dscope {
namespace {

std::pair<std::string, uint64_t> key_of(const Mapping& mapping) { return {mapping.device, mapping.inode}; }

LinkerBell::Others others_for(LibraryWatch::Children children) {
  return children == LibraryWatch::Children::Leave ? LinkerBell::Others::Never : LinkerBell::Others::OnceAdded;
}

// What targets load, a bell tells; what others do is over soon.
MappingWatch::Wakes wakes_for(LibraryWatch::Others others) {
  return others == LibraryWatch::Others::Files ? MappingWatch::Wakes::AtOnce : MappingWatch::Wakes::Never;
}

}  // namespace

LibraryWatch::LibraryWatch(const std::vector<uint32_t>& pids, Children children, Others others)
    : pids_(pids.begin(), pids.end()),
      wanted_children_(children),
      others_(others),
      watch_(pids_.empty() && others == Others::Leave ? nullptr : MappingWatch::open(wakes_for(others))),
      bell_(watch_ == nullptr ? nullptr : LinkerBell::open(pids, others_for(children))) {}

LibraryWatch::~LibraryWatch() = default;

std::vector<int> LibraryWatch::fds() const {
  std::vector<int> fds;
  if (watch_ != nullptr && others_ == Others::Files) fds = watch_->fds();
  if (bell_ != nullptr) fds.push_back(bell_->fd());
  return fds;
}

bool LibraryWatch::stop_processes(bool stops) { return bell_ != nullptr && bell_->stop_processes(stops); }

std::set<uint32_t> LibraryWatch::take() {
  std::set<uint32_t> found;
  if (watch_ == nullptr) return found;
  if (bell_ != nullptr) bell_->silence();
  for (const MappingEvent& event : watch_->take()) handle(event, found);
  return found;
}

// Not what take() has found: a file that was unmapped before anybody looked may come again.
void LibraryWatch::remember(uint32_t pid) {
  auto maps = watch_ != nullptr ? ProcessMaps::read(pid) : std::nullopt;
  if (!maps) return;
  for (const Mapping& mapping : maps->mappings())
    if (mapping.is_file() && mapping.is_executable) remembered_[pid].insert(key_of(mapping));
}

void LibraryWatch::add_child(uint32_t parent, uint32_t child) {
  if (wanted_children_ == Children::Leave || !pids_.contains(parent)) return;
  if (!pids_.insert(child).second) return;
  children_.insert(child);
  if (bell_ != nullptr) bell_->add(child);
}

void LibraryWatch::remove_child(uint32_t pid) {
  if (children_.erase(pid) == 0) return;
  pids_.erase(pid);
  remembered_.erase(pid);
  if (bell_ != nullptr) bell_->remove(pid);
}

void LibraryWatch::handle(const MappingEvent& event, std::set<uint32_t>& found) {
  switch (event.kind) {
    case MappingEvent::Kind::Map:
      if (!event.mapping.is_file()) return;
      if (pids_.contains(event.tgid) && !remembered_[event.tgid].contains(key_of(event.mapping)))
        found.insert(event.tgid);
      // Of a file that was removed another one may have the inode.
      if (others_ == Others::Files && known_files_.emplace(key_of(event.mapping), event.mapping.path).second)
        files_.push_back({.pid = event.tgid,
                          .thread = pids_.contains(event.tgid) ? 0 : event.thread,
                          .time = event.time,
                          .path = event.mapping.path});
      return;
    case MappingEvent::Kind::Fork:
      remembered_.erase(event.tgid);
      add_child(event.parent, event.tgid);
      return;
    case MappingEvent::Kind::Execute:
      remembered_.erase(event.tgid);
      if (wanted_children_ == Children::UntilExec) remove_child(event.tgid);
      return;
    case MappingEvent::Kind::Exit: remove_child(event.tgid); return;
  }
}

}  // namespace dscope
