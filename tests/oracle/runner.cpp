#include "runner.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include "tests/e2e/e2e_support.h"

namespace dscope::oracle {

namespace {

// The output of all programs of one run, by program name.
using OutputByName = std::map<std::string, Output>;

// Appends a line of a distribution to its element "@g1_p3|key|".
void add_distribution_line(std::string& element, const std::string& line) {
  static const std::regex row("^ *(.*?) [ @]*\\|[ @]* (-?[0-9]+) *$");
  std::smatch match;
  if (!std::regex_match(line, match, row) || match[2] == "0") return;
  std::string label = match[1];
  element += (element.back() == '|' ? "" : ",") + label + ":" + match[2].str();
}

// Sorts the buckets as the model does, and gives the middle bin of llquantize a uniform label.
std::string sorted_buckets(const std::string& element, const std::string& function) {
  if (function.find("quantize") == std::string::npos) return element;
  size_t start = element.rfind('|') + 1;
  std::vector<std::string> buckets;
  std::stringstream stream(element.substr(start));
  for (std::string bucket; std::getline(stream, bucket, ',');) {
    std::string label = bucket.substr(0, bucket.rfind(':'));
    bool is_middle = label == "0" || label.find("< ") != std::string::npos;
    if (function == "llquantize" && is_middle) bucket = "middle" + bucket.substr(label.size());
    buckets.push_back(bucket);
  }
  auto by_label = [](const std::string& a, const std::string& b) {
    return a.substr(0, a.rfind(':')) < b.substr(0, b.rfind(':'));
  };
  std::sort(buckets.begin(), buckets.end(), by_label);
  std::string result = element.substr(0, start);
  for (const std::string& bucket : buckets) result += (result.back() == '|' ? "" : ",") + bucket;
  return result;
}

std::string name_in(const std::string& line) {
  size_t from = line.find('_');
  return from == std::string::npos ? "" : line.substr(from, line.find('|') - from);
}

void read_output(std::string out, OutputByName& outputs) {
  while (out.ends_with("\n")) out.pop_back();  // a run ends with an empty line
  std::stringstream stream(out);
  std::string name;
  bool is_row = false;
  for (std::string line; std::getline(stream, line);) {
    bool starts_row = line.starts_with("_p"), starts_aggregation = line.starts_with("@");
    if (starts_row || starts_aggregation) {
      name = name_in(line);
      is_row = starts_row;
    }
    if (starts_row) outputs[name].lines.push_back(line);
    else if (starts_aggregation) outputs[name].aggregations.push_back(line);
    else if (is_row && !outputs[name].lines.empty())
      outputs[name].lines.back() += "\n" + line;  // a string with a line feed
    else if (!outputs[name].aggregations.empty()) add_distribution_line(outputs[name].aggregations.back(), line);
  }
}

void read_faults(const std::string& err, const std::vector<Program>& programs, OutputByName& outputs) {
  static const std::regex fault(
      "error in dt_clause_([0-9]+) for probe ID [0-9]+ \\([^)]*\\): (.*?)( at BPF pc [0-9]+)?");
  std::stringstream stream(err);
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    size_t at = line.find("error in ");
    if (at == std::string::npos) continue;
    line = line.substr(at);
    if (!std::regex_match(line, match, fault)) continue;
    size_t clause = std::stoul(match[1]);
    for (const Program& program : programs) {
      if (clause < program.clauses.size()) {
        outputs[program.world->name].faults.emplace_back(clause, match[2]);
        break;
      }
      clause -= program.clauses.size();
    }
  }
}

std::string difference(const std::vector<std::string>& seen, const std::vector<std::string>& expected) {
  for (size_t i = 0; i < std::max(seen.size(), expected.size()); ++i) {
    std::string is = i < seen.size() ? seen[i] : "(nothing)", should = i < expected.size() ? expected[i] : "(nothing)";
    if (is != should) return "prints    " + is + "\nshould be " + should + "\n";
  }
  return "";
}

std::vector<std::string> fault_lines(const Output& output) {
  std::vector<std::string> lines;
  for (const auto& [clause, text] : output.faults) lines.push_back("clause " + std::to_string(clause) + ": " + text);
  return lines;
}

void normalize(const Program& program, Output& output) {
  for (std::string& line : output.aggregations)
    for (const Aggregation& aggregation : program.world->aggregations)
      if (line.starts_with("@" + aggregation.name + "|")) line = sorted_buckets(line, aggregation.function);
  std::sort(output.aggregations.begin(), output.aggregations.end());
}

Verdict compare(const std::vector<Program>& programs, OutputByName& outputs) {
  for (size_t i = 0; i < programs.size(); ++i) {
    Output& seen = outputs[programs[i].world->name];
    normalize(programs[i], seen);
    std::optional<Output> expected = predict(programs[i]);
    if (!expected || seen == *expected) continue;
    std::string text = difference(seen.lines, expected->lines) + difference(fault_lines(seen), fault_lines(*expected)) +
                       difference(seen.aggregations, expected->aggregations);
    return {Verdict::Kind::Differs, text, i};
  }
  return {};
}

std::string first_lines(const std::string& text, size_t size = 1500) { return text.substr(0, size); }

}  // namespace

