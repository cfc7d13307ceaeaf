#include "driver/command_line/mode_conflicts.h"

namespace dscope {

std::string_view redaction_conflict(const CommandLine& line) {
  if (!line.programs.empty() || !line.targets.empty() || line.mode != RunMode::Trace || line.has_pictures())
    return "--redact only copies a capture: omit programs, targets and other modes";
  if (line.operands.size() != 1 || !line.output_file)
    return "--redact copies one capture: --redact=paths,args,names FILE -o COPY";
  return {};
}

std::string_view replay_conflict(const CommandLine& line) {
  if (line.replay_file.empty()) return {};
  if ((line.mode != RunMode::Trace && line.mode != RunMode::List) || line.builds() || line.is_dry_run ||
      !line.facts_file.empty())
    return "--replay runs programs over a capture: omit other modes";
  if (!line.targets.empty()) return "--replay runs programs over a capture: omit -c and -p";
  if (!line.record_file.empty()) return "--record records a live run: omit --replay";
  if (!line.serve.address.empty()) return "--serve shows a run that goes on: omit --replay";
  return {};
}

std::string_view recording_conflict(const CommandLine& line) {
  if (line.record_file.empty()) return {};
  if (line.mode != RunMode::Trace || line.builds() || line.is_compile_only)
    return "--record records a run: omit other modes";
  if (line.is_live || line.has_page || !line.serve.address.empty())
    return "--record cannot record what --live and --serve trace: omit one";
  return {};
}

std::string_view pictures_conflict(const CommandLine& line) {
  if (!line.has_pictures()) return {};
  if (line.mode != RunMode::Trace || line.builds())
    return "--live, --serve, --otlp, --report and --timeline show a run: omit other modes";
  if (line.is_live && line.output_file) return "--live shows the rows itself: omit -o";
  if (line.is_service() && (line.is_live || line.has_page))
    return "--serve and --otlp do not go together with --live: omit one";
  if (line.serve.certificate_file.empty() != line.serve.key_file.empty())
    return "--serve-cert and --serve-key belong together";
  if (line.is_live && line.has_page) return "--live shows a run on the terminal or in a browser: omit one";
  return {};
}

}  // namespace dscope
