#include "metrics/own_metrics.h"

#include <map>

#include "metrics/family_names.h"

namespace dscope {

namespace {

double seconds(uint64_t ns) { return static_cast<double>(ns) / 1e9; }

class OwnMetrics {
 public:
  OwnMetrics(const std::string& script, int64_t created_ns) : script_(label_text(script)), created_ns_(created_ns) {}

  MetricFamily& add(const char* name, const char* unit, const char* help, MetricKind kind) {
    MetricFamily& family = families_.emplace_back(MetricFamily{.name = name, .unit = unit, .help = help});
    family.kind = kind;
    if (kind == MetricKind::Counter) family.created_ns = created_ns_;
    return family;
  }
  void add(const char* name, const char* unit, const char* help, MetricKind kind, MetricNumber value) {
    add_point(add(name, unit, help, kind), {}, value);
  }
  void add_point(MetricFamily& family, std::vector<MetricLabel> labels, MetricNumber value) const {
    labels.insert(labels.begin(), {.name = "script", .value = script_});
    family.points.push_back({.labels = std::move(labels), .value = value});
  }
  std::vector<MetricFamily> take() { return std::move(families_); }

 private:
  std::string script_;
  int64_t created_ns_;
  std::vector<MetricFamily> families_;
};

void add_losses(OwnMetrics& metrics, const RunModel& model) {
  std::map<std::string, uint64_t> drops = {{"DTRACEDROP_PRINCIPAL", 0}, {"DTRACEDROP_AGGREGATION", 0}};
  for (const auto& [kind, count] : model.drop_counts()) drops[kind] = count;
  MetricFamily& family =
      metrics.add("dscope_drops", "", "Records, elements and variables that were lost, by kind", MetricKind::Counter);
  for (const auto& [kind, count] : drops)
    metrics.add_point(family, {{.name = "kind", .value = kind}}, MetricNumber::of_unsigned(count));
  metrics.add("dscope_faults", "", "Clauses that were ended by a fault", MetricKind::Counter,
              MetricNumber::of_unsigned(model.fault_count()));
}

// Several programs may belong to one clause.
std::map<std::string, ProgramCostPart> cost_by_clause(const RunCost& cost) {
  std::map<std::string, ProgramCostPart> clauses;
  for (const ProgramCostPart& part : cost.programs) {
    ProgramCostPart& clause = clauses[label_text(part.name)];
    clause.cpu_ns += part.cpu_ns;
    clause.firings += part.firings;
    clause.suspensions += part.suspensions;
    clause.is_suspended |= part.is_suspended;
  }
  return clauses;
}

void add_cost(OwnMetrics& metrics, const RunCost& cost) {
  metrics.add("dscope_consumer_cpu_seconds", "seconds", "CPU time of the process that traces", MetricKind::Counter,
              MetricNumber::of_real(seconds(cost.consumer_cpu_ns)));
  MetricFamily& time =
      metrics.add("dscope_clause_cpu_seconds", "seconds",
                  "CPU time of the BPF program of a probe, which runs its clauses", MetricKind::Counter);
  auto clauses = cost_by_clause(cost);
  for (const auto& [name, part] : clauses)
    metrics.add_point(time, {{.name = "clause", .value = name}}, MetricNumber::of_real(seconds(part.cpu_ns)));
  MetricFamily& firings =
      metrics.add("dscope_firings", "", "How often the BPF program of a probe ran", MetricKind::Counter);
  for (const auto& [name, part] : clauses)
    metrics.add_point(firings, {{.name = "clause", .value = name}}, MetricNumber::of_unsigned(part.firings));
}

// Option cpubudget.
void add_suspensions(OwnMetrics& metrics, const RunCost& cost) {
  auto clauses = cost_by_clause(cost);
  MetricFamily& suspended = metrics.add(
      "dscope_clause_suspended", "", "1 while the probe is detached because it exceeds cpubudget", MetricKind::Gauge);
  for (const auto& [name, part] : clauses)
    metrics.add_point(suspended, {{.name = "clause", .value = name}}, MetricNumber::of_unsigned(part.is_suspended));
  MetricFamily& count =
      metrics.add("dscope_clause_suspensions", "", "How often the probe was detached because it exceeded cpubudget",
                  MetricKind::Counter);
  for (const auto& [name, part] : clauses)
    metrics.add_point(count, {{.name = "clause", .value = name}}, MetricNumber::of_unsigned(part.suspensions));
}

void add_fills(OwnMetrics& metrics, const RunModel& model) {
  MetricFamily& family =
      metrics.add("dscope_table_fill_ratio", "ratio",
                  "How full the kernel's table of an aggregation is: at 1 new keys are summed up", MetricKind::Gauge);
  for (const TableFill& fill : model.fills()) {
    if (fill.aggregation >= model.aggregations().size() || fill.capacity == 0) continue;
    double ratio = static_cast<double>(fill.elements) / static_cast<double>(fill.capacity);
    const std::string& name = model.aggregations()[fill.aggregation].info.name;
    metrics.add_point(family, {{.name = "aggregation", .value = "@" + label_text(name)}}, MetricNumber::of_real(ratio));
  }
}

void add_push(OwnMetrics& metrics, const PushState& push) {
  metrics.add("dscope_otlp_pushes", "", "Payloads that the OTLP receiver has accepted", MetricKind::Counter,
              MetricNumber::of_unsigned(push.accepted));
  metrics.add("dscope_otlp_failures", "", "Attempts to push that failed", MetricKind::Counter,
              MetricNumber::of_unsigned(push.failures));
  metrics.add("dscope_otlp_lost", "", "Payloads that were given up", MetricKind::Counter,
              MetricNumber::of_unsigned(push.lost));
  metrics.add("dscope_otlp_waiting", "", "Payloads that wait for the OTLP receiver", MetricKind::Gauge,
              MetricNumber::of_unsigned(push.waiting));
}

void add_elements(OwnMetrics& metrics, const RunModel& model) {
  MetricFamily& family =
      metrics.add("dscope_elements", "", "Elements of an aggregation that have series of their own", MetricKind::Gauge);
  for (const AggregationModel& aggregation : model.aggregations()) {
    uint64_t count = 0;
    for (const PictureElement& element : aggregation.elements) count += !element.is_removed;
    metrics.add_point(family, {{.name = "aggregation", .value = "@" + label_text(aggregation.info.name)}},
                      MetricNumber::of_unsigned(count));
  }
}

}  // namespace

std::vector<MetricFamily> own_metrics(const RunModel* model, const ServerState& state, const std::string& script) {
  OwnMetrics metrics{script, model == nullptr ? 0 : model->start().start_ns};
  metrics.add("dscope_up", "", "1 while the script is attached", MetricKind::Gauge,
              MetricNumber::of_unsigned(state.is_up));
  metrics.add("dscope_reloads", "", "Reloads of the script", MetricKind::Counter,
              MetricNumber::of_unsigned(state.reloads));
  metrics.add("dscope_failed_reloads", "", "Reloads that failed: the script before goes on", MetricKind::Counter,
              MetricNumber::of_unsigned(state.failed_reloads));
  metrics.add("dscope_lost_events", "", "Rows that clients of /events were too slow to read", MetricKind::Counter,
              MetricNumber::of_unsigned(state.lost_events));
  metrics.add("dscope_server_cpu_seconds", "seconds", "CPU time of the process that serves", MetricKind::Counter,
              MetricNumber::of_real(state.server_cpu_seconds));
  if (state.push) add_push(metrics, *state.push);
  if (model == nullptr) return metrics.take();
  add_losses(metrics, *model);
  add_cost(metrics, model->cost());
  add_suspensions(metrics, model->cost());
  add_fills(metrics, *model);
  add_elements(metrics, *model);
  return metrics.take();
}

}  // namespace dscope
