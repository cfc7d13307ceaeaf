#include "pictures/report/report_json.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "pictures/report/aggregation_json.h"
#include "pictures/report/stack_trie.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

using nlohmann::json;

constexpr int64_t largest_exact = int64_t{1} << 53;  // of the integers that a double holds

// Texts that many rows share, such as probes.
class TextTable {
 public:
  size_t add(const std::string& text) {
    auto [known, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) texts_.push_back(visible_line(text));
    return known->second;
  }
  const json& texts() const { return texts_; }

 private:
  std::map<std::string, size_t> numbers_;
  json texts_ = json::array();
};

std::string name_of_probe(const RunStart& start, uint32_t index) {
  if (index >= start.probes.size()) return {};
  const PictureProbe& probe = start.probes[index];
  return probe.provider + ":" + probe.module + ":" + probe.function + ":" + probe.name;
}

json run_json(const RunModel& model) {
  const RunStart& start = model.start();
  int64_t end_ns = model.end() ? model.end()->time_ns : model.last_time_ns();
  json run = {{"program", visible_line(start.program_name)},   {"command", visible_line(start.command_line)},
              {"script", visible_text(start.script)},          {"host", visible_line(start.host)},
              {"kernel", visible_line(start.kernel)},          {"start", exact_json(start.start_ns)},
              {"length", exact_json(end_ns - start.start_ns)}, {"exit_status", nullptr}};
  if (model.end()) run["exit_status"] = model.end()->exit_status;
  return run;
}

json faults_json(const RunModel& model) {
  json list = json::array();
  for (const PictureFault& fault : model.faults())
    list.push_back({{"time", exact_json(fault.time_ns - model.start().start_ns)},
                    {"probe", visible_line(name_of_probe(model.start(), fault.probe))},
                    {"text", visible_line(fault.text)}});
  return {{"count", exact_json(model.fault_count())}, {"list", std::move(list)}};
}

json drops_json(const RunModel& model) {
  json list = json::array();
  for (const PictureDrop& drop : model.drops())
    list.push_back({{"time", exact_json(drop.time_ns - model.start().start_ns)},
                    {"kind", visible_line(drop.kind)},
                    {"text", visible_line(drop.text)},
                    {"count", exact_json(drop.count)}});
  return {{"count", exact_json(model.drop_count())}, {"list", std::move(list)}};
}

json cost_json(const RunCost& cost) {
  return {{"consumer_cpu", exact_json(cost.consumer_cpu_ns)},
          {"program_cpu", exact_json(cost.program_cpu_ns)},
          {"firings", exact_json(cost.firings)}};
}

// By column. Times are the distance from the row before; `fired` is when the probe fired, since the first row.
json rows_json(const RunModel& model) {
  TextTable probes, names;
  json time = json::array(), probe = json::array(), cpu = json::array(), pid = json::array(), tid = json::array(),
       execname = json::array(), text = json::array(), fired = json::array();
  int64_t last = model.start().start_ns;
  uint64_t first_fired = model.rows().empty() ? 0 : model.rows().front().monotonic_ns;
  for (const PictureRow& row : model.rows()) {
    time.push_back(exact_json(row.time_ns - std::exchange(last, row.time_ns)));
    probe.push_back(probes.add(name_of_probe(model.start(), row.probe)));
    fired.push_back(row.monotonic_ns == 0 ? json{} : exact_json(static_cast<int64_t>(row.monotonic_ns - first_fired)));
    cpu.push_back(row.cpu);
    pid.push_back(row.pid);
    tid.push_back(row.tid);
    execname.push_back(names.add(row.execname));
    text.push_back(visible_text(row.text));
  }
  return {{"count", model.rows().size()},
          {"expired", exact_json(model.expired_rows())},
          {"dropped", exact_json(model.dropped_rows())},
          {"probes", probes.texts()},
          {"execnames", names.texts()},
          {"time", std::move(time)},
          {"fired", std::move(fired)},
          {"probe", std::move(probe)},
          {"cpu", std::move(cpu)},
          {"pid", std::move(pid)},
          {"tid", std::move(tid)},
          {"execname", std::move(execname)},
          {"text", std::move(text)}};
}

}  // namespace

json exact_json(int64_t number) {
  if (number > largest_exact || number < -largest_exact) return std::to_string(number);
  return number;
}

json exact_json(uint64_t number) {
  if (number > static_cast<uint64_t>(largest_exact)) return std::to_string(number);
  return number;
}

std::string report_json(const RunModel& model) {
  StackTrie stacks;
  json aggregations = json::array();
  for (const AggregationModel& aggregation : model.aggregations())
    aggregations.push_back(aggregation_json(aggregation, stacks, model.start().start_ns));
  json document = {{"format", "dscope-report"},
                   {"version", 1},
                   {"run", run_json(model)},
                   {"faults", faults_json(model)},
                   {"drops", drops_json(model)},
                   {"cost", cost_json(model.cost())},
                   {"aggregations", std::move(aggregations)},
                   {"stacks", stacks.to_json()},
                   {"rows", rows_json(model)}};
  return document.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

}  // namespace dscope
