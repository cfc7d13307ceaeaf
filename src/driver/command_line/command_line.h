// Parses the command line: argv in, CommandLine out (consumer-and-actions.md 9). Checks letters, their arguments and
// their combinations; opens nothing, compiles nothing. The first call of the driver.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/option_values.h"
#include "driver/command_line/script_arguments.h"
#include "runtime/targets/targets.h"
#include "support/result.h"

namespace dscope {

// Header and Object: -h and -G, for programs with static probes. SaveFacts: --save-facts. Info: --info. Merge: --merge.
// Redact: --redact.
enum class RunMode : uint8_t { Trace, List, Header, Object, SaveFacts, Info, Merge, Redact, Help, Version };

// The stages of --dump: the summary, then the products in the order of the phases.
enum class DumpStage : uint8_t { Summary, Tokens, Ast, Source, Types, Probes, Plan, Ir, IrOpt, Asm, Object };
std::string_view to_string(DumpStage stage);

// One -s, -n, -P, -m, -f or -i.
struct ProgramArgument {
  char letter = 'n';
  std::string text;  // the argument: a path for -s, else description, predicate and actions
  bool is_script() const { return letter == 's'; }
};

// One option set by -x or by a letter; applied by make_options.
struct OptionSetting {
  std::string name, value;
  bool has_value = false;
  std::string flag;  // for "failed to set {flag}": "-x strsize", "-b 4q", "-q"
};

// Whether the program was invoked under the name of DTrace's command: messages and listings are exactly its.
inline bool is_dtrace_name(std::string_view program_name) { return program_name == "dtrace"; }

// --otlp and the options that belong to it.
struct OtlpSettings {
  std::string url;                       // of the receiver; empty: no --otlp
  bool is_json = false;                  // --otlp-format=json
  int64_t interval_ns = 15'000'000'000;  // --otlp-interval
  std::string header_file;               // lines "Name: value" for each request
};

// --serve and the options that belong to it.
struct ServeSettings {
  std::string address;                     // "[HOST]:PORT", "unix:PATH", "fd://N"; empty: no --serve
  std::string token_file;                  // clients send its content as the bearer token
  std::string certificate_file, key_file;  // TLS, PEM
  bool permits_anyone = false;             // without a token, on any address
};

struct CommandLine {
  std::string program_name;  // basename of argv[0]: the prefix of every message
  std::string invoked_as;    // argv[0]: $0 of programs that are not scripts
  RunMode mode = RunMode::Trace;
  bool is_compile_only = false;  // -e
  bool is_dry_run = false;       // --dry-run, --dump: print `dumps`, never touch the kernel
  bool is_verbose = false;       // -v
  bool is_very_verbose = false;  // -v twice
  bool shows_fragments = false;  // -B
  DataModel data_model = DataModel::Lp64;
  std::vector<ProgramArgument> programs;
  std::vector<std::string> operands;  // $1...; the objects of -G; the results of --merge
  ScriptArguments script;             // the options that the scripts declare, with their values
  std::optional<std::string> output_file;
  std::vector<TargetRequest> targets;      // -c, -p and, as the last one, the command after --
  bool has_command_words = false;          // there is a command after --
  std::vector<DumpStage> dumps;            // sorted; summary, plan and ir if --dry-run was given alone
  std::string facts_file;                  // --facts: the other machine to compile for; --save-facts: the file to write
  std::vector<std::string> machines;       // --build: the files of all --facts
  std::vector<std::string> bound_kernels;  // --bind: BTF files for --build
  std::string bundle_file;                 // --build: the file to write; --info: the file to describe
  std::string report_file;                 // --report: the page to write at the end; empty: none
  std::string record_file;                 // --record: the capture to write; empty: none
  std::string redacted_parts;              // --redact: its words; the capture is the operand, the copy is output_file
  std::string timeline_path;               // --timeline: the file, or the directory if it ends with /; empty: none
  std::string replay_file;                 // --replay: the capture to run over; empty: the machine
  bool is_live = false;                    // --live
  bool has_page = false;                   // --live=http
  uint16_t page_port = 0;                  // --live=http:PORT; 0: one that is free
  ServeSettings serve;                     // --serve
  OtlpSettings otlp;                       // --otlp
  // For the process that traces for a live view: the descriptor that receives the run, and the steps that led to its
  // program, as JSON (driver/compile/drill_steps.h). They come from the environment, not from users.
  int live_fd = -1;
  std::string drill_steps;
  bool forbids_destructive = false;  // whatever the options say
  bool is_served = false;            // the run is for --serve: few elements, updates once a second
  int control_fd = -1;               // receives the state of the run, for the next one (driver/run/pass_descriptor.h)
  int replaced_state_fd = -1;        // the state of the run that this one replaces
  int shared_handover_fd = -1;       // a map of both runs
  std::vector<OptionSetting> settings;

  bool has_pictures() const {
    return is_live || has_page || is_service() || live_fd >= 0 || !report_file.empty() || !timeline_path.empty();
  }
  // Runs as a service: --serve, --otlp or both.
  bool is_service() const { return !serve.address.empty() || !otlp.url.empty(); }
  bool builds() const { return mode == RunMode::Trace && !bundle_file.empty(); }
  bool is_dtrace() const { return is_dtrace_name(program_name); }
};

// An error in the command line: complete lines for stderr, with the usage where it helps.
struct CommandLineError {
  std::string text;
  int exit_status = 2;
};

tl::expected<CommandLine, CommandLineError> parse_command_line(std::span<const char* const> arguments);

// Returns the value of an environment variable, or null.
using EnvironmentLookup = std::function<const char*(const std::string& name)>;

// Defaults, then DTRACE_OPT_* from the environment, then the command line in order. Errors have the classic texts:
// "failed to set -x strsize: Invalid value for specified option".
Result<OptionValues> make_options(const CommandLine& command_line, const EnvironmentLookup& environment);

// "dscope 0.1.0"
std::string release_name();
// "dscope: dscope 0.1.0, D 2.0", or the text that scripts expect from a program named dtrace; -v adds lines.
std::string version_text(std::string_view program_name, bool is_verbose);

// The part of a program's text that notices and reports show: up to the first of `{`, `/`, `;`
// (consumer-and-actions.md 1.2).
std::string_view notice_name(std::string_view program_text);

}  // namespace dscope
