// CaptureFirings: the events of a capture as firings. Another thread reads and decompresses the next batch while the
// programs run over this one.
#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "capture/capture_reader.h"
#include "runtime/replay/replay_session.h"

namespace dscope {

class CaptureFirings : public FiringSource {
 public:
  // `keeps_memory`: system calls that return see the memory that was recorded when they were entered.
  CaptureFirings(std::unique_ptr<CaptureReader> reader, bool keeps_memory);
  ~CaptureFirings() override;
  CaptureFirings(const CaptureFirings&) = delete;
  CaptureFirings& operator=(const CaptureFirings&) = delete;

  bool next(Firing& firing, uint32_t& probe) override;
  // Call it after the last firing: one sentence if the file is cut off or damaged; else empty.
  std::string damage();

 private:
  // A batch with what the reader's tables have gained by it. The reader's own tables belong to its thread.
  struct Package {
    CaptureBatch batch;
    std::vector<FiringThread> threads;
    std::vector<std::vector<uint64_t>> stacks;
    bool is_last = false;
  };
  // The memory of a system call's arguments.
  struct EntryMemory {
    std::vector<std::byte> bytes;
    std::vector<RecordedMemory> pieces;
  };

  void read_batches();
  void fill(Package& package);
  bool take_package();
  void stop();
  void convert(const CaptureEvent& event, Firing& firing);
  void keep_memory(uint64_t thread, std::span<const RecordedMemory> memory);

  std::unique_ptr<CaptureReader> reader_;
  bool keeps_memory_;
  std::vector<bool> is_entry_;  // by probe: a system call is entered

  Package current_;
  size_t position_ = 0;  // in current_
  std::deque<FiringThread> threads_;
  std::deque<std::vector<uint64_t>> stacks_;
  std::vector<RecordedMemory> memory_;
  std::map<uint64_t, EntryMemory> entry_memory_;

  size_t known_threads_ = 0, known_stacks_ = 0;  // of the reader's thread
  std::mutex mutex_;
  std::condition_variable changed_;
  Package next_;
  bool has_next_ = false, is_stopping_ = false;
  std::thread thread_;
};

}  // namespace dscope
