// make_files DIRECTORY [ROWS]: writes the files of a canned run, which checkers read: run.svg, run.pb.gz,
// run.speedscope.json, run.pftrace, ctf/metadata, ctf/stream, and counts.json with what they must contain. ROWS more
// rows per update are for measuring.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "pictures/profile/pprof_profile.h"
#include "pictures/profile/speedscope_profile.h"
#include "pictures/profile/svg_picture.h"
#include "pictures/timeline/ctf_writer.h"
#include "pictures/timeline/perfetto_writer.h"
#include "support/format.h"
#include "tests/pictures/canned_run.h"

namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw fs::filesystem_error("cannot write", path, std::error_code(errno, std::generic_category()));
}

template <typename Writer>
void write_run(Writer& writer, const dscope::test::CannedRun& run) {
  writer.begin(run.start);
  for (const dscope::RunUpdate& update : run.updates) writer.add(update);
  writer.end(run.end);
}

std::string counts_of(const dscope::test::CannedRun& run) {
  size_t rows = 0, stacks = 0, faults = 0, drops = 0;
  uint64_t discarded = 0;
  for (const dscope::RunUpdate& update : run.updates) {
    rows += update.rows.size();
    for (const dscope::PictureRow& row : update.rows) stacks += row.stack.empty() ? 0 : 1;
    faults += update.faults.size();
    drops += update.drops.size();
    discarded += update.lost_rows;
    for (const dscope::PictureDrop& drop : update.drops) discarded += drop.count;
  }
  return fmt::format(R"({{"rows": {}, "stacks": {}, "faults": {}, "drops": {}, "discarded": {}, "totals": {{)", rows,
                     stacks, faults, drops, discarded);
}

// The sum of each aggregation whose values can be added.
std::string totals_of(const dscope::RunModel& model) {
  std::string text;
  for (const dscope::AggregationModel& aggregation : model.aggregations()) {
    if (!aggregation.info.is_additive()) continue;
    int64_t sum = 0;
    for (const dscope::PictureElement& element : aggregation.elements) {
      for (int64_t number : element.value.numbers) sum += number;
      for (const dscope::PictureBucket& bucket : element.value.buckets) sum += bucket.count;
    }
    text += fmt::format(R"({}"{}": {})", text.empty() ? "" : ", ", aggregation.info.name, sum);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: make_files DIRECTORY [ROWS]\n";
    return 2;
  }
  fs::path directory = argv[1];
  fs::create_directories(directory / "ctf");
  dscope::test::CannedRun run = dscope::test::canned_run(argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0);
  dscope::RunModel model = run.model();
  write_file(directory / "run.svg", dscope::svg_picture(model));
  write_file(directory / "run.pb.gz", dscope::pprof_profile(model));
  write_file(directory / "run.speedscope.json", dscope::speedscope_profile(model));
  write_file(directory / "counts.json", counts_of(run) + totals_of(model) + "}}\n");

  std::string trace, metadata, stream;
  dscope::PerfettoWriter perfetto{[&](std::string_view bytes) { trace += bytes; }};
  write_run(perfetto, run);
  write_file(directory / "run.pftrace", trace);
  dscope::CtfWriter ctf{[&](std::string_view bytes) { metadata += bytes; },
                        [&](std::string_view bytes) { stream += bytes; }};
  write_run(ctf, run);
  write_file(directory / "ctf/metadata", metadata);
  write_file(directory / "ctf/stream", stream);
  return 0;
}
