#include "runtime/targets/library_watch.h"

#include "runtime/symbols/mapping_watch.h"
#include "runtime/targets/dynamic_linker_probe.h"

namespace dscope {
namespace {

std::pair<std::string, uint64_t> key_of(const Mapping& mapping) { return {mapping.device, mapping.inode}; }

DynamicLinkerProbe::Scope scope_for(LibraryWatch::Children children) {
  return children == LibraryWatch::Children::Ignore ? DynamicLinkerProbe::Scope::GivenProcesses
                                                    : DynamicLinkerProbe::Scope::AddedProcesses;
}

// The linker probe reports what targets load. Other processes may be short-lived: their mappings must wake us.
MappingWatch::Wakes wakes_for(LibraryWatch::Others others) {
  return others == LibraryWatch::Others::Files ? MappingWatch::Wakes::AtOnce : MappingWatch::Wakes::Never;
}

}  // namespace

LibraryWatch::LibraryWatch(const std::vector<uint32_t>& pids, Children children, Others others)
    : pids_(pids.begin(), pids.end()),
      watched_children_(children),
      others_(others),
      watch_(pids_.empty() && others == Others::Ignore ? nullptr : MappingWatch::open(wakes_for(others))),
      linker_probe_(watch_ == nullptr ? nullptr : DynamicLinkerProbe::open(pids, scope_for(children))) {}

LibraryWatch::~LibraryWatch() = default;

std::vector<int> LibraryWatch::fds() const {
  std::vector<int> fds;
  if (watch_ != nullptr && others_ == Others::Files) fds = watch_->fds();
  if (linker_probe_ != nullptr) fds.push_back(linker_probe_->fd());
  return fds;
}

bool LibraryWatch::stop_at_loads(bool stops) { return linker_probe_ != nullptr && linker_probe_->stop_threads(stops); }

std::set<uint32_t> LibraryWatch::processes_with_new_code() {
  std::set<uint32_t> found;
  if (watch_ == nullptr) return found;
  if (linker_probe_ != nullptr) linker_probe_->acknowledge();
  for (const MappingEvent& event : watch_->take()) handle(event, found);
  return found;
}

// Reads the mappings instead of collecting events: a file that was unmapped before it was inspected counts as new when
// it is mapped again.
void LibraryWatch::remember_mappings(uint32_t pid) {
  auto maps = watch_ != nullptr ? ProcessMaps::read(pid) : std::nullopt;
  if (!maps) return;
  for (const Mapping& mapping : maps->mappings())
    if (mapping.is_file() && mapping.is_executable) remembered_[pid].insert(key_of(mapping));
}

void LibraryWatch::add_child(uint32_t parent, uint32_t child) {
  if (watched_children_ == Children::Ignore || !pids_.contains(parent)) return;
  if (!pids_.insert(child).second) return;
  children_.insert(child);
  if (linker_probe_ != nullptr) linker_probe_->add(child);
}

void LibraryWatch::remove_child(uint32_t pid) {
  if (children_.erase(pid) == 0) return;
  pids_.erase(pid);
  remembered_.erase(pid);
  if (linker_probe_ != nullptr) linker_probe_->remove(pid);
}

void LibraryWatch::handle(const MappingEvent& event, std::set<uint32_t>& found) {
  switch (event.kind) {
    case MappingEvent::Kind::Map:
      if (!event.mapping.is_file()) return;
      if (pids_.contains(event.tgid) && !remembered_[event.tgid].contains(key_of(event.mapping)))
        found.insert(event.tgid);
      // The key includes the path because a new file may reuse the inode of a removed one.
      if (others_ == Others::Files && known_files_.emplace(key_of(event.mapping), event.mapping.path).second)
        files_.push_back({.pid = event.tgid,
                          .thread = pids_.contains(event.tgid) ? 0 : event.thread,
                          .time_ns = event.time,
                          .path = event.mapping.path});
      return;
    case MappingEvent::Kind::Fork:
      remembered_.erase(event.tgid);
      add_child(event.parent, event.tgid);
      return;
    case MappingEvent::Kind::Execute:
      remembered_.erase(event.tgid);
      if (watched_children_ == Children::UntilExec) remove_child(event.tgid);
      return;
    case MappingEvent::Kind::Exit: remove_child(event.tgid); return;
  }
}

}  // namespace dscope
