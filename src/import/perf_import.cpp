// perf.data as a capture: tracepoints are events, other samples are profile or cpc probes.
#include <linux/perf_event.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "import/event_formats.h"
#include "import/event_probes.h"
#include "import/import_formats.h"
#include "import/imported_event.h"
#include "import/perf_compressed.h"
#include "import/perf_file.h"
#include "import/perf_records.h"

namespace dscope {

namespace {

constexpr uint32_t no_event = UINT32_MAX;
constexpr size_t max_objects = 1U << 20;
constexpr uint32_t max_frames = 127;

struct Place {
  uint64_t time = 0, offset = 0;
};

class PerfImport {
 public:
  PerfImport(const PerfFile& file, ImportTarget& target) : file_(file), target_(target) {}

  Result<ImportReport> run(uint64_t written_ns, Fd output) {
    report_.damage = file_.damage;
    find_records();
    describe_machine();
    std::vector<ImportedEventType> types = event_types();
    const Architecture* architecture = find_architecture(file_.machine);
    EventProbes probes{types, architecture != nullptr ? *architecture : native_architecture(), threads_, target_};
    add_sample_probes();
    uint64_t begin = places_.empty() ? 0 : first_time_, end = places_.empty() ? 0 : places_.back().time;
    uint64_t to_wall = file_.clocks ? file_.clocks->wall_ns - file_.clocks->record_ns : written_ns - end;
    DS_TRY_VOID(target_.open(std::move(output), begin, to_wall));
    add_build_ids();
    for (const Place& place : places_) handle(place, probes);
    target_.set_losses(losses());
    DS_TRY_VOID(target_.finish(end));
    return std::move(report_);
  }

 private:
  // perf writes the buffers of the CPUs one after the other.
  void find_records() {
    PerfRecord record;
    uint64_t offset = 0;
    for (uint64_t size = 0; (size = read_perf_record(file_.records, offset, record)) != 0; offset += size) {
      std::optional<uint64_t> time = time_of(record);
      if (!time) continue;
      places_.push_back({*time, offset});
      if (record.type == PerfRecordType::Sample) first_time_ = std::min(first_time_, *time);
    }
    if (offset < file_.records.size() && report_.damage.empty()) report_.damage = "a record of the file is damaged";
    std::ranges::stable_sort(places_, {}, &Place::time);
    if (!places_.empty()) first_time_ = std::min(first_time_, places_.back().time);
  }

  std::optional<uint64_t> time_of(const PerfRecord& record) const {
    PerfSample sample;
    switch (record.type) {
      case PerfRecordType::Sample:
        return read_perf_sample(file_, record, sample) ? std::optional(sample.time) : std::nullopt;
      case PerfRecordType::Mmap:
      case PerfRecordType::Mmap2:
      case PerfRecordType::Comm:
      case PerfRecordType::Fork:
      case PerfRecordType::Lost:
      case PerfRecordType::LostSamples: return read_perf_stamp(file_, record).time;
      default: return std::nullopt;
    }
  }

  void describe_machine() {
    CaptureInfo& info = target_.info();
    info.source = "perf.data";
    info.missing_variables = {"uid", "gid"};
    info.descriptions = {file_.command};
    info.parts = {CapturePart::Args};
    info.facts.machine = file_.machine;
    info.facts.kernel_release = file_.kernel_release;
    info.facts.cpu_count = info.facts.online_cpu_count = std::max(file_.cpu_count, 1U);
    info.facts.page_count = file_.memory_kilobytes * 1024 / info.facts.page_size;
    bool has_chains = std::ranges::any_of(
        file_.attributes, [](const auto& each) { return (each.sample_type & PERF_SAMPLE_CALLCHAIN) != 0; });
    if (!has_chains) return;
    info.parts.push_back(CapturePart::Stacks);
    info.stack_frames = info.user_stack_frames = max_frames;
    // `--call-graph dwarf`: copies of the stacks of processes, which nothing unwinds.
    if (std::ranges::any_of(file_.attributes,
                            [](const auto& each) { return (each.sample_type & PERF_SAMPLE_STACK_USER) != 0; }))
      info.user_stack_frames = 0;
  }

  // The tracepoints among the recorded events.
  std::vector<ImportedEventType> event_types() {
    EventFormats parser;
    std::map<uint64_t, EventFormat> by_id;
    for (const PerfTracepoint& tracepoint : file_.tracepoints)
      if (auto format = parser.parse(tracepoint.group, tracepoint.format)) by_id[format->id] = std::move(*format);
    std::vector<ImportedEventType> types;
    std::map<uint64_t, uint32_t> known;  // several events of perf may be the same tracepoint
    for (const PerfAttribute& attribute : file_.attributes) {
      auto format = by_id.find(attribute.config);
      event_of_attribute_.push_back(no_event);
      if (attribute.type != PERF_TYPE_TRACEPOINT || format == by_id.end()) continue;
      auto [entry, is_new] = known.try_emplace(attribute.config, static_cast<uint32_t>(types.size()));
      if (is_new) {
        types.push_back(format->second.type);
        formats_.push_back(std::move(format->second));
      }
      event_of_attribute_.back() = entry->second;
    }
    return types;
  }

