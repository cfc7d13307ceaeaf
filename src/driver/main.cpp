// argv in, exit status out; nothing else.
#include "driver/driver.h"

int main(int argc, char** argv) {
  return dscope::run({const_cast<const char* const*>(argv), static_cast<size_t>(argc)});
}
