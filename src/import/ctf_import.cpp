// Traces in the Common Trace Format as captures: those of LTTng, of `perf data convert --to-ctf` and of others.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "import/ctf_fields.h"
#include "import/ctf_trace.h"
#include "import/derived_probes.h"
#include "import/event_probes.h"
#include "import/import_formats.h"
#include "import/imported_event.h"

namespace dscope {

namespace {

class CtfImport {
 public:
  Result<ImportReport> run(const std::string& path, Fd output) {
    DS_TRY_VOID(read_ctf_traces(path, {.event = [this](const CtfEvent& event) { note(event); },
                                       .discarded = [this](uint64_t count) { losses_.front() += count; }}));
    describe_machine();
    EventProbes probes{types_, native_architecture(), threads_, target_};
    // The clock's origin is 1970, or nobody knows it.
    DS_TRY_VOID(target_.open(std::move(output), types_.empty() ? 0 : first_time_, 0));
    DS_TRY_VOID(read_ctf_traces(
        path, {.event = [&](const CtfEvent& event) { fire(event, probes); }, .discarded = [](uint64_t) {}}));
    if (losses_.front() != 0) target_.set_losses(losses_);
    DS_TRY_VOID(target_.finish(last_time_));
    return ImportReport{};
  }

 private:
  // Events of the same class have the same key. The objects of the class differ between the two readings.
  using Key = std::tuple<size_t, uint64_t, uint64_t>;
  static Key key_of(const CtfEvent& event) {
    const bt_event_class* event_class = bt_event_borrow_class_const(event.event);
    return {event.trace, bt_stream_class_get_id(bt_event_class_borrow_stream_class_const(event_class)),
            bt_event_class_get_id(event_class)};
  }

  void note(const CtfEvent& event) {
    auto [entry, is_new] = number_of_.try_emplace(key_of(event), types_.size());
    if (is_new) types_.push_back(ctf_event_type(bt_event_borrow_class_const(event.event)));
    first_time_ = std::min(first_time_, to_time(event.time));
    last_time_ = std::max(last_time_, to_time(event.time));
    learn_names(types_[entry->second], values_.read(event.event), threads_);
    CtfContext context = read_ctf_context(event.event);
    has_process_ = has_process_ || context.process.has_value();
    has_thread_ = has_thread_ || context.thread.has_value();
    has_names_ = has_names_ || !context.thread_name.empty() || types_[entry->second].group == "sched";
    if (context.cpu) cpu_count_ = std::max(cpu_count_, std::min<uint64_t>(*context.cpu, max_imported_cpus - 1) + 1);
  }
  static uint64_t to_time(int64_t time) { return static_cast<uint64_t>(std::max<int64_t>(time, 0)); }

  void describe_machine() {
    CaptureInfo& info = target_.info();
    info.source = "CTF";
    info.missing_variables = {"ppid", "uid", "gid"};
    if (!has_process_) info.missing_variables.emplace_back("pid");
    if (!has_thread_) info.missing_variables.emplace_back("tid");
    if (!has_thread_ || !has_names_) info.missing_variables.emplace_back("execname");
    info.descriptions = {"a tracer that writes CTF"};
    info.parts = {CapturePart::Args};
    info.facts.cpu_count = info.facts.online_cpu_count = static_cast<uint32_t>(cpu_count_);
  }

  void fire(const CtfEvent& event, EventProbes& probes) {
    auto number = number_of_.find(key_of(event));
    if (number == number_of_.end()) return;
    CtfContext context = read_ctf_context(event.event);
    auto cpu = static_cast<uint32_t>(std::min<uint64_t>(context.cpu.value_or(0), max_imported_cpus - 1));
    auto tid = static_cast<uint32_t>(context.thread.value_or(0));
    CapturedThread thread = has_thread_ ? ThreadTable::idle(cpu) : CapturedThread{};
    if (tid != 0) {
      if (!context.thread_name.empty()) threads_.set_name(tid, context.thread_name);
      thread = threads_.at(tid, static_cast<uint32_t>(context.process.value_or(0)));
    }
    probes.fire(number->second, {.time = to_time(event.time), .cpu = cpu, .thread = std::move(thread)},
                values_.read(event.event));
  }

  ImportTarget target_;
  ThreadTable threads_;
  std::map<Key, size_t> number_of_;
  std::vector<ImportedEventType> types_;
  std::vector<uint64_t> losses_ = {0};
  CtfValues values_;
  uint64_t first_time_ = UINT64_MAX, last_time_ = 0, cpu_count_ = 1;
  bool has_process_ = false, has_thread_ = false, has_names_ = false;
};

}  // namespace

Result<ImportReport> import_ctf(const std::string& path, Fd output) { return CtfImport{}.run(path, std::move(output)); }

}  // namespace dscope
