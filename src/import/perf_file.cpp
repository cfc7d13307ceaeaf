#include "import/perf_file.h"

#include <array>
#include <utility>

#include "import/byte_reader.h"
#include "import/tracing_data.h"
#include "support/format.h"

namespace dscope {

namespace {

constexpr uint64_t file_header_size = 104, pipe_header_size = 16;
constexpr size_t max_attributes = 65536, max_ids = 1U << 22;

// Numbers of features, the bits of the header's bitmap.
enum class Feature : uint8_t {
  TracingData = 1,
  BuildId = 2,
  OsRelease = 4,
  Arch = 6,
  CpuCount = 7,
  TotalMemory = 10,
  CommandLine = 11,
  EventNames = 12,
  ClockData = 29,
  Count = 255,
};

struct Section {
  uint64_t offset = 0, size = 0;
};

class PerfFileReader {
 public:
  explicit PerfFileReader(std::string_view file) : file_(file) {}

  Result<PerfFile> run() {
    ByteReader header(file_);
    if (header.bytes(perf_magic.size()) != perf_magic)
      return fail(Error("it is no perf.data file of this machine's byte order"));
    uint64_t size = header.u64();
    if (size == pipe_header_size)
      return fail(Error("it was written to a pipe by `perf record -o -`").hint("record with -o FILE"));
    if (size < file_header_size) return fail(Error("it has no complete header"));
    attribute_size_ = header.u64();
    Section attributes = section(header), data = section(header);
    header.bytes(sizeof(uint64_t) * 2);  // event types, which perf no longer writes
    for (uint64_t& word : features_) word = header.u64();
    DS_TRY_VOID(read_attributes(attributes));
    result_.records = bytes_of(data);
    if (data.size == 0) result_.damage = "perf record was killed before it wrote the size of the data";
    if (data.size == 0 && data.offset < file_.size()) result_.records = file_.substr(static_cast<size_t>(data.offset));
    else if (result_.records.size() < data.size) result_.damage = "the file is cut off";
    read_features(data.offset + data.size);
    return std::move(result_);
  }

 private:
  static Section section(ByteReader& reader) {
    uint64_t offset = reader.u64();
    return {offset, reader.u64()};
  }
  // As far as the file has it.
  std::string_view bytes_of(Section section) const {
    if (section.offset > file_.size()) return {};
    return file_.substr(static_cast<size_t>(section.offset), static_cast<size_t>(section.size));
  }

  Result<> read_attributes(Section attributes) {
    constexpr uint64_t section_size = 16, first_version_size = 64;
    if (attribute_size_ < first_version_size + section_size || attribute_size_ > file_.size())
      return fail(Error::make("its events have a size of {} bytes", attribute_size_));
    std::string_view all = bytes_of(attributes);
    for (size_t i = 0; i < max_attributes && all.size() >= attribute_size_; ++i) {
      std::string_view attribute = all.substr(0, static_cast<size_t>(attribute_size_));
      all.remove_prefix(static_cast<size_t>(attribute_size_));
      result_.attributes.push_back(read_attribute(attribute));
      ByteReader ids(attribute.substr(attribute.size() - section_size));
      add_ids(bytes_of(section(ids)), static_cast<uint32_t>(i));
    }
    if (result_.attributes.empty()) return fail(Error("it has no events"));
    return {};
  }

  static PerfAttribute read_attribute(std::string_view bytes) {
    constexpr uint64_t frequency_flag = 1U << 10, sample_id_flag = 1U << 18;
    ByteReader reader(bytes);
    PerfAttribute attribute{.type = reader.u32()};
    reader.u32();  // size
    attribute.config = reader.u64();
    attribute.period = reader.u64();
    attribute.sample_type = reader.u64();
    attribute.read_format = reader.u64();
    uint64_t flags = reader.u64();
    attribute.has_frequency = (flags & frequency_flag) != 0;
    attribute.has_sample_ids = (flags & sample_id_flag) != 0;
    return attribute;
  }

  void add_ids(std::string_view bytes, uint32_t attribute) {
    ByteReader ids(bytes);
    while (ids.left() >= sizeof(uint64_t) && result_.attribute_of_id.size() < max_ids)
      result_.attribute_of_id.try_emplace(ids.u64(), attribute);
  }

