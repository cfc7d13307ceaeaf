// The blocks of a capture file in their order, as readers and appending writers go through them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "capture/capture_block.h"
#include "support/fd.h"
#include "support/result.h"

namespace dscope {

struct FoundBlock {
  BlockHeader header;
  uint64_t offset = 0;  // of the stored bytes in the file
};

class BlockWalk {
 public:
  // Fails with one sentence if the file does not begin as a capture of this version. The file must outlive the result.
  static Result<BlockWalk> begin(const Fd& file);

  // The next block, whose bytes all exist; nullopt at the end of the file, or where it is damaged.
  std::optional<FoundBlock> next();
  // One sentence about why next() ended before the end of the file; empty if it did not.
  const std::string& damage() const { return damage_; }
  // The end of the last block that next() returned.
  uint64_t position() const { return position_; }

 private:
  BlockWalk(const Fd& file, uint64_t size, uint64_t position) : file_(file), size_(size), position_(position) {}

  const Fd& file_;
  uint64_t size_, position_;
  std::string damage_;
};

Result<std::string> read_block(const Fd& file, const FoundBlock& block);

// The bytes of a capture up to the end of its last complete and undamaged block.
Result<uint64_t> complete_size(const Fd& file);

}  // namespace dscope
