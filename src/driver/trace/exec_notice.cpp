#include "driver/trace/exec_notice.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "contract/follow.h"
#include "support/format.h"
#include "support/text/visible_text.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

// The paths of the files in which the process has probes.
std::set<std::string> probed_files(const Compilation& compilation, uint32_t pid) {
  std::set<std::string> paths;
  auto add = [&](const Hook& hook) {
    const auto* uprobe = std::get_if<HookUprobe>(&hook);
    if (uprobe != nullptr && uprobe->pid == pid) paths.insert(uprobe->path);
  };
  for (const ClauseInstance& clause : compilation.meaning.clauses) {
    for (const Probe* probe : clause.probes) {
      add(probe->hook);
      for (const ProbeSite& site : probe->sites) add(site.hook);
    }
  }
  return paths;
}

bool are_same_file(const fs::path& a, const fs::path& b) {
  std::error_code problem;
  return fs::equivalent(a, b, problem);
}

}  // namespace

ExecNotice::ExecNotice(const Compilation& compilation, const std::vector<uint32_t>& targets) {
  if (follows_execs(compilation.compiled.plan.options)) return;
  for (uint32_t pid : targets) {
    fs::path program = fmt::format("/proc/{}/exe", pid);
    std::set<std::string> files = probed_files(compilation, pid);
    if (std::ranges::none_of(files, [&](const std::string& file) { return are_same_file(file, program); })) continue;
    std::error_code problem;
    std::string name = visible_line(fs::read_symlink(program, problem).string());
    if (auto watch = ExecWatch::open(static_cast<pid_t>(pid)))
      watched_.push_back({.pid = pid, .program = std::move(name), .watch = std::move(*watch)});
  }
}

std::vector<std::string> ExecNotice::messages() const {
  std::vector<std::string> lines;
  for (const Watched& each : watched_)
    if (each.watch.has_executed())
      lines.push_back(fmt::format(
          "process {} executed another program, where the probes of {} do not fire: -x follow=exec traces it too",
          each.pid, each.program));
  return lines;
}

}  // namespace dscope
