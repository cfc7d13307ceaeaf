#include "pictures/timeline/perfetto_writer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pictures/profile/picture_text.h"
#include "pictures/run_model.h"
#include "pictures/timeline/perfetto_counters.h"
#include "pictures/timeline/perfetto_packets.h"
#include "pictures/timeline/probe_pairs.h"
#include "pictures/timeline/thread_slices.h"
#include "support/check.h"
#include "support/format.h"

namespace dscope {

namespace {

using Type = PerfettoEvent::Type;

constexpr size_t max_event_name_characters = 120;

// Numbers of tracks. Processes, threads and CPUs add theirs.
enum Track : uint64_t {
  RunTrack = 1,
  FaultTrack,
  DropTrack,
  DropCounter,
  LostRowCounter,
  FirstCounter = 1ULL << 32,
  FirstProcess = 2ULL << 32,
  FirstThread = 3ULL << 32,
  FirstCpu = 4ULL << 32
};

std::string_view without_line_ends(std::string_view text) {
  size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
  size_t end = text.find_last_not_of(" \n");
  return end == text.npos ? std::string_view{} : text.substr(begin, end + 1 - begin);
}

}  // namespace

class PerfettoWriter::Trace {
 public:
  Trace(TimelineSink sink, const RunStart& start)
      : clock_(start),
        packets_(std::move(sink), clock_),
        model_(start),
        probes_(start.probes),
        pairs_(start.intervals) {
    pairs_.add(start.probes);
    last_update_ns_ = clock_.from_system_time(start.start_ns);
    packets_.clock_snapshot(last_update_ns_);
    packets_.named_track(RunTrack, 0, "dscope");
    packets_.event({.time_ns = last_update_ns_,
                    .type = Type::Instant,
                    .track = RunTrack,
                    .name = "start",
                    .category = "dscope",
                    .annotations = {{"command", start.command_line},
                                    {"host", start.host},
                                    {"kernel", start.kernel},
                                    {"script", start.script},
                                    {"program", start.program_name}}});
    packets_.counter_track(LostRowCounter, RunTrack, "rows that were not kept");
    packets_.counter_track(DropCounter, RunTrack, "drops");
    packets_.counter(last_update_ns_, LostRowCounter, int64_t{0});
    packets_.counter(last_update_ns_, DropCounter, int64_t{0});
  }

  void add(const RunUpdate& update) {
    probes_.insert(probes_.end(), update.probes.begin(), update.probes.end());
    pairs_.add(update.probes);
    for (const TimelineEvent& event : order_.add(update, clock_)) write(event);
    last_update_ns_ = std::max(last_update_ns_, clock_.from_system_time(update.time_ns));
    if (update.lost_rows != 0) count(LostRowCounter, lost_rows_, update.lost_rows);
    for (const PictureDrop& drop : update.drops) count(DropCounter, drops_, drop.count);
    // The counters need no rows, and the probes are kept above.
    model_.add({.time_ns = update.time_ns, .new_elements = update.new_elements, .changes = update.changes});
  }

  void end(const RunEnd& end) {
    for (const TimelineEvent& event : order_.take_rest()) write(event);
    uint64_t time = std::max(last_update_ns_, clock_.from_system_time(end.time_ns));
    for (auto& [number, thread] : threads_)
      for (size_t i = thread.slices.open_count(); i != 0; --i)
        packets_.event({.time_ns = std::max(time, thread.last_ns), .type = Type::SliceEnd, .track = number});
    packets_.event({.time_ns = time,
                    .type = Type::Instant,
                    .track = RunTrack,
                    .name = "end",
                    .category = "dscope",
                    .annotations = {{"exit status", fmt::format("{}", end.exit_status)}}});
    write_counters(packets_, model_, clock_, FirstCounter);
  }

 private:
  struct Thread {
    std::string name;
    ThreadSlices slices;
    uint64_t last_ns = 0;
    // The last row: rows of several clauses of one firing are one begin or end.
    uint64_t firing_ns = 0;
    uint32_t firing_probe = 0;
  };

  void count(uint64_t track, uint64_t& total, uint64_t added) {
    total += added;
    packets_.counter(last_update_ns_, track, static_cast<int64_t>(total));
  }

  void write(const TimelineEvent& event) {
    std::visit([&](const auto& what) { write(event.time_ns, what); }, event.what);
  }

  void write(uint64_t time_ns, const PictureFault& fault) { notice(time_ns, FaultTrack, "faults", fault.text, {}); }
  void write(uint64_t time_ns, const PictureDrop& drop) {
    notice(time_ns, DropTrack, "drops of data", drop.text, drop.kind);
  }

  void notice(uint64_t time_ns, uint64_t track, const char* track_name, const std::string& text,
              const std::string& kind) {
    auto [last, is_new] = notice_times_.try_emplace(track);
    if (is_new) packets_.named_track(track, RunTrack, track_name);
    last->second = std::max(last->second, time_ns);
    PerfettoEvent event{.time_ns = last->second, .type = Type::Instant, .track = track, .name = text};
    event.category = "dscope";
    if (!kind.empty()) event.annotations.emplace_back("kind", kind);
    packets_.event(event);
  }

