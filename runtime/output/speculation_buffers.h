// SpeculationBuffers: records of speculations, held until they are committed or discarded. A speculation is named by
// ds_record_header::speculation: generation << 16 | id, where the generation tells the uses of one id apart.
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

  // What becomes of a record that arrives now: stragglers of a speculation share its fate.
  enum class Fate : uint8_t { Held, Printed, Dropped };
  Fate fate_of(uint32_t speculation) const;

  void hold(uint32_t speculation, std::span<const std::byte> record);
  // Ends the speculation; gives its records in the order in which they came.
  std::vector<Record> commit(uint32_t speculation);
  void discard(uint32_t speculation);

 private:
  struct Buffer {
    uint32_t speculation = 0;  // the use of the id that is held or was held last
    Fate fate = Fate::Held;
    std::vector<Record> records;
  };
  Buffer& start(uint32_t speculation, Fate fate);

  std::map<uint32_t, Buffer> buffers_;  // by id
};

}  // namespace dscope
