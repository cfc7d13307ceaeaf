// Writes reports of canned runs into a folder: make_reports FOLDER.
#include <cstdio>
#include <fstream>
#include <string>

#include "pictures/report/report_writer.h"
#include "tests/browser/canned_runs.h"

int main(int argc, char** argv) {
  using namespace dscope::test;
  if (argc != 2) {
    std::fputs("usage: make_reports FOLDER\n", stderr);
    return 2;
  }
  auto write = [&](const char* name, const dscope::RunModel& model) {
    std::ofstream file(std::string(argv[1]) + "/" + name + ".html", std::ios::binary);
    file << dscope::report_html(model);
    return file.good();
  };
  bool is_written = write("numbers", number_run()) && write("distributions", distribution_run()) &&
                    write("stacks", stack_run(3)) && write("stacks2", stack_run(33)) && write("rows", row_run()) &&
                    write("hostile", hostile_run()) && write("large", large_run()) && write("empty", empty_run());
  return is_written ? 0 : 1;
}
