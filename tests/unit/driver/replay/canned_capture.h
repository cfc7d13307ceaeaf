// A capture in memory, for tests of replays: its reader, and a run of a D program over it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/capture_reader.h"

namespace dscope {

// A recorded event, as tests spell it.
struct CannedEvent {
  uint64_t time = 0;
  uint32_t probe = 0, cpu = 0, thread = 0;
  std::vector<uint64_t> words = {};
  int32_t error = 0;
  std::vector<std::pair<uint64_t, std::string>> memory = {};  // address, bytes; ascending
  uint32_t kernel_stack = 0, user_stack = 0;
  uint32_t recording = 0;
};

// Returns one batch for each call of next() up to its size.
class CannedCapture : public CaptureReader {
 public:
  CaptureInfo information;
  CaptureTables all_tables;
  std::vector<CannedEvent> events;
  size_t batch_size = 2;
  std::string problem;

  const CaptureInfo& info() const override { return information; }
  const CaptureTables& tables() const override { return all_tables; }
  const std::vector<CapturedShape>& shapes() const override { return no_shapes_; }
  bool next(CaptureBatch& batch) override;
  void rewind() override { position_ = 0; }
  const std::string& damage() const override { return problem; }
  uint64_t event_count() const override { return events.size(); }

 private:
  size_t position_ = 0;
  std::vector<CapturedShape> no_shapes_;
};

// Probes 0 and 1: read:entry and read:return of syscall, 2: sched:::wakeup with a translated argument. Thread 0 is cat
// (process 10), thread 1 is sh (process 20).
std::unique_ptr<CannedCapture> canned_capture();

struct ReplayOutcome {
  int status = 0;
  std::string out;      // what the program prints
  std::string problem;  // if the replay fails
};
// Runs `program` as `dscope -q -n PROGRAM --replay=...` does; messages go to stderr.
ReplayOutcome replay_text(std::unique_ptr<CaptureReader> reader, const std::string& program,
                          const std::vector<std::string>& options = {});

}  // namespace dscope
