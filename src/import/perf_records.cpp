#include "import/perf_records.h"

#include <linux/perf_event.h>

#include <algorithm>
#include <bit>

#include "import/byte_reader.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint64_t record_header_size = 8, word_size = 8;
constexpr uint16_t mode_mask = 7;  // PERF_RECORD_MISC_CPUMODE_MASK
constexpr uint16_t has_build_id = 1U << 14;

// The bits of sample_type that precede the ID in a sample.
constexpr uint64_t before_id = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;
// The bits whose values records other than samples end with.
constexpr uint64_t in_stamps = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
                               PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

uint64_t words_of(uint64_t bits) { return static_cast<uint64_t>(std::popcount(bits)); }

// The event of a sample: its ID is at the same place in the samples of all events.
bool find_attribute(const PerfFile& file, std::string_view body, uint32_t& attribute) {
  attribute = 0;
  uint64_t bits = file.attributes.front().sample_type;
  bool has_id = (bits & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)) != 0;
  if (!has_id) return file.attributes.size() == 1;
  ByteReader reader(body);
  if ((bits & PERF_SAMPLE_IDENTIFIER) == 0) reader.bytes(words_of(bits & before_id) * word_size);
  auto found = file.attribute_of_id.find(reader.u64());
  if (found == file.attribute_of_id.end()) return file.attributes.size() == 1;
  attribute = found->second;
  return true;
}

void skip_counts(ByteReader& reader, uint64_t format) {
  uint64_t times = words_of(format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
  constexpr uint64_t lost = 1U << 4;  // PERF_FORMAT_LOST, since Linux 6.0
  uint64_t words = 1 + words_of(format & (PERF_FORMAT_ID | lost));
  uint64_t count = 1;
  if ((format & PERF_FORMAT_GROUP) != 0) count = std::min<uint64_t>(reader.u64(), reader.left());
  reader.bytes((times + count * words) * word_size);
}

}  // namespace

uint64_t read_perf_record(std::string_view records, uint64_t offset, PerfRecord& record) {
  if (offset >= records.size()) return 0;
  ByteReader reader(records.substr(static_cast<size_t>(offset)));
  record.type = static_cast<PerfRecordType>(reader.u32());
  record.misc = reader.next<uint16_t>();
  uint64_t size = reader.next<uint16_t>();
  if (size < record_header_size) return 0;
  record.body = reader.bytes(size - record_header_size);
  if (reader.has_failed()) return 0;
  if (record.type != PerfRecordType::AuxTrace) return size;
  // The trace of the processor follows its record.
  uint64_t trace = ByteReader(record.body).u64();
  return trace <= reader.left() ? size + trace : 0;
}

bool read_perf_sample(const PerfFile& file, const PerfRecord& record, PerfSample& sample) {
  sample = {};
  if (!find_attribute(file, record.body, sample.attribute)) return false;
  const PerfAttribute& attribute = file.attributes[sample.attribute];
  uint64_t bits = attribute.sample_type;
  ByteReader reader(record.body);
  sample.mode = record.misc & mode_mask;
  if ((bits & PERF_SAMPLE_IDENTIFIER) != 0) reader.u64();
  if ((bits & PERF_SAMPLE_IP) != 0) sample.address = reader.u64();
  if ((bits & PERF_SAMPLE_TID) != 0) {
    sample.pid = reader.u32();
    sample.tid = reader.u32();
  }
  if ((bits & PERF_SAMPLE_TIME) != 0) sample.time = reader.u64();
  reader.bytes(words_of(bits & (PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)) * word_size);
  if ((bits & PERF_SAMPLE_CPU) != 0) {
    sample.cpu = reader.u32();
    reader.u32();
  }
  if ((bits & PERF_SAMPLE_PERIOD) != 0) reader.u64();
  if ((bits & PERF_SAMPLE_READ) != 0) skip_counts(reader, attribute.read_format);
  if ((bits & PERF_SAMPLE_CALLCHAIN) != 0) {
    uint64_t count = reader.u64();
    sample.call_chain = reader.bytes(std::min(count, reader.left()) * word_size);
  }
  if ((bits & PERF_SAMPLE_RAW) != 0) sample.raw = reader.bytes(reader.u32());
  return !reader.has_failed();
}

PerfStamp read_perf_stamp(const PerfFile& file, const PerfRecord& record) {
  const PerfAttribute& attribute = file.attributes.front();
  uint64_t bits = attribute.sample_type & in_stamps, size = words_of(bits) * word_size;
  if (!attribute.has_sample_ids || size > record.body.size()) return {};
  ByteReader reader(record.body.substr(record.body.size() - static_cast<size_t>(size)));
  PerfStamp stamp;
  if ((bits & PERF_SAMPLE_TID) != 0) reader.u64();
  if ((bits & PERF_SAMPLE_TIME) != 0) stamp.time = reader.u64();
  reader.bytes(words_of(bits & (PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)) * word_size);
  if ((bits & PERF_SAMPLE_CPU) != 0) stamp.cpu = reader.u32();
  return stamp;
}

void read_call_chain(std::string_view chain, PerfStacks& stacks) {
  constexpr uint64_t first_mark = static_cast<uint64_t>(-4095);  // PERF_CONTEXT_MAX
  stacks.kernel.clear();
  stacks.user.clear();
  std::vector<uint64_t>* part = nullptr;
  ByteReader reader(chain);
  while (reader.left() >= word_size) {
    uint64_t word = reader.u64();
    if (word < first_mark) {
      if (part != nullptr) part->push_back(word);
      continue;
    }
    part = word == static_cast<uint64_t>(PERF_CONTEXT_KERNEL) ? &stacks.kernel
           : word == static_cast<uint64_t>(PERF_CONTEXT_USER) ? &stacks.user
                                                              : nullptr;
  }
}

PerfName read_perf_name(const PerfRecord& record) {
  ByteReader reader(record.body);
  PerfName name{.pid = reader.u32()};
  name.tid = reader.u32();
  name.name = until_nul(reader.rest());
  return name;
}

PerfFork read_perf_fork(const PerfRecord& record) {
  ByteReader reader(record.body);
  PerfFork fork{.pid = reader.u32()};
  fork.parent_pid = reader.u32();
  fork.tid = reader.u32();
  fork.parent_tid = reader.u32();
  return fork;
}

PerfMapping read_perf_mapping(const PerfRecord& record) {
  ByteReader reader(record.body);
  PerfMapping mapping{.pid = reader.u32()};
  reader.u32();  // thread
  mapping.start = reader.u64();
  mapping.size = reader.u64();
  mapping.offset = reader.u64();
  if (record.type == PerfRecordType::Mmap2) {
    constexpr uint64_t identity_size = 24, max_id = 20, before_bytes = 4;
    constexpr uint32_t executable = 4;  // PROT_EXEC
    std::string_view identity = reader.bytes(identity_size);
    if ((record.misc & has_build_id) != 0 && !identity.empty()) {
      size_t length = std::min<size_t>(static_cast<unsigned char>(identity.front()), max_id);
      for (unsigned char byte : identity.substr(before_bytes, length)) mapping.build_id += fmt::format("{:02x}", byte);
    }
    mapping.is_executable = (reader.u32() & executable) != 0;
    reader.u32();  // flags
  }
  mapping.path = until_nul(reader.rest());
  return mapping;
}

uint64_t read_perf_losses(const PerfRecord& record) {
  ByteReader reader(record.body);
  if (record.type == PerfRecordType::Lost) reader.u64();  // the event's ID
  return reader.u64();
}

}  // namespace dscope
