#include "capture/capture_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "capture/capture_file.h"

namespace dscope {

namespace {

// A full block: large enough to compress well, small enough that a reader needs little memory.
constexpr size_t full_block_events = 1U << 16, full_block_size = 32U << 20;
constexpr uint64_t block_time_ns = 1'000'000'000;
// Bytes of compressed events in memory. At the rate of a million events a second, this is half a minute.
constexpr size_t max_kept_bytes = size_t{512} << 20;

}  // namespace

CaptureWriter::CaptureWriter(Fd file, CaptureStart start, CaptureSettings settings)
    : file_(std::move(file)),
      start_(std::move(start)),
      settings_(std::move(settings)),
      block_(start_.shapes),
      kept_begin_(start_.info.recordings.front().begin) {}

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::open(const std::string& path, CaptureStart start,
                                                           CaptureSettings settings) {
  Fd file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  if (!file) return fail(Error::from_errno(errno, "cannot open `{}`", path));
  struct stat state{};
  bool is_regular = ::fstat(file.get(), &state) == 0 && S_ISREG(state.st_mode);
  uint64_t kept = 0;
  if (settings.appends && is_regular && state.st_size > 0) {
    auto end = complete_size(file);
    if (!end) return fail(std::move(end).error().with_context(path));
    kept = *end;
  }
  if (is_regular && ::ftruncate(file.get(), static_cast<off_t>(kept)) != 0)
    return fail(Error::from_errno(errno, "cannot write `{}`", path));
  if (is_regular) ::lseek(file.get(), 0, SEEK_END);
  return begin(std::move(file), std::move(start), std::move(settings), kept == 0);
}

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::create(Fd file, CaptureStart start, CaptureSettings settings) {
  return begin(std::move(file), std::move(start), std::move(settings), /*is_new=*/true);
}

Result<std::unique_ptr<CaptureWriter>> CaptureWriter::begin(Fd file, CaptureStart start, CaptureSettings settings,
                                                            bool is_new) {
  std::unique_ptr<CaptureWriter> writer{new CaptureWriter(std::move(file), std::move(start), std::move(settings))};
  if (is_new) writer->write(capture_magic);
  if (writer->settings_.span_ns == 0) writer->write_start();
  if (!writer->status_) return fail(std::move(writer->status_).error());
  return writer;
}

void CaptureWriter::write_start() {
  write(seal_block({.type = BlockType::Start}, pack_start(start_)));
  if (!settings_.facts_file.empty()) write(seal_block({.type = BlockType::Facts}, settings_.facts_file));
}

void CaptureWriter::add(const RecordedEvent& event) {
  if (block_.event_count() == 0) block_begin_ = event.time;
  block_.add(event);
  last_time_ = std::max(last_time_, event.time);
  ++event_count_;
  if (block_.event_count() >= full_block_events || block_.size() >= full_block_size) end_block();
}

void CaptureWriter::write_if_old(uint64_t now) {
  if (block_.event_count() > 0 && now > block_begin_ + block_time_ns) end_block();
}

void CaptureWriter::end_block() {
  if (block_.event_count() == 0) return;
  std::string bytes = block_.take();
  if (settings_.span_ns == 0) {
    write(bytes);
    write_additions(last_time_);
    return;
  }
  kept_bytes_ += bytes.size();
  kept_.push_back({std::move(bytes), last_time_});
  drop_old();
}

void CaptureWriter::drop_old() {
  uint64_t first = last_time_ - std::min(last_time_, settings_.span_ns);
  while (!kept_.empty() && (kept_.front().last_time < first || kept_bytes_ > max_kept_bytes)) {
    kept_bytes_ -= kept_.front().bytes.size();
    kept_begin_ = kept_.front().last_time;
    kept_.pop_front();
  }
}

void CaptureWriter::add_symbol(uint32_t pid, uint64_t address, CapturedSymbol symbol) {
  auto [entry, is_new] = symbols_.try_emplace({pid, address});
  if (!is_new) return;
  entry->second = std::move(symbol);
  pending_.symbols.emplace_back(entry->first, entry->second);
}

void CaptureWriter::add_object(CapturedObject object) {
  pending_.objects.push_back(object);
  objects_.push_back(std::move(object));
}

void CaptureWriter::snapshot() {
  end_block();
  if (settings_.span_ns == 0) return;
  has_snapshot_ = true;
  write_kept(last_time_);
}

// A snapshot is a recording of its own: it begins with a block that has all tables.
void CaptureWriter::write_kept(uint64_t end_time) {
  start_.info.recordings.front().begin = kept_begin_;
  kept_begin_ = end_time;
  write_start();
  for (const KeptBlock& block : kept_) write(block.bytes);
  kept_.clear();
  kept_bytes_ = 0;
  pending_.symbols.assign(symbols_.begin(), symbols_.end());
  pending_.objects = objects_;
  write_end(end_time);
}

void CaptureWriter::write_additions(uint64_t last_time) {
  pending_.lost_events = lost_events_;
  pending_.last_time = last_time;
  write(seal_block({.type = BlockType::Tables}, pack_additions(std::move(pending_))));
  pending_ = {};
}

void CaptureWriter::write_end(uint64_t end_time) {
  write_additions(end_time);
  write(seal_block({.type = BlockType::End, .first_time = end_time, .last_time = end_time}, {}));
}

void CaptureWriter::finish(uint64_t end_time) {
  end_block();
  if (settings_.span_ns == 0) write_end(end_time);
  else if (!has_snapshot_) write_kept(end_time);
}

void CaptureWriter::write(std::string_view bytes) {
  if (!status_) return;
  written_bytes_ += bytes.size();
  if (!write_all(file_.get(), bytes)) status_ = fail(Error::from_errno(errno, "cannot write the capture"));
}

}  // namespace dscope
