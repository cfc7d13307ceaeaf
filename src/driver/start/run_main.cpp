// dscope-run: runs bundles. It links no compiler.
#include <sys/prctl.h>

#include <cstring>

#include "driver/start/bundle_run.h"

int main(int argc, char** argv) {
  // Scripts leave out the tracer by the name under which it was started.
  if (argc > 0) {
    const char* slash = std::strrchr(argv[0], '/');
    prctl(PR_SET_NAME, slash != nullptr ? slash + 1 : argv[0]);
  }
  return dscope::run_bundle({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
