#include "driver/replay/capture_firings.h"

#include <algorithm>
#include <cstring>

namespace dscope {

namespace {

FiringThread to_firing_thread(const CapturedThread& captured) {
  FiringThread thread{
      .pid = captured.pid, .tid = captured.tid, .ppid = captured.ppid, .uid = captured.uid, .gid = captured.gid};
  size_t length = std::min(captured.execname.size(), thread.name.size() - 1);
  std::memcpy(thread.name.data(), captured.execname.data(), length);
  return thread;
}

}  // namespace

CaptureFirings::CaptureFirings(std::unique_ptr<CaptureReader> reader, bool keeps_memory)
    : reader_(std::move(reader)), keeps_memory_(keeps_memory) {
  for (const CapturedProbe& probe : reader_->info().probes)
    is_entry_.push_back(probe.is_system_call && probe.name == "entry");
  thread_ = std::thread([this] { read_batches(); });
}

CaptureFirings::~CaptureFirings() { stop(); }

void CaptureFirings::stop() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::string CaptureFirings::damage() {
  stop();
  return reader_->damage();
}

// ---- the reader's thread

void CaptureFirings::fill(Package& package) {
  package.is_last = !reader_->next(package.batch);
  if (package.is_last) package.batch = {};
  const CaptureTables& tables = reader_->tables();
  package.threads.clear();
  for (; known_threads_ < tables.threads.size(); ++known_threads_)
    package.threads.push_back(to_firing_thread(tables.threads[known_threads_]));
  package.stacks.clear();
  for (; known_stacks_ < tables.stacks.size(); ++known_stacks_) package.stacks.push_back(tables.stacks[known_stacks_]);
}

void CaptureFirings::read_batches() {
  Package package;
  do {
    fill(package);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !has_next_ || is_stopping_; });
    if (is_stopping_) return;
    std::swap(next_, package);  // and reuses the memory of an earlier batch
    has_next_ = true;
    changed_.notify_all();
  } while (!next_.is_last);
}

// ---- the thread that replays

bool CaptureFirings::take_package() {
  if (current_.is_last) return false;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return has_next_; });
    std::swap(current_, next_);
    has_next_ = false;
  }
  changed_.notify_all();
  position_ = 0;
  threads_.insert(threads_.end(), current_.threads.begin(), current_.threads.end());
  for (std::vector<uint64_t>& stack : current_.stacks) stacks_.push_back(std::move(stack));
  return !current_.is_last;
}

bool CaptureFirings::next(Firing& firing, uint32_t& probe) {
  while (position_ == current_.batch.events.size())
    if (!take_package()) return false;
  const CaptureEvent& event = current_.batch.events[position_++];
  convert(event, firing);
  probe = event.probe;
  return true;
}

void CaptureFirings::convert(const CaptureEvent& event, Firing& firing) {
  static const FiringThread unknown;
  static const std::vector<uint64_t> no_stack;
  auto stack = [&](uint32_t id) -> std::span<const uint64_t> { return id < stacks_.size() ? stacks_[id] : no_stack; };
  memory_.clear();
  for (const CapturedMemory& piece : event.memory) memory_.push_back({piece.address, piece.bytes});
  const FiringThread& thread = event.thread < threads_.size() ? threads_[event.thread] : unknown;
  // Each CPU has an idle thread of its own, with ID 0.
  uint64_t key = thread.tid != 0 ? thread.tid : (uint64_t{1} << 32) + event.cpu;
  firing = {.time = event.time,
            .recording = current_.batch.recording,
            .cpu = event.cpu,
            .thread = &thread,
            .thread_key = key,
            .error = event.error,
            .words = event.words,
            .kernel_stack = stack(event.kernel_stack),
            .user_stack = stack(event.user_stack),
            .memory = memory_,
            .earlier_memory = {}};
  if (!keeps_memory_) return;
  if (event.probe < is_entry_.size() && is_entry_[event.probe]) return keep_memory(key, memory_);
  auto kept = entry_memory_.find(key);
  if (kept != entry_memory_.end()) firing.earlier_memory = kept->second.pieces;
}

void CaptureFirings::keep_memory(uint64_t thread, std::span<const RecordedMemory> memory) {
  if (memory.empty()) {
    if (auto kept = entry_memory_.find(thread); kept != entry_memory_.end()) kept->second.pieces.clear();
    return;
  }
  EntryMemory& kept = entry_memory_[thread];
  size_t total = 0;
  for (const RecordedMemory& piece : memory) total += piece.bytes.size();
  kept.bytes.resize(total);
  kept.pieces.clear();
  size_t at = 0;
  for (const RecordedMemory& piece : memory) {
    std::ranges::copy(piece.bytes, kept.bytes.begin() + static_cast<ptrdiff_t>(at));
    kept.pieces.push_back({piece.address, std::span{kept.bytes}.subspan(at, piece.bytes.size())});
    at += piece.bytes.size();
  }
}

}  // namespace dscope
