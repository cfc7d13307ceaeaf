#include "driver/merge/print_results.h"

#include <algorithm>

#include "driver/merge/key_layout.h"
#include "driver/merge/row_text.h"
#include "runtime/aggregations/aggregation_set.h"
#include "runtime/format/output_format.h"
#include "runtime/output/json_value.h"
#include "runtime/output/wall_clock.h"
#include "support/text/visible_text.h"

namespace dscope {

namespace {

// Merged aggregations as the snapshot of a machine with one CPU.
class MergedSource final : public AggregationSource {
 public:
  // `plan` receives the aggregations.
  MergedSource(const MergedAggregations& merged, ProgramPlan& plan, ResolvedSymbols& symbols) {
    for (const MergedAggregation& aggregation : merged.all()) {
      KeyLayout layout = lay_out_keys(aggregation, symbols);
      plan.aggregations.push_back(aggregation.plan);
      plan.aggregations.back().keys = std::move(layout.fields);
      plan.aggregations.back().key_size = layout.key_size;
      std::vector<AggregationElement>& elements = elements_.emplace_back();
      for (size_t i = 0; i < aggregation.elements.size(); ++i) {
        CpuValues values(aggregation.plan.value_size);
        auto words = std::as_bytes(std::span{aggregation.elements[i].words});
        values.append(0, words.data());
        elements.push_back({.key = std::move(layout.keys[i]), .values = std::move(values)});
      }
    }
  }

  uint32_t cpu_count() const override { return 1; }
  Result<std::vector<AggregationElement>> read(uint32_t id) override { return elements_[id]; }
  Result<CpuValues> remove(uint32_t, std::span<const std::byte>) override { return fail(Error("merged")); }
  uint64_t next_generation(uint32_t) override { return 0; }
  uint64_t generation(uint32_t) const override { return 0; }

 private:
  std::vector<std::vector<AggregationElement>> elements_;  // by aggregation
};

// Addresses of code mean nothing on other machines.
void remove_addresses(Json& element) {
  for (Json& key : element["keys"])
    for (const char* name : {"stack-frames", "ustack-frames"})
      if (key.is_object() && key.contains(name))
        for (Json& frame : key[name]) frame.erase("address");
}

// False for the row of a clause whose actions print nothing, such as clear().
bool has_items(const MergedRow& row) { return !row.event["output"].empty(); }

class ResultsPrinter {
 public:
  ResultsPrinter(const MergedResults& results, const OptionValues& options, const PrintSettings& settings,
                 OutputStream& out, OutputStream& messages)
      : results_(results),
        settings_(settings),
        format_(output_format(options)),
        out_(out),
        messages_(messages),
        plan_(plan_with(options)),
        source_(results.aggregations(), plan_, symbols_),
        values_(plan_, plan_.options, symbols_, 0, out),
        key_values_(values_.for_keys(settings.prints_as_dtrace)),
        aggregations_(plan_, key_values_, source_, messages, settings.program_name) {
    if (settings.line_width) aggregations_.fit_columns(*settings.line_width);
    const std::vector<MergedAggregation>& merged = results.aggregations().all();
    for (uint32_t id = 0; id < merged.size(); ++id) aggregations_.normalize(id, merged[id].normal);
  }

  void print() {
    if (format_ == OutputFormat::JsonLines) return print_json();
    if (format_ == OutputFormat::Text) {
      for (const MergedRow& row : results_.rows()) print_text_row(row);
      out_.write("\n");
    } else if (auto count = std::ranges::count_if(results_.rows(), has_items); count > 0) {
      messages_.write(fmt::format("{}: {} row{} left out: this format prints aggregations only\n",
                                  settings_.program_name, count, count == 1 ? " is" : "s are"));
    }
    aggregations_.print_unprinted(out_, /*has_printed=*/false);
  }

 private:
  static ProgramPlan plan_with(const OptionValues& options) {
    ProgramPlan plan;
    plan.options = options;
    return plan;
  }

  // Each line as pdsh prints it: "machine: text".
  void print_text_row(const MergedRow& row) {
    std::string text = row_text(row.event["output"]);
    for (size_t begin = 0; begin < text.size();) {
      size_t end = text.find('\n', begin) + 1;
      std::string line = fmt::format("{}: {}", row.result, text.substr(begin, end - begin));
      out_.write(out_.is_terminal() ? visible_text(line) : line);
      begin = end;
    }
  }

  void print_json() {
    for (const std::vector<MergedRow>* events : {&results_.rows(), &results_.losses()})
      for (const MergedRow& row : *events) {
        Json event = row.event;
        event["input"] = json_text(row.result);
        write_line(event.dump());
      }
    for (uint32_t id : aggregations_.unprinted()) {
      std::string text = aggregation_text(event_of("aggregation"), aggregations_, id, plan_.aggregations[id], values_,
                                          remove_addresses);
      if (!text.empty()) write_line(std::move(text));
    }
    Json end = event_of("exit");
    end["status"] = results_.exit_status();
    write_line(end.dump());
  }

  static Json event_of(const char* type) { return Json::object({{"type", type}, {"timestamp", wall_clock_ns()}}); }

  void write_line(std::string text) {
    out_.write(out_.is_terminal() ? without_controls_in_json(std::move(text)) : text);
    out_.write("\n");
  }

  const MergedResults& results_;
  const PrintSettings& settings_;
  OutputFormat format_;
  OutputStream& out_;
  OutputStream& messages_;
  ResolvedSymbols symbols_;
  ProgramPlan plan_;
  MergedSource source_;
  ValuePrinter values_, key_values_;
  AggregationSet aggregations_;
};

}  // namespace

Result<> check_merge_format(const OptionValues& options) {
  OutputFormat format = output_format(options);
  if (!is_picture(format) && format != OutputFormat::JsonDocument) return {};
  return fail(Error("--merge prints text, json, csv or folded").hint("choose it with --format").status(2));
}

void print_results(const MergedResults& results, const OptionValues& options, const PrintSettings& settings,
                   OutputStream& out, OutputStream& messages) {
  ResultsPrinter{results, options, settings, out, messages}.print();
}

}  // namespace dscope
