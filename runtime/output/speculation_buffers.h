// SpeculationBuffers: holds the records of speculations until they are committed or discarded. A speculation is
// identified by ds_record_header::speculation: generation << 16 | id. The generation distinguishes the uses of one id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace dscope {

class SpeculationBuffers {
 public:
  using Record = std::vector<std::byte>;

  // The treatment of a record that arrives now. Late records of a speculation follow its commit or discard.
  enum class Fate : uint8_t { Held, Printed, Dropped };
  Fate fate_of(uint32_t speculation) const;

  void hold(uint32_t speculation, std::span<const std::byte> record);
  // Ends the speculation and returns its records in order of arrival.
  std::vector<Record> commit(uint32_t speculation);
  void discard(uint32_t speculation);

 private:
  struct Buffer {
    uint32_t speculation = 0;  // the latest use of the id
    Fate fate = Fate::Held;
    std::vector<Record> records;
  };
  Buffer& start(uint32_t speculation, Fate fate);

  std::map<uint32_t, Buffer> buffers_;  // by id
};

}  // namespace dscope
