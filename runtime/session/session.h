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
#include "support/excerpt.h"
#include "support/progress.h"
#include "support/result.h"

namespace dscope {

class ModuleWatch;

// Programs to add to a running session, because a target has executed another program, a process has mapped a file, or
// the kernel has loaded a module.
struct Extension {
  // The plan of the running program, with new rows appended to `probes`; `programs` holds only the new ones.
  ProgramPlan plan;
  BpfObject object;
};

// A served run that replaces another one on a reload. Programs of both are attached, and those of one count.
struct RunHandover {
  // The maps ds_state and ds_handover of the other run, as on_loaded() has passed them; -1: there is none.
  int replaced_state_fd = -1, shared_fd = -1;
  // Called with the descriptors of these maps of this run when its programs are loaded; may be empty. `shared_fd` is -1
  // if the program was not compiled for a service.
  std::function<void(int state_fd, int shared_fd)> on_loaded = {};
};

struct SessionOptions {
  std::string program_name = "dscope";
  bool is_testing = false;
  bool prints_as_dtrace = false;  // ConsumerSettings
  bool is_verbose = false;
  bool shows_hints = false;               // ConsumerSettings, as the next member
  std::optional<Terminal> terminal = {};  // ConsumerSettings
  bool fits_columns = false;              // ConsumerSettings
  size_t line_width = 80;                 // ConsumerSettings
  PictureSettings pictures = {};          // ConsumerSettings; the session measures its programs
  bool is_served = false;                 // for --serve: the run goes on for months
  RunHandover handover = {};
  uint32_t target_tgid = 0;  // $target: 0 without -c and -p
  // Puts another consumer before the one that prints, for records that are not to be printed. Null: there is none. The
  // symbols outlive the result.
  std::function<std::unique_ptr<Consumer>(std::unique_ptr<Consumer> printing, Symbolizer& symbols)> wrap_consumer = {};
  Progress* progress = nullptr;  // shows loading and attaching; cleared before anything else is printed; may be null
  // The callbacks below compile the programs for new code; they return nothing if it has no probes.
  //
  // Option follow: called when a target or one of its children, `pid`, has executed another program.
  std::function<Result<std::optional<Extension>>(uint32_t pid)> extend;
  bool extends_on_load = false;  // call `extend` also when a target loads a library
  // True while some descriptions match no probe: commands then stop at library loads until the probes are attached.
  std::function<bool()> awaits_probes;
  // Called when any process maps the code of a file that no process had mapped before. Null: files are not watched.
  std::function<Result<std::optional<Extension>>(uint32_t pid, const std::string& path)> extend_by_file;
  // Watches the modules that the kernel loads; `extend_by_modules` is called with their names. Null: not watched.
  ModuleWatch* modules = nullptr;
  std::function<Result<std::optional<Extension>>(const std::vector<std::string>& names)> extend_by_modules;
};

struct SessionResult {
  int exit_status = 0;
};

class Session {
 public:
  // Creates the maps and loads all programs. If the verifier rejects a program, the Error's message names the probe,
  // its hint holds the D line if known, and error_number() is the errno of BPF_PROG_LOAD (EACCES, EINVAL, ...; E2BIG
  // for programs that are too complex). `plan` gets the probes of extensions; it must outlive the session.
  static Result<std::unique_ptr<Session>> load(ProgramPlan& plan, const BpfObject& object, SessionOptions options);
  virtual ~Session() = default;

  // Attaches all programs, fires BEGIN, arms, resumes the targets, and consumes records until exit(), SIGINT or
  // SIGTERM, the end of all targets or a write error on `out`. Then disarms, fires END, drains, reports drops and
  // prints aggregations.
  virtual Result<SessionResult> run(Targets& targets, Symbolizer& symbols, OutputStream& out,
                                    OutputStream& messages) = 0;
};

// If the kernel is too old for dscope: one sentence that says so. Empty if it is not, or if this process lacks the
// privileges to find out.
std::string why_kernel_is_too_old();
// If this process cannot load tracing programs: one sentence that names the missing capability or the restriction (user
// namespace, lockdown). Empty if it can.
std::string why_not_privileged();

}  // namespace dscope
