// Writes a capture: everything as it happens, or the last seconds when someone asks for them (option recordspan).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "capture/capture_shape.h"
#include "capture/event_columns.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

struct CaptureSettings {
  bool appends = false;  // keeps what the file holds already
  uint64_t span_ns = 0;  // keeps only the events of this time, in memory, and writes them by snapshot(); 0: writes all
  std::string facts_file;  // content of a --facts file; empty: none
};

class CaptureWriter {
 public:
  // Creates the file, or opens it to append a recording behind its last complete block. Fails if the file to append to
  // is no capture.
  static Result<std::unique_ptr<CaptureWriter>> open(const std::string& path, CaptureStart start,
                                                     CaptureSettings settings);
  // Writes to an open file, which is empty.
  static Result<std::unique_ptr<CaptureWriter>> create(Fd file, CaptureStart start, CaptureSettings settings);

  // The threads, stacks and strings of the next event must be interned in this block, between calls of add().
  EventBlock& block() { return block_; }
  // Writes the block if it is full.
  void add(const RecordedEvent& event);
  // Writes a block that was begun a second ago, so that little is lost if this process is killed. Call it often.
  void write_if_old(uint64_t now);

  bool has_symbol(uint32_t pid, uint64_t address) const { return symbols_.contains({pid, address}); }
  void add_symbol(uint32_t pid, uint64_t address, CapturedSymbol symbol);
  void add_object(CapturedObject object);
  // Totals by CPU.
  void set_losses(std::vector<uint64_t> lost_events) { lost_events_ = std::move(lost_events); }

  // With a span: writes the events of that time which were not written before, as a recording of its own. Without one,
  // all events so far.
  void snapshot();
  // The end of the recording. With a span, writes what it holds if there was no snapshot.
  void finish(uint64_t end_time);
  // The first error in writing; the writer then does nothing more.
  const Result<>& status() const { return status_; }
  uint64_t event_count() const { return event_count_; }
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  struct KeptBlock {
    std::string bytes;
    uint64_t last_time;  // of its events
  };
  CaptureWriter(Fd file, CaptureStart start, CaptureSettings settings);
  static Result<std::unique_ptr<CaptureWriter>> begin(Fd file, CaptureStart start, CaptureSettings settings,
                                                      bool is_new);

  void write_start();
  void end_block();
  void drop_old();
  void write_kept(uint64_t end_time);
  void write_additions(uint64_t last_time);
  void write_end(uint64_t end_time);
  void write(std::string_view bytes);

  Fd file_;
  CaptureStart start_;
  CaptureSettings settings_;
  EventBlock block_;
  uint64_t block_begin_ = 0, last_time_ = 0;
  uint64_t event_count_ = 0, written_bytes_ = 0;
  std::map<std::pair<uint32_t, uint64_t>, CapturedSymbol> symbols_;
  CaptureAdditions pending_;  // not yet written
  std::vector<CapturedObject> objects_;
  std::vector<uint64_t> lost_events_;
  std::deque<KeptBlock> kept_;
  uint64_t kept_begin_;  // kept_ has all events since
  size_t kept_bytes_ = 0;
  bool has_snapshot_ = false;
  Result<> status_;
};

}  // namespace dscope
