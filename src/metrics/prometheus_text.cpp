#include "metrics/prometheus_text.h"

#include "support/format.h"

namespace dscope {

namespace {

void append_escaped(std::string& out, std::string_view text, bool is_label) {
  for (char c : text) {
    if (c == '\\') out += "\\\\";
    else if (c == '\n') out += "\\n";
    else if (c == '"' && is_label) out += "\\\"";
    else out += c;
  }
}

const char* type_name(MetricKind kind) {
  switch (kind) {
    case MetricKind::Counter: return "counter";
    case MetricKind::Gauge: return "gauge";
    case MetricKind::Histogram: return "histogram";
    case MetricKind::Summary: break;
  }
  return "summary";
}

class TextWriter {
 public:
  explicit TextWriter(bool is_openmetrics) : is_openmetrics_(is_openmetrics) {}

  void write(const MetricFamily& family) {
    if (family.points.empty()) return;
    family_ = &family;
    // Prometheus names the family of a counter as its sample.
    std::string name = family.name + (family.kind == MetricKind::Counter && !is_openmetrics_ ? "_total" : "");
    out_ += "# HELP " + name + " ";
    append_escaped(out_, family.help, is_openmetrics_);
    out_ += "\n# TYPE " + name + " " + type_name(family.kind) + "\n";
    if (is_openmetrics_ && !family.unit.empty()) out_ += "# UNIT " + name + " " + family.unit + "\n";
    for (const MetricPoint& point : family.points) write(point);
  }

  std::string take() {
    if (is_openmetrics_) out_ += "# EOF\n";
    return std::move(out_);
  }

 private:
  void write(const MetricPoint& point) {
    point_ = &point;
    switch (family_->kind) {
      case MetricKind::Counter:
        sample("_total", {}, point.value.times(family_->scale).text(), /*with_exemplar=*/true);
        return created();
      case MetricKind::Gauge: return sample("", {}, point.value.times(family_->scale).text());
      case MetricKind::Histogram: return histogram(point);
      case MetricKind::Summary: return summary(point);
    }
  }

  void histogram(const MetricPoint& point) {
    uint64_t sum = 0;
    for (const MetricBucket& bucket : point.buckets) {
      sum += bucket.count;
      bool is_last = bucket.bound == MetricBucket::no_bound;
      sample("_bucket", {"le", is_last ? "+Inf" : bound_text(bucket.bound)}, std::to_string(sum), is_last);
    }
    sample("_count", {}, std::to_string(sum));
    created();
  }

  void summary(const MetricPoint& point) {
    for (const auto& [quantile, value] : point.quantiles)
      sample("", {"quantile", fmt::format("{}", quantile)}, value.times(family_->scale).text());
    if (point.sum) sample("_sum", {}, point.sum->times(family_->scale).text());
    if (point.count) sample("_count", {}, point.count->text());
    if (point.count) created();
  }

  // OpenMetrics wants bounds as real numbers: "1023.0".
  std::string bound_text(int64_t bound) const {
    std::string text = MetricNumber::of_signed(bound).times(family_->scale).text();
    if (is_openmetrics_ && text.find_first_of(".e") == text.npos) text += ".0";
    return text;
  }

  void sample(const char* suffix, const MetricLabel& added, const std::string& value, bool with_exemplar = false) {
    out_ += family_->name + suffix;
    labels(added);
    out_ += " " + value;
    if (is_openmetrics_ && with_exemplar) exemplar();
    out_ += "\n";
  }

  void labels(const MetricLabel& added) {
    const char* separator = "{";
    auto append = [&](const MetricLabel& label) {
      out_ += separator + label.name + "=\"";
      append_escaped(out_, label.value, /*is_label=*/true);
      out_ += '"';
      separator = ",";
    };
    for (const MetricLabel& label : point_->labels) append(label);
    if (!added.name.empty()) append(added);
    if (*separator == ',') out_ += '}';
  }

  // The names and values of its labels have 128 characters at most: the innermost frames, which differ most.
  void exemplar() {
    if (point_->stack.empty()) return;
    constexpr size_t max_bytes = 128 - std::string_view{"stack"}.size();
    std::string_view stack = point_->stack;
    if (stack.size() > max_bytes) {
      stack = stack.substr(stack.size() - max_bytes);
      while (!stack.empty() && (static_cast<unsigned char>(stack.front()) & 0xC0) == 0x80) stack.remove_prefix(1);
      if (size_t frame = stack.find(';'); frame != stack.npos) stack = stack.substr(frame + 1);
    }
    out_ += " # {stack=\"";
    append_escaped(out_, stack, /*is_label=*/true);
    out_ += "\"} " + point_->stack_value.times(family_->scale).text();
  }

  void created() {
    int64_t created_ns = family_->created_of(*point_);
    if (!is_openmetrics_ || created_ns == 0) return;
    sample("_created", {}, fmt::format("{:.3f}", static_cast<double>(created_ns) / 1e9));
  }

  bool is_openmetrics_;
  std::string out_;
  const MetricFamily* family_ = nullptr;
  const MetricPoint* point_ = nullptr;
};

std::string text_of(const std::vector<MetricFamily>& families, bool is_openmetrics) {
  TextWriter writer{is_openmetrics};
  for (const MetricFamily& family : families) writer.write(family);
  return writer.take();
}

}  // namespace

std::string prometheus_text(const std::vector<MetricFamily>& families) { return text_of(families, false); }
std::string openmetrics_text(const std::vector<MetricFamily>& families) { return text_of(families, true); }

}  // namespace dscope
