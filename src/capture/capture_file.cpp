#include "capture/capture_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/format.h"

namespace dscope {

namespace {

// The bytes at an offset, fewer at the end of the file.
std::string read_at(const Fd& file, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    ssize_t count = ::pread(file.get(), bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

Result<BlockWalk> BlockWalk::begin(const Fd& file) {
  struct stat state{};
  if (::fstat(file.get(), &state) != 0) return fail(Error::from_errno(errno, "cannot read the file"));
  if (!S_ISREG(state.st_mode)) return fail(Error("not a regular file"));
  std::string magic = read_at(file, 0, capture_magic.size());
  if (magic == capture_magic) return BlockWalk{file, static_cast<uint64_t>(state.st_size), magic.size()};
  if (magic.starts_with(capture_family))
    return fail(Error("another release of dscope wrote this capture: its format is unknown to this one"));
  return fail(Error("not a capture").hint("--record=FILE writes one"));
}

std::optional<FoundBlock> BlockWalk::next() {
  if (!damage_.empty() || position_ == size_) return std::nullopt;
  auto header = parse_block_header(read_at(file_, position_, block_header_size));
  if (!header && size_ - position_ < block_header_size) damage_ = "the last block is cut off";
  else if (!header) damage_ = fmt::format("the block at byte {} is damaged", position_);
  else if (header->stored_size > size_ - position_ - block_header_size) damage_ = "the last block is cut off";
  if (!damage_.empty()) return std::nullopt;
  FoundBlock block{.header = *header, .offset = position_ + block_header_size};
  position_ = block.offset + header->stored_size;
  return block;
}

Result<std::string> read_block(const Fd& file, const FoundBlock& block) {
  return open_block(block.header, read_at(file, block.offset, block.header.stored_size));
}

Result<uint64_t> complete_size(const Fd& file) {
  DS_TRY(BlockWalk walk, BlockWalk::begin(file));
  uint64_t size = walk.position();
  while (auto block = walk.next()) {
    if (!read_block(file, *block)) break;
    size = walk.position();
  }
  return size;
}

}  // namespace dscope
