// The pictures of a run: --report, --timeline, --format=svg and other pictures, and the stream to a live view.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/command_line/command_line.h"
#include "runtime/format/fd_stream.h"
#include "runtime/output/picture_settings.h"
#include "support/result.h"

namespace dscope {

class RunPictures final : private RunSink {
 public:
  // Opens the files of the pictures, so that a run does not start in vain. `script` returns the D text of the run; it
  // is called only if there are pictures. `out` receives the picture of option format and outlives this object.
  static Result<std::unique_ptr<RunPictures>> open(const CommandLine& command_line, const OptionValues& options,
                                                   const std::function<std::string()>& script, OutputStream& out);
  ~RunPictures() override;

  // For SessionOptions; refers to this object. `targets`: the processes of -c and -p.
  PictureSettings settings(std::vector<uint32_t> targets);
  // Writes what is left to write. Call after the run, also if it has failed: then with what it has traced.
  Result<> write();

 private:
  struct Part;
  struct Parts;  // their implementations

  RunPictures();
  void begin(RunStart start) override;
  void add(RunUpdate update) override;
  void end(RunEnd end) override;

  RunStart start_;
  bool is_served_ = false;
  size_t max_elements_ = 0;
  std::vector<std::unique_ptr<Part>> parts_;
};

// The D text of all programs of the command line, for people. Files that cannot be read are left out.
std::string script_text(const CommandLine& command_line);

}  // namespace dscope