  // arg0 is the program counter in the kernel, arg1 that in the process.
  void add_sample_probes() {
    for (const PerfAttribute& attribute : file_.attributes) {
      sample_probes_.push_back(no_event);
      if (attribute.type == PERF_TYPE_TRACEPOINT) continue;
      bool is_clock = attribute.type == PERF_TYPE_SOFTWARE &&
                      (attribute.config == PERF_COUNT_SW_CPU_CLOCK || attribute.config == PERF_COUNT_SW_TASK_CLOCK);
      // At a frequency, the cycles of the processor are a clock, too.
      bool is_regular = is_clock || (attribute.has_frequency && attribute.type == PERF_TYPE_HARDWARE &&
                                     attribute.config == PERF_COUNT_HW_CPU_CYCLES);
      ImportedProbe probe{
          .provider = is_regular ? "profile" : "cpc", .module = {}, .function = {}, .name = {}, .arguments = {}};
      const char* unit = attribute.has_frequency ? "" : "ns";
      probe.name = is_regular ? fmt::format("profile-{}{}", attribute.period, unit) : counter_name(attribute);
      for (const char* name : {"kernel_pc", "user_pc"})
        probe.arguments.push_back({.name = name, .type_text = "unsigned long", .size = 8});
      sample_probes_.back() = target_.add_probe(probe);
    }
  }

  // "cache-misses:u", every 1000th: cache_misses-user-1000. At a frequency: cache_misses-user-4000hz
  static std::string counter_name(const PerfAttribute& attribute) {
    std::string name = attribute.name.empty() ? fmt::format("event_{}_{:x}", attribute.type, attribute.config)
                                              : attribute.name.substr(0, attribute.name.rfind(':'));
    std::ranges::replace(name, '-', '_');
    std::string modifiers = attribute.name.substr(std::min(attribute.name.size(), attribute.name.rfind(':')));
    bool in_user = modifiers.find('u') != std::string::npos, in_kernel = modifiers.find('k') != std::string::npos;
    const char* mode = in_user == in_kernel ? "all" : in_user ? "user" : "kernel";
    return fmt::format("{}-{}-{}{}", name, mode, attribute.period, attribute.has_frequency ? "hz" : "");
  }

  void add_build_ids() {
    for (const PerfBuildId& each : file_.build_ids) {
      build_id_of_[each.path] = each.build_id;
      if (each.path == "[kernel.kallsyms]") kernel_build_id_ = each.build_id;
    }
  }