  // The track of the thread, which is described first when it is new or has another name since an exec.
  std::pair<uint64_t, Thread*> thread_of(const PictureRow& row) {
    bool has_thread = row.pid != 0 && row.tid != 0;
    uint64_t number = has_thread ? FirstThread + row.tid : FirstCpu + row.cpu;
    auto [found, is_new] = threads_.try_emplace(number);
    Thread& thread = found->second;
    if (!has_thread) {
      if (is_new) packets_.named_track(number, 0, fmt::format("CPU {}", row.cpu));
      return {number, &thread};
    }
    bool is_renamed = !row.execname.empty() && row.execname != thread.name;
    if (!is_new && !is_renamed) return {number, &thread};
    if (is_renamed) thread.name = row.execname;
    auto [process, is_first] = processes_.try_emplace(row.pid, thread.name);
    // The main thread names the process.
    bool names_process = row.pid == row.tid && process->second != thread.name;
    if (names_process) process->second = thread.name;
    if (is_first || names_process) packets_.process_track(FirstProcess + row.pid, row.pid, process->second);
    packets_.thread_track(number, FirstProcess + row.pid, row.pid, row.tid, thread.name);
    return {number, &thread};
  }

  // The slices that the row begins and ends. Two printing probes of a pair take precedence over a variable.
  std::vector<PairedProbe> roles_of(const PictureRow& row, Thread& thread) const {
    PairedProbe probe = pairs_.at(row.probe);
    bool is_same_firing =
        row.monotonic_ns != 0 && thread.firing_ns == row.monotonic_ns && thread.firing_probe == row.probe;
    thread.firing_ns = row.monotonic_ns;
    thread.firing_probe = row.probe;
    if (probe.role == PairedProbe::Role::None) return pairs_.of_clause(row.clause);
    return is_same_firing ? std::vector<PairedProbe>{} : std::vector{probe};
  }

  void write(uint64_t time_ns, const PictureRow& row) {
    auto [track, thread] = thread_of(row);
    bool is_late = time_ns < thread->last_ns;
    thread->last_ns = std::max(thread->last_ns, time_ns);
    PerfettoEvent event{.time_ns = thread->last_ns, .type = Type::Instant, .track = track};
    if (is_late) event.annotations.emplace_back("time of the probe", fmt::format("{}", time_ns));
    bool is_slice = false;
    for (const PairedProbe& probe : roles_of(row, *thread)) {
      ThreadSlices::Step step = thread->slices.add(probe);
      for (; step.closed != 0; --step.closed)
        packets_.event({.time_ns = thread->last_ns, .type = Type::SliceEnd, .track = track});
      if (step.role == PairedProbe::Role::None) continue;
      is_slice = true;
      write(event, row, probe, step.role);
    }
    if (!is_slice) write(event, row, {}, PairedProbe::Role::None);
    if (row.stack.empty()) return;
    packets_.sample({.time_ns = thread->last_ns, .cpu = row.cpu, .pid = row.pid, .tid = row.tid, .stack = row.stack});
  }

  void write(PerfettoEvent event, const PictureRow& row, const PairedProbe& probe, PairedProbe::Role role) {
    fill(event, row, probe, role);
    packets_.event(event);
  }

  void fill(PerfettoEvent& event, const PictureRow& row, const PairedProbe& probe, PairedProbe::Role role) const {
    static const PictureProbe unknown{};
    const PictureProbe& traced = row.probe < probes_.size() ? probes_[row.probe] : unknown;
    // Rows that are no slice are named by their text.
    std::string_view text = without_line_ends(row.text), first_line = text.substr(0, text.find('\n'));
    bool is_slice = role != PairedProbe::Role::None, is_end = role == PairedProbe::Role::End;
    if (is_slice) event.type = is_end ? Type::SliceEnd : Type::SliceBegin;
    else event.name = text.empty() ? probe_text(traced) : shortened(first_line, max_event_name_characters);
    event.is_name_interned = is_slice && !is_end;
    if (event.is_name_interned) event.name = probe.name;
    event.category = traced.provider;
    // The arguments of a slice are those of its begin and its end.
    bool is_told_by_name = !is_slice && event.name == text;
    if (!text.empty() && !is_told_by_name) event.annotations.emplace_back(is_end ? "text at end" : "text", row.text);
    if (is_end) return;
    event.annotations.emplace_back("probe", probe_text(traced));
    event.annotations.emplace_back("cpu", fmt::format("{}", row.cpu));
  }

  TimelineClock clock_;
  PerfettoPackets packets_;
  RunModel model_;  // without rows
  std::vector<PictureProbe> probes_;
  ProbePairs pairs_;
  TimelineOrder order_;
  std::map<uint64_t, Thread> threads_;         // by track
  std::map<uint32_t, std::string> processes_;  // names by pid
  std::map<uint64_t, uint64_t> notice_times_;  // of the last notice, by track
  uint64_t last_update_ns_ = 0;
  uint64_t lost_rows_ = 0, drops_ = 0;
};

PerfettoWriter::PerfettoWriter(TimelineSink sink) : sink_(std::move(sink)) {}
PerfettoWriter::PerfettoWriter(PerfettoWriter&&) noexcept = default;
PerfettoWriter& PerfettoWriter::operator=(PerfettoWriter&&) noexcept = default;
PerfettoWriter::~PerfettoWriter() = default;

void PerfettoWriter::begin(const RunStart& start) {
  DS_CHECK(!trace_);
  trace_ = std::make_unique<Trace>(sink_, start);
}
void PerfettoWriter::add(const RunUpdate& update) { trace_->add(update); }
void PerfettoWriter::end(const RunEnd& end) { trace_->end(end); }

}  // namespace dscope
