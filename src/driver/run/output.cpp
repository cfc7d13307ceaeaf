#include "driver/run/output.h"

#include <unistd.h>

namespace dscope {

Result<std::unique_ptr<FdStream>> open_output(const CommandLine& command_line) {
  if (command_line.output_file) return FdStream::open_append(*command_line.output_file);
  return std::make_unique<FdStream>(STDOUT_FILENO);
}

Result<int> finish_output(FdStream& out) {
  out.flush();
  if (out.error() == 0) return 0;
  if (out.error() == EPIPE) return 1;
  return fail(Error::from_errno(out.error(), "cannot write the output"));
}

}  // namespace dscope