  void handle(const Place& place, EventProbes& probes) {
    PerfRecord record;
    read_perf_record(file_.records, place.offset, record);
    switch (record.type) {
      case PerfRecordType::Sample: return handle_sample(record, probes);
      case PerfRecordType::Comm: {
        PerfName name = read_perf_name(record);
        if ((record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0) mapped_.erase(name.pid);
        threads_.at(name.tid, name.pid);
        threads_.set_name(name.tid, name.name);
        return;
      }
      case PerfRecordType::Fork: {
        PerfFork fork = read_perf_fork(record);
        if (fork.pid != fork.parent_pid) inherit_mappings(fork.parent_pid, fork.pid);
        return threads_.fork(fork.parent_pid, fork.parent_tid, fork.pid, fork.tid);
      }
      case PerfRecordType::Mmap:
      case PerfRecordType::Mmap2: return handle_mapping(read_perf_mapping(record));
      case PerfRecordType::Lost:
      case PerfRecordType::LostSamples: return count_losses(record);
      default: return;
    }
  }

  // perf itself appends LostSamples records without a time when it ends (record__read_lost_samples in
  // tools/perf/builtin-record.c, since Linux 6.1).
  void count_losses(const PerfRecord& record) {
    PerfStamp stamp = read_perf_stamp(file_, record);
    bool is_total = record.type == PerfRecordType::LostSamples && stamp.time == 0;
    std::vector<uint64_t>& losses = is_total ? final_losses_ : losses_;
    size_t cpu = std::min(stamp.cpu, max_imported_cpus - 1);
    losses.resize(std::max(losses.size(), cpu + 1));
    losses[cpu] += read_perf_losses(record);
  }

  // Lost events by CPU. The totals of perf include the losses that the kernel recorded, often without their CPUs, and
  // those at the end of a buffer, which the kernel does not record: only their excess counts.
  std::vector<uint64_t> losses() const {
    std::vector<uint64_t> losses = losses_;
    losses.resize(std::max(losses.size(), final_losses_.size()));
    uint64_t recorded = std::accumulate(losses_.begin(), losses_.end(), uint64_t{0});
    uint64_t total = std::accumulate(final_losses_.begin(), final_losses_.end(), uint64_t{0});
    uint64_t excess = total > recorded ? total - recorded : 0;
    for (size_t cpu = 0; cpu < final_losses_.size(); ++cpu) {
      uint64_t missing = final_losses_[cpu] > losses[cpu] ? final_losses_[cpu] - losses[cpu] : 0;
      missing = std::min(missing, excess);
      losses[cpu] += missing;
      excess -= missing;
    }
    return losses;
  }

  void handle_sample(const PerfRecord& record, EventProbes& probes) {
    PerfSample sample;
    if (!read_perf_sample(file_, record, sample)) return;
    read_call_chain(sample.call_chain, stacks_);
    ImportedFiring firing{
        .time = sample.time,
        .cpu = sample.cpu,
        .thread = sample.tid == 0 ? ThreadTable::idle(sample.cpu) : threads_.at(sample.tid, sample.pid),
        .kernel_stack = stacks_.kernel,
        .user_stack = stacks_.user};
    uint32_t event = event_of_attribute_[sample.attribute], probe = sample_probes_[sample.attribute];
    if (event != no_event) {
      read_record(formats_[event], sample.raw, values_);
      probes.fire(event, firing, values_);
    } else if (probe != no_event) {
      bool is_kernel = sample.mode == PERF_RECORD_MISC_KERNEL;
      ImportedValue values[] = {{.number = is_kernel ? sample.address : 0, .bytes = {}},
                                {.number = is_kernel ? 0 : sample.address, .bytes = {}}};
      target_.add(probe, firing, values);
    }
  }

  void handle_mapping(PerfMapping mapping) {
    if (!mapping.is_executable || object_count_ >= max_objects) return;
    ++object_count_;
    std::string path(mapping.path);
    bool is_kernel = mapping.pid == UINT32_MAX;
    if (mapping.build_id.empty()) {
      auto known = build_id_of_.find(path);
      if (known != build_id_of_.end()) mapping.build_id = known->second;
      else if (is_kernel && path.starts_with("[kernel.")) mapping.build_id = kernel_build_id_;
    }
    CapturedObject object{.pid = is_kernel ? 0 : mapping.pid,
                          .start = mapping.start,
                          .end = mapping.start + mapping.size,
                          .offset = mapping.offset,
                          .path = std::move(path),
                          .build_id = std::move(mapping.build_id)};
    if (!is_kernel) mapped_[mapping.pid].push_back(object);
    target_.add_object(std::move(object));
  }

  // Until it executes a program, a new process has the mappings of its parent.
  void inherit_mappings(uint32_t parent, uint32_t child) {
    auto found = mapped_.find(parent);
    if (found == mapped_.end() || object_count_ + found->second.size() > max_objects) return;
    std::vector<CapturedObject> copies = found->second;
    object_count_ += copies.size();
    for (CapturedObject& object : copies) {
      object.pid = child;
      target_.add_object(object);
    }
    mapped_[child] = std::move(copies);
  }

  const PerfFile& file_;
  ImportTarget& target_;
  ThreadTable threads_;
  ImportReport report_;
  std::vector<Place> places_;  // of records, by time
  uint64_t first_time_ = UINT64_MAX;
  std::vector<EventFormat> formats_;          // by event
  std::vector<uint32_t> event_of_attribute_;  // no_event: no tracepoint
  std::vector<uint32_t> sample_probes_;       // by attribute
  std::map<std::string, std::string> build_id_of_;
  std::string kernel_build_id_;
  std::vector<uint64_t> losses_, final_losses_;  // by CPU: recorded by the kernel, totals appended by perf
  size_t object_count_ = 0;
  std::map<uint32_t, std::vector<CapturedObject>> mapped_;  // by process
  PerfStacks stacks_;
  std::vector<ImportedValue> values_;
};

}  // namespace

Result<ImportReport> import_perf_data(std::string_view content, uint64_t written_ns, Fd output) {
  DS_TRY(PerfFile file, read_perf_file(content));
  ExpandedRecords expanded;
  if (has_compressed_records(file.records)) {
    expanded = expand_records(file.records);
    file.records = expanded.records;
    if (file.damage.empty()) file.damage = expanded.damage;
  }
  ImportTarget target;
  return PerfImport{file, target}.run(written_ns, std::move(output));
}

}  // namespace dscope
