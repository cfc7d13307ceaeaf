#include "capture/capture_reader.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "capture/capture_file.h"
#include "capture/event_columns.h"
#include "support/format.h"

namespace dscope {

namespace {

// Adds the tables of one recording to those of the file.
class InfoJoiner {
 public:
  explicit InfoJoiner(CaptureInfo& info) : info_(info) {}

  void add(CaptureInfo other) {
    if (info_.recordings.empty()) {
      info_ = std::move(other);
      info_.first_probes = {0};
      return;
    }
    info_.first_probes.push_back(static_cast<uint32_t>(info_.probes.size()));
    auto first_type = static_cast<uint32_t>(info_.types.size());
    auto shift = [&](TypeId& id) { id.index = id.index == 0 ? 0 : id.index + first_type; };
    for (Type& type : other.types) {
      shift(type.base);
      for (TypeMember& member : type.members) shift(member.type);
      for (TypeId& parameter : type.parameters) shift(parameter);
    }
    for (CapturedProbe& probe : other.probes)
      for (std::vector<CapturedValue>* values : {&probe.args, &probe.others})
        for (CapturedValue& value : *values) shift(value.type);
    append(info_.types, other.types);
    append(info_.probes, other.probes);
    append(info_.recordings, other.recordings);
    for (std::string& description : other.descriptions) add_new(info_.descriptions, std::move(description));
    for (CapturePart part : other.parts) add_new(info_.parts, part);
    std::ranges::sort(info_.parts);
    info_.strsize = std::max(info_.strsize, other.strsize);
  }

 private:
  template <typename Element>
  static void append(std::vector<Element>& to, std::vector<Element>& from) {
    std::ranges::move(from, std::back_inserter(to));
  }
  template <typename Element>
  static void add_new(std::vector<Element>& to, Element element) {
    if (std::ranges::find(to, element) == to.end()) to.push_back(std::move(element));
  }

  CaptureInfo& info_;
};

class FileReader final : public CaptureReader {
 public:
  explicit FileReader(Fd file) : file_(std::move(file)) {}

  Result<> read_tables() {
    DS_TRY(BlockWalk walk, BlockWalk::begin(file_));
    while (auto block = walk.next()) {
      auto read = read_table(*block);
      if (read) continue;
      damage_ = read.error().message();
      break;
    }
    if (damage_.empty()) damage_ = walk.damage();
    if (sections_.empty())
      return fail(Error(damage_.empty() ? "it holds no recording" : damage_).hint("was its recording interrupted?"));
    if (damage_.empty() && !has_ended_) damage_ = "the recording did not end properly";
    info_.version = capture_version;
    info_.lost_events = losses_;
    return {};
  }

  const CaptureInfo& info() const override { return info_; }
  const CaptureTables& tables() const override { return tables_; }
  const std::vector<CapturedShape>& shapes() const override { return all_shapes_; }
  const std::string& damage() const override { return damage_; }
  uint64_t event_count() const override { return event_count_; }
  void rewind() override { next_block_ = 0; }

  bool next(CaptureBatch& batch) override {
    batch.events.clear();
    if (next_block_ == events_.size()) return false;
    const EventsAt& at = events_[next_block_++];
    batch.recording = static_cast<uint32_t>(at.section);
    auto content = read_block(file_, at.block);
    Result<> read = content ? read_events(*content, at.block.header, sections_[at.section].shapes,
                                          sections_[at.section].first_probe, builder_, batch)
                            : fail(std::move(content).error());
    if (read) return true;
    damage_ =
        fmt::format("{} (after {} of {} blocks of events)", read.error().message(), next_block_ - 1, events_.size());
    batch.events.clear();
    next_block_ = events_.size();
    return false;
  }

 private:
  struct Section {
    std::vector<CapturedShape> shapes;
    uint32_t first_probe = 0;
  };
  struct EventsAt {
    FoundBlock block;
    size_t section = 0;
  };

  Result<> read_table(const FoundBlock& block) {
    switch (block.header.type) {
      case BlockType::Start: return begin_section(block);
      case BlockType::Events:
        if (sections_.empty()) return fail(Error("events precede the description of their probes"));
        events_.push_back({block, sections_.size() - 1});
        event_count_ += block.header.event_count;
        info_.recordings.back().end = std::max(info_.recordings.back().end, block.header.last_time);
        return {};
      case BlockType::Tables: return add_tables(block);
      case BlockType::End:
        DS_TRY_VOID(read_block(file_, block));
        has_ended_ = true;
        if (!sections_.empty()) info_.recordings.back().end = block.header.last_time;
        return {};
      case BlockType::Facts: {
        DS_TRY(info_.facts_file, read_block(file_, block));
        return {};
      }
    }
    return {};  // a later release knows it
  }

  Result<> begin_section(const FoundBlock& block) {
    DS_TRY(std::string content, read_block(file_, block));
    DS_TRY(CaptureStart start, unpack_start(content));
    all_shapes_.insert(all_shapes_.end(), start.shapes.begin(), start.shapes.end());
    sections_.push_back({std::move(start.shapes), static_cast<uint32_t>(info_.probes.size())});
    InfoJoiner{info_}.add(std::move(start.info));
    losses_before_ = losses_;
    has_ended_ = false;
    return {};
  }

  Result<> add_tables(const FoundBlock& block) {
    if (sections_.empty()) return fail(Error("tables precede the description of their probes"));
    DS_TRY(std::string content, read_block(file_, block));
    DS_TRY(CaptureAdditions added, unpack_additions(content));
    for (auto& [key, symbol] : added.symbols) info_.symbols.insert_or_assign(key, std::move(symbol));
    std::ranges::move(added.objects, std::back_inserter(info_.objects));
    info_.recordings.back().end = std::max(info_.recordings.back().end, added.last_time);
    losses_ = losses_before_;
    losses_.resize(std::max(losses_.size(), added.lost_events.size()));
    for (size_t cpu = 0; cpu < added.lost_events.size(); ++cpu) losses_[cpu] += added.lost_events[cpu];
    return {};
  }

  Fd file_;
  CaptureInfo info_;
  CaptureTables tables_;
  CaptureTableBuilder builder_{tables_};
  std::vector<Section> sections_;
  std::vector<CapturedShape> all_shapes_;
  std::vector<EventsAt> events_;
  std::vector<uint64_t> losses_, losses_before_;
  size_t next_block_ = 0;
  uint64_t event_count_ = 0;
  bool has_ended_ = false;
  std::string damage_;
};

}  // namespace

Result<std::unique_ptr<CaptureReader>> CaptureReader::open(const std::string& path) {
  Fd file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY)};
  if (!file) return fail(Error::from_errno(errno, "cannot open `{}`", path));
  auto reader = std::make_unique<FileReader>(std::move(file));
  if (Result<> read = reader->read_tables(); !read) return fail(std::move(read).error().with_context(path));
  return reader;
}

}  // namespace dscope
