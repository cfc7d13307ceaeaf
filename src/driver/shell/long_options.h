// The long options as rows, for the completion of command lines. Their meaning is in command_line.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace dscope {

enum class LongValue : uint8_t { None, Optional, Required };

struct LongOptionRow {
  std::string_view name;
  LongValue value{};
  std::string_view words;  // values, separated by blanks; empty: any
  std::string_view help;
  bool takes_file = false;
  bool is_list = false;  // several values, separated by commas
};

inline constexpr LongOptionRow long_option_rows[] = {
    {"--bind", LongValue::Required, "", "add the types of a kernel without BTF to a bundle", true},
    {"--build", LongValue::Required, "", "write a bundle for dscope-run", true},
    {"--dry-run", LongValue::None, "", "compile only: print a summary, the plan and the code"},
    {"--dump", LongValue::Required, "summary tokens ast source types probes plan ir ir-opt asm object", "print stages",
     false, true},
    {"--facts", LongValue::Required, "", "use the machine of a file", true},
    {"--fmt", LongValue::Optional, "check write", "format D programs"},
    {"--format", LongValue::Required, "text json csv folded svg pprof speedscope", "output format"},
    {"--help", LongValue::None, "", "print the options"},
    {"--info", LongValue::Required, "", "describe a bundle", true},
    {"--live", LongValue::Optional, "http", "view of the run on the terminal or in a browser"},
    {"--lsp", LongValue::None, "", "language server for editors"},
    {"--merge", LongValue::None, "", "add up results of several machines"},
    {"--otlp", LongValue::Required, "", "push the aggregations as metrics to an OpenTelemetry receiver"},
    {"--otlp-format", LongValue::Required, "protobuf json", "encoding of --otlp"},
    {"--otlp-header-file", LongValue::Required, "", "send the headers of this file with --otlp", true},
    {"--otlp-interval", LongValue::Required, "", "time between two pushes of --otlp"},
    {"--record", LongValue::Required, "", "record the events of clauses without actions", true},
    {"--redact", LongValue::Required, "paths args names", "copy a capture without these strings", false, true},
    {"--replay", LongValue::Required, "", "run the programs over a capture", true},
    {"--report", LongValue::Required, "", "write a page with pictures of the run", true},
    {"--save-facts", LongValue::Required, "", "write a description of this machine", true},
    {"--serve", LongValue::Required, "", "serve the aggregations as metrics"},
    {"--serve-anyone", LongValue::None, "", "serve on any address without a token"},
    {"--serve-cert", LongValue::Required, "", "certificate of --serve", true},
    {"--serve-key", LongValue::Required, "", "private key of --serve", true},
    {"--serve-token-file", LongValue::Required, "", "require the token of this file from clients of --serve", true},
    {"--timeline", LongValue::Required, "", "write a timeline for Perfetto; into a directory: CTF", true},
    {"--version", LongValue::None, "", "print the version"},
};

constexpr const LongOptionRow* find_long_option(std::string_view name) {
  for (const LongOptionRow& row : long_option_rows)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace dscope
