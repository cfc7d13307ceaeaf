// Session: a loaded and attached program, from BEGIN to END (design.md 3, order of start and stop). The only place
// where a run needs privileges. Nothing is pinned: when the process dies, the kernel removes everything.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/program_plan.h"
#include "runtime/output/consumer.h"
#include "runtime/targets/targets.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

class ModuleWatch;

// What a program hangs on in addition, because a target has executed another program, or the kernel loaded a module.
struct Extension {
  // The program as it is running, with `probes` continued; of `programs` those that are new.
  ProgramPlan plan;
  BpfObject object;
};

struct SessionOptions {
  std::string program_name = "dscope";
  bool is_testing = false;
  bool is_verbose = false;
  uint32_t target_tgid = 0;      // $target: 0 without -c and -p
  Progress* progress = nullptr;  // told of loading and attaching, if there is one; cleared before anything is printed
  // Option follow: asked when a target, or a child of one, `pid`, has executed another program. Nothing: there are no
  // probes in it.
  std::function<Result<std::optional<Extension>>(uint32_t pid)> extend;
  bool extends_on_load = false;  // it is asked also when a target loads a library
  // Whether descriptions still match nothing: commands wait at loads until the probes of these are in place.
  std::function<bool()> awaits_probes;
  // Asked when a process, whichever, maps the code of a file that nobody had mapped before. Null: what others do is of
  // no interest.
  std::function<Result<std::optional<Extension>>(uint32_t pid, const std::string& path)> extend_by_file;
  // Tells of modules that the kernel loads, for which the other one is asked then. Null: they are of no interest.
  ModuleWatch* modules = nullptr;
  std::function<Result<std::optional<Extension>>(const std::vector<std::string>& names)> extend_by_modules;
};

struct SessionResult {
  int exit_status = 0;
};

class Session {
 public:
  // Creates maps, loads all programs. On a verifier refusal the Error's message names the probe and `hint` holds the
  // D line if known; Error::error_number() is EACCES/EINVAL/... of BPF_PROG_LOAD, E2BIG for too complex programs.
  // `plan` gets the probes of extensions; it must outlive the session.
  static Result<std::unique_ptr<Session>> load(ProgramPlan& plan, const BpfObject& object, SessionOptions options);
  virtual ~Session() = default;

  // Attaches everything, fires BEGIN, arms, resumes targets, consumes until exit(), SIGINT/SIGTERM, end of all targets
  // or a write error on `out`; then disarms, fires END, drains, reports drops, prints aggregations.
  virtual Result<SessionResult> run(Targets& targets, Symbolizer& symbols, OutputStream& out,
                                    OutputStream& messages) = 0;
};

// One sentence naming what is missing (capabilities, lockdown, sysctl) if this process cannot load tracing programs;
// empty if it can.
std::string why_not_privileged();

}  // namespace dscope
