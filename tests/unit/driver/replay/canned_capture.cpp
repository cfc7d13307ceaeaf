#include "tests/unit/driver/replay/canned_capture.h"

#include <cstring>

#include "driver/replay/capture_replay.h"
#include "tests/support/golden_files.h"
#include "tests/support/temporary_folder.h"

namespace dscope {

bool CannedCapture::next(CaptureBatch& batch) {
  if (position_ == events.size()) return false;
  size_t end = std::min(events.size(), position_ + batch_size);
  batch = {};
  batch.recording = events[position_].recording;
  for (size_t i = position_; i < end; ++i)
    if (events[i].recording != batch.recording) end = i;
  size_t words = 0, pieces = 0, bytes = 0;
  for (size_t i = position_; i < end; ++i) {
    words += events[i].words.size();
    pieces += events[i].memory.size();
    for (const auto& [address, text] : events[i].memory) bytes += text.size();
  }
  batch.words.reserve(words);
  batch.memory.reserve(pieces);
  batch.bytes.reserve(bytes);
  for (; position_ < end; ++position_) {
    const CannedEvent& event = events[position_];
    size_t first_word = batch.words.size(), first_piece = batch.memory.size();
    batch.words.insert(batch.words.end(), event.words.begin(), event.words.end());
    for (const auto& [address, text] : event.memory) {
      size_t at = batch.bytes.size();
      auto span = std::as_bytes(std::span{text});
      batch.bytes.insert(batch.bytes.end(), span.begin(), span.end());
      batch.memory.push_back({address, std::span<const std::byte>{batch.bytes}.subspan(at)});
    }
    batch.events.push_back({.time = event.time,
                            .probe = event.probe,
                            .cpu = event.cpu,
                            .thread = event.thread,
                            .error = event.error,
                            .kernel_stack = event.kernel_stack,
                            .user_stack = event.user_stack,
                            .words = std::span<const uint64_t>{batch.words}.subspan(first_word),
                            .memory = std::span<const CapturedMemory>{batch.memory}.subspan(first_piece)});
  }
  return true;
}

namespace {

uint32_t add_type(CaptureInfo& info, Type type) {
  info.types.push_back(std::move(type));
  return static_cast<uint32_t>(info.types.size() - 1);
}

CapturedProbe system_call(const std::string& function, const std::string& name, uint32_t id, uint32_t arguments) {
  return {.id = id,
          .provider = "syscall",
          .module = "vmlinux",
          .function = function,
          .name = name,
          .is_system_call = true,
          .arg_count = arguments};
}

// psinfo_t as the recorder stores it: translated, with the name inside.
void add_wakeup(CaptureInfo& info) {
  uint32_t number = add_type(info, {.kind = TypeKind::Integer, .name = "int", .size = 4, .is_signed = true});
  uint32_t string = add_type(info, {.kind = TypeKind::String, .name = "string", .size = 16});
  uint32_t object = add_type(info, {.kind = TypeKind::Struct,
                                    .name = "psinfo_t",
                                    .size = 24,
                                    .members = {{.name = "pr_pid", .type = {number}},
                                                {.name = "pr_fname", .type = {string}, .bit_offset = 64}}});
  uint32_t pointer = add_type(info, {.kind = TypeKind::Pointer, .size = 8, .base = {object}});
  info.probes.push_back({.id = 300,
                         .provider = "sched",
                         .name = "wakeup",
                         .has_typed_args = true,
                         .arg_count = 0,
                         .args = {{.expression = "args[0]", .type_text = "psinfo_t *", .type = {pointer}, .word = 0}}});
}

}  // namespace

std::unique_ptr<CannedCapture> canned_capture() {
  auto capture = std::make_unique<CannedCapture>();
  CaptureInfo& info = capture->information;
  info.descriptions = {"syscall::read:", "sched:::wakeup"};
  info.parts = {CapturePart::Args, CapturePart::Strings};
  info.facts.cpu_count = 2;
  add_type(info, {});
  info.probes.push_back(system_call("read", "entry", 100, 3));
  info.probes.push_back(system_call("read", "return", 101, 2));
  add_wakeup(info);
  info.recordings.push_back({.begin = 1'000'000'000, .end = 5'000'000'000, .boot_to_wall_ns = 7});
  capture->all_tables.threads = {{.pid = 10, .tid = 11, .ppid = 1, .uid = 1000, .gid = 1000, .execname = "cat"},
                                 {.pid = 20, .tid = 20, .ppid = 10, .uid = 0, .gid = 0, .execname = "sh"}};
  return capture;
}

ReplayOutcome replay_text(std::unique_ptr<CaptureReader> reader, const std::string& program,
                          const std::vector<std::string>& settings) {
  TemporaryFolder folder;
  std::string path = folder.path() + "/out";
  std::vector<const char*> arguments = {"dscope", "-q",         "-x", "nolibs",       "--replay=canned",
                                        "-o",     path.c_str(), "-n", program.c_str()};
  for (const std::string& setting : settings) arguments.insert(arguments.end(), {"-x", setting.c_str()});
  auto command_line = parse_command_line(arguments);
  if (!command_line) return {.status = -1, .problem = command_line.error().text};
  auto options = make_options(*command_line, [](const std::string&) { return nullptr; });
  if (!options) return {.status = -1, .problem = options.error().message()};
  Result<int> status = replay_capture(*command_line, *options, std::move(reader));
  ReplayOutcome outcome{.status = status.value_or(-1), .out = read_file(path)};
  if (outcome.out.ends_with('\n')) outcome.out.pop_back();  // a run ends with an empty line
  if (!status) outcome.problem = status.error().message();
  return outcome;
}

}  // namespace dscope
