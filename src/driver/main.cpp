// The compiler: sets the name of the process, then passes argv on.
#include <sys/prctl.h>

#include <cstring>

#include "driver/driver.h"

int main(int argc, char** argv) {
  // The file of this program has its own name. Scripts leave out the tracer by the name under which it was started.
  if (argc > 0) {
    const char* slash = std::strrchr(argv[0], '/');
    prctl(PR_SET_NAME, slash != nullptr ? slash + 1 : argv[0]);
  }
  return dscope::run({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
