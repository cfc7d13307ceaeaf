#include "driver/record/recording_compilation.h"

#include <algorithm>
#include <set>

#include "driver/record/capture_start.h"
#include "support/print_message.h"
#include "support/text/word_list.h"

namespace dscope {

namespace {

// More than the default: a consumer that compresses must not lose events when it is interrupted for some milliseconds.
constexpr int64_t recording_buffer_size = 32 << 20;
constexpr int64_t default_span_ns = 30'000'000'000;

// The parts of events that -x record names.
Result<std::vector<CapturePart>> recorded_parts(const OptionValues& options) {
  using enum CapturePart;
  if (!options.is_set(OptionId::Record))
    return options.is_on(OptionId::Recordstacks) ? std::vector{Args, Strings, Stacks} : std::vector{Args, Strings};
  std::set<CapturePart> parts;
  for (std::string_view word : parts_of(options.text(OptionId::Record), ",")) {
    const auto* found = std::ranges::find(capture_part_words, word);
    if (found == capture_part_words.end())
      return fail(Error::make("unknown part of events in -x record: {}", word)
                      .hint("the parts are args, strings, stacks, threads and types"));
    parts.insert(static_cast<CapturePart>(found - capture_part_words.begin()));
  }
  if (parts.contains(Strings)) parts.insert(Args);
  if (options.is_on(OptionId::Recordstacks)) parts.insert(Stacks);
  return std::vector(parts.begin(), parts.end());
}

// Changes options that a recording cannot obey: captures hold user stacks as addresses, not as copies.
Result<> adapt_options(OptionValues& options) {
  if (options.text(OptionId::Bufpolicy) == "ring") {
    if (!options.is_set(OptionId::Recordspan)) options.set_number(OptionId::Recordspan, default_span_ns);
    (void)options.set("bufpolicy", "switch", true, OptionOrigin::CommandLine);
  }
  if (options.text(OptionId::Bufpolicy) == "fill")
    return fail(Error("--record writes events as they happen: omit -x bufpolicy=fill"));
  if (!options.is_set(OptionId::Bufsize)) options.set_number(OptionId::Bufsize, recording_buffer_size);
  if (options.text(OptionId::Ustackunwind) != "fp")
    (void)options.set("ustackunwind", "tables", true, OptionOrigin::CommandLine);
  return {};
}

}  // namespace

Result<std::unique_ptr<RecordingCompilation>> RecordingCompilation::prepare(const CommandLine& command_line,
                                                                            OptionValues& options, Host& base) {
  if (command_line.record_file.empty()) return nullptr;
  DS_TRY(std::vector<CapturePart> parts, recorded_parts(options));
  DS_TRY_VOID(adapt_options(options));
  std::unique_ptr<RecordingCompilation> result{new RecordingCompilation(std::move(parts), base)};
  auto has = [&](CapturePart part) { return std::ranges::count(result->parts_, part) != 0; };
  result->plan_.parts = {.has_args = has(CapturePart::Args),
                         .has_strings = has(CapturePart::Strings),
                         .has_stacks = has(CapturePart::Stacks),
                         .has_threads = has(CapturePart::Threads)};
  return result;
}

Result<> RecordingCompilation::check_probes(const CommandLine& command_line) const {
  if (plan_.groups.empty() && plan_.later_probes.empty())
    return fail(Error("--record has nothing to record: every clause has actions")
                    .hint("name the probes without actions: -n 'syscall:::, io:::'"));
  for (const std::string& description : plan_.later_probes) {
    std::string problem = fmt::format("cannot record probes that appear later: {} matches none yet", description);
    if (plan_.groups.empty())
      return fail(Error(std::move(problem)).hint("start the recording once the library or program is loaded: -p PID"));
    print_message("{}: {}\n", command_line.program_name, problem);
  }
  return {};
}

Result<RecordedProgram> RecordingCompilation::describe(const Compilation& compilation,
                                                       const CommandLine& command_line) {
  DS_TRY_VOID(check_probes(command_line));
  RecordedProgram program = describe_recording(compilation, plan_, host_);
  program.start.info.parts = parts_;
  return program;
}

}  // namespace dscope