std::string script(const std::vector<Program>& programs, const Setting& setting) {
  std::string result;
  for (const Program& program : programs) result += declarations(program);
  for (const Program& program : programs) result += clauses(program);
  for (const Program& program : programs) result += printing_of_aggregations(program);
  if (setting.ends_by_itself) return result;
  return result + setting.sites[0].probe + " { exit(0); }\n";
}

namespace {

// A file with the script, removed at the end.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& source) {
    int fd = mkstemp(path_);
    if (fd < 0 || write(fd, source.data(), source.size()) != static_cast<ssize_t>(source.size())) abort();
    close(fd);
  }
  ~ScriptFile() { unlink(path_); }
  const char* path() const { return path_; }

 private:
  char path_[32] = "/tmp/dscope_oracle_XXXXXX";
};

bool has_message(const e2e::Outcome& outcome, const char* words) {
  return outcome.err.find(words) != std::string::npos;
}

std::string program_to_test(bool is_native) {
  setenv("DTRACE_OPT_CACHE", "off", 1);  // every program is new: keeping its code would only cost time
  if (is_native) return DSCOPE_NATIVE_PROGRAM;
  const char* other = getenv("DSCOPE_ORACLE_PROGRAM");
  return other != nullptr ? other : DSCOPE_PROGRAM;
}

}  // namespace

uint64_t number_or(const char* name, uint64_t fallback) {
  const char* text = getenv(name);
  return text != nullptr ? strtoull(text, nullptr, 10) : fallback;
}

e2e::Outcome run_script(const std::string& source, const std::vector<std::string>& arguments, bool is_native) {
  ScriptFile file(source);
  std::vector<std::string> all{"timeout", "-s", "KILL", "100", program_to_test(is_native)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.insert(all.end(), {"-qs", file.path()});
  return e2e::run(all, {"LC_ALL=C"});
}

namespace {

e2e::Outcome run_once(const std::vector<Program>& programs, const Setting& setting) {
  std::vector<std::string> arguments{"-x", "debug",       "-x", "nolibs",
                                     "-x", "bufsize=16m", "-x", "strsize=" + std::to_string(setting.strsize)};
  arguments.insert(arguments.end(), setting.arguments.begin(), setting.arguments.end());
  return run_script(script(programs, setting), arguments, setting.is_native);
}

// Repeats a run with drops or a timeout on a busy machine: its output cannot match the model.
e2e::Outcome run(const std::vector<Program>& programs, const Setting& setting) {
  e2e::Outcome outcome;
  for (int attempt = 0; attempt < 3; ++attempt) {
    outcome = run_once(programs, setting);
    if (!has_message(outcome, " drop") && outcome.status != 128 + SIGKILL) break;
  }
  return outcome;
}

std::string without_names(const std::string& message) {
  static const std::regex names("^.*line [0-9]+: |[0-9]+");
  return std::regex_replace(message, names, "");
}

}  // namespace

Verdict judge(const std::vector<Program>& programs, const Setting& setting) {
  e2e::Outcome outcome = run(programs, setting);
  if (has_message(outcome, "failed to compile script"))
    return {Verdict::Kind::NotCompiled, first_lines(outcome.err), SIZE_MAX, without_names(outcome.err)};
  // A program that was rejected first and accepted in another form counts as rejected.
  if (has_message(outcome, "could not enable tracing") || has_message(outcome, "verifier refused"))
    return {Verdict::Kind::Refused, first_lines(outcome.err)};
  if (outcome.status != 0 || has_message(outcome, " drop"))
    return {Verdict::Kind::Broken, "status " + std::to_string(outcome.status) + "\n" + first_lines(outcome.err)};
  OutputByName outputs;
  read_output(outcome.out, outputs);
  read_faults(outcome.err, programs, outputs);
  return compare(programs, outputs);
}

}  // namespace dscope::oracle