  // Behind the data is a table of the sections of the features that the bitmap has.
  void read_features(uint64_t table) {
    ByteReader sections(bytes_of({table, UINT64_MAX}));
    for (size_t bit = 0; bit < features_.size() * 64; ++bit) {
      if ((features_[bit / 64] >> (bit % 64) & 1) == 0) continue;
      Section place = section(sections);
      if (sections.has_failed()) {
        if (result_.damage.empty()) result_.damage = "the file has no descriptions of its events: it is cut off";
        return;
      }
      bool is_complete = place.offset <= file_.size() && place.size <= file_.size() - place.offset;
      if (!is_complete && result_.damage.empty()) result_.damage = "a description in the file is cut off";
      if (bit < static_cast<size_t>(Feature::Count)) read_feature(static_cast<Feature>(bit), bytes_of(place));
    }
  }

  void read_feature(Feature feature, std::string_view bytes) {
    ByteReader reader(bytes);
    switch (feature) {
      case Feature::TracingData: result_.tracepoints = read_tracing_data(bytes); break;
      case Feature::BuildId: read_build_ids(reader); break;
      case Feature::OsRelease: result_.kernel_release = text(reader); break;
      case Feature::Arch: result_.machine = text(reader); break;
      case Feature::CpuCount: result_.cpu_count = reader.u32(); break;
      case Feature::TotalMemory: result_.memory_kilobytes = reader.u64(); break;
      case Feature::CommandLine: read_command(reader); break;
      case Feature::EventNames: read_names(reader); break;
      case Feature::ClockData: read_clocks(reader); break;
      case Feature::Count: break;
      default: break;
    }
  }

  // A text with the size of its buffer.
  static std::string text(ByteReader& reader) { return std::string(until_nul(reader.bytes(reader.u32()))); }

  void read_command(ByteReader& reader) {
    for (uint32_t left = reader.u32(); left > 0 && !reader.has_failed(); --left)
      result_.command += (result_.command.empty() ? "" : " ") + text(reader);
  }

  void read_names(ByteReader& reader) {
    uint32_t count = reader.u32(), size = reader.u32();
    for (uint32_t i = 0; i < count && !reader.has_failed(); ++i) {
      reader.bytes(size);
      uint32_t ids = reader.u32();
      std::string name = text(reader);
      reader.bytes(uint64_t{ids} * sizeof(uint64_t));
      if (i < result_.attributes.size() && !reader.has_failed()) result_.attributes[i].name = std::move(name);
    }
  }

  void read_clocks(ByteReader& reader) {
    reader.u32();  // version
    reader.u32();  // the number of the clock
    PerfClocks clocks{.wall_ns = reader.u64()};
    clocks.record_ns = reader.u64();
    if (!reader.has_failed()) result_.clocks = clocks;
  }

  void read_build_ids(ByteReader& reader) {
    constexpr uint64_t record_header = 8, fixed = 36, id_size = 20, id_space = 24;
    constexpr uint16_t has_size = 1U << 15;
    while (reader.left() >= fixed) {
      reader.u32();  // type
      auto misc = reader.next<uint16_t>(), size = reader.next<uint16_t>();
      if (size < fixed) return;
      ByteReader record(reader.bytes(size - record_header));
      record.u32();  // of the machine
      PerfBuildId entry;
      std::string_view id = record.bytes(id_space);
      if (id.empty()) return;
      size_t length = (misc & has_size) != 0 ? static_cast<unsigned char>(id[id_size]) : id_size;
      for (unsigned char byte : id.substr(0, std::min<size_t>(length, id_size)))
        entry.build_id += fmt::format("{:02x}", byte);
      entry.path = until_nul(record.rest());
      result_.build_ids.push_back(std::move(entry));
    }
  }

  std::string_view file_;
  uint64_t attribute_size_ = 0;
  std::array<uint64_t, 4> features_{};
  PerfFile result_;
};

}  // namespace

Result<PerfFile> read_perf_file(std::string_view file) { return PerfFileReader{file}.run(); }

}  // namespace dscope
