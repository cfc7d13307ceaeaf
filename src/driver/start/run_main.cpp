// dscope-run: runs bundles. It links no compiler.
#include "driver/bundle/bundle_run.h"

int main(int argc, char** argv) {
  return dscope::run_bundle({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
