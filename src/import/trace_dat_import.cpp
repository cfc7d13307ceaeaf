// trace.dat, which trace-cmd(1) writes, as a capture. libtracecmd reads it.
#include <sched.h>
#include <unistd.h>

// tracefs.h of libtracefs 1.6 is no C++. trace-cmd.h includes it and needs nothing of it.
#define _TRACE_FS_H  // NOLINT(bugprone-reserved-identifier)
#include <trace-cmd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "import/event_formats.h"
#include "import/event_probes.h"
#include "import/import_formats.h"
#include "import/imported_event.h"

namespace dscope {

namespace {

struct CloseInput {
  void operator()(tracecmd_input* input) const { tracecmd_close(input); }
};
using Input = std::unique_ptr<tracecmd_input, CloseInput>;

// The file, and one more input for each of its instances of ftrace.
struct Inputs {
  Input file;
  std::vector<Input> instances;
  std::vector<tracecmd_input*> all;
};

// From the start, so that the events can be read more than once.
Result<Inputs> open_inputs(int fd) {
  int copy = ::dup(fd);
  if (copy < 0 || ::lseek(copy, 0, SEEK_SET) != 0) return fail(Error::from_errno(errno, "cannot read the file"));
  Inputs inputs{.file = Input(tracecmd_open_fd(copy, TRACECMD_FL_LOAD_NO_PLUGINS)), .instances = {}, .all = {}};
  if (!inputs.file) return fail(Error("libtracecmd cannot read it"));
  inputs.all.push_back(inputs.file.get());
  int count = tracecmd_buffer_instances(inputs.file.get());
  for (int i = 0; i < count; ++i) {
    tracecmd_input* instance = tracecmd_buffer_instance_handle(inputs.file.get(), i);
    if (instance == nullptr) continue;
    inputs.instances.emplace_back(instance);
    inputs.all.push_back(instance);
  }
  return inputs;
}

class TraceDatImport {
 public:
  Result<ImportReport> run(int fd, uint64_t written_ns, Fd output) {
    tracecmd_set_loglevel(TEP_LOG_NONE);
    DS_TRY_VOID(for_each_record(
        fd, [](TraceDatImport& self, tep_event& event, tep_record& record) { self.note_event(event, record); }));
    describe_machine();
    std::vector<ImportedEventType> types;
    for (const EventFormat& format : formats_) types.push_back(format.type);
    EventProbes probes{types, native_architecture(), threads_, target_};
    probes_ = &probes;
    uint64_t begin = formats_.empty() ? 0 : first_time_;
    DS_TRY_VOID(target_.open(std::move(output), begin, written_ns - last_time_));
    DS_TRY_VOID(for_each_record(
        fd, [](TraceDatImport& self, tep_event& event, tep_record& record) { self.fire(event, record); }));
    target_.set_losses(losses_);
    DS_TRY_VOID(target_.finish(last_time_));
    return ImportReport{};
  }

 private:
  using Visit = void (*)(TraceDatImport& self, tep_event& event, tep_record& record);
  struct Walk {
    TraceDatImport& self;
    Visit visit;
  };

  static int visit_record(tracecmd_input* input, tep_record* record, int, void* data) {
    auto& walk = *static_cast<Walk*>(data);
    walk.self.parser_ = tracecmd_get_tep(input);
    tep_event* event = tep_find_event_by_record(walk.self.parser_, record);
    if (event != nullptr) walk.visit(walk.self, *event, *record);
    return 0;
  }

  // In the order of time, over all CPUs and instances.
  Result<> for_each_record(int fd, Visit visit) {
    DS_TRY(Inputs inputs, open_inputs(fd));
    Walk walk{*this, visit};
    cpu_count_ = static_cast<uint32_t>(std::max(tep_get_cpus(tracecmd_get_tep(inputs.file.get())), 1));
    tracecmd_iterate_events_multi(inputs.all.data(), static_cast<int>(inputs.all.size()), visit_record, &walk);
    return {};
  }

  void note_event(const tep_event& event, tep_record& record) {
    auto [entry, is_new] = number_of_.try_emplace(event.id, formats_.size());
    if (is_new) formats_.push_back(event_format_of(event));
    auto tid = static_cast<uint32_t>(tep_data_pid(parser_, &record));
    const char* name = tep_data_comm_from_pid(parser_, static_cast<int>(tid));
    bool is_known = name != nullptr && std::string_view(name) != "<...>";
    if (tid != 0 && is_known) threads_.set_name(tid, name);
    first_time_ = std::min<uint64_t>(first_time_, record.ts);
    last_time_ = std::max<uint64_t>(last_time_, record.ts);
    auto cpu = static_cast<uint32_t>(record.cpu);
    if (record.missed_events == 0 || cpu >= max_imported_cpus) return;
    losses_.resize(std::max<size_t>(losses_.size(), cpu + size_t{1}));
    // -1: some were missed, and nobody knows how many.
    losses_[cpu] += record.missed_events > 0 ? static_cast<uint64_t>(record.missed_events) : 1;
  }

  void describe_machine() {
    CaptureInfo& info = target_.info();
    info.source = "trace.dat";
    info.missing_variables = {"ppid", "uid", "gid"};
    info.descriptions = {"trace-cmd record"};
    info.parts = {CapturePart::Args};
    info.facts.cpu_count = info.facts.online_cpu_count = std::min(cpu_count_, max_imported_cpus);
  }

  void fire(const tep_event& event, tep_record& record) {
    auto number = number_of_.find(event.id);
    if (number == number_of_.end() || record.size < 0) return;
    auto cpu = std::min(static_cast<uint32_t>(record.cpu), max_imported_cpus - 1);
    auto tid = static_cast<uint32_t>(tep_data_pid(parser_, &record));
    CapturedThread thread = tid == 0 ? ThreadTable::idle(cpu) : threads_.at(tid);
    ImportedFiring firing{.time = record.ts, .cpu = cpu, .thread = std::move(thread)};
    read_record(formats_[number->second], {static_cast<const char*>(record.data), static_cast<size_t>(record.size)},
                values_);
    probes_->fire(number->second, firing, values_);
  }

  ImportTarget target_;
  ThreadTable threads_;
  EventProbes* probes_ = nullptr;
  tep_handle* parser_ = nullptr;  // of the record that is visited
  uint32_t cpu_count_ = 1;
  std::map<int, size_t> number_of_;  // by the kernel's ID of the event
  std::vector<EventFormat> formats_;
  std::vector<uint64_t> losses_;
  std::vector<ImportedValue> values_;
  uint64_t first_time_ = UINT64_MAX, last_time_ = 0;
};

}  // namespace

Result<ImportReport> import_trace_dat(int fd, uint64_t written_ns, Fd output) {
  return TraceDatImport{}.run(fd, written_ns, std::move(output));
}

}  // namespace dscope
