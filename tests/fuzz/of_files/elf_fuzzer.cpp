// ELF files of others: symbols, call sites, notes, unwind tables. Results must lie within the file.
#include "foreign_file.h"
#include "runtime/elf/call_sites.h"
#include "runtime/elf/elf_symbols.h"
#include "runtime/elf/exception_tables.h"
#include "runtime/elf/stapsdt_notes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  dscope::Fd file = dscope::fuzz::memory_file(data, size);
  auto symbols = dscope::ElfSymbols::read(file.get(), "", "", /*keeps_all_names=*/true);
  std::vector<uint64_t> addresses;
  for (const dscope::ElfSymbols::Function& function : symbols->functions()) {
    addresses.push_back(symbols->virtual_address(function.offset));
    symbols->find(addresses.back());
    symbols->code_section_around(function.offset);
    DS_CHECK(!function.name.empty());
  }
  symbols->find_unique("main");
  addresses.resize(std::min<size_t>(addresses.size(), 16));
  for (const dscope::CallSite& site : dscope::find_call_sites(file.get(), addresses)) DS_CHECK(site.offset < size);
  dscope::has_exception_tables(file.get());
  for (const dscope::StapsdtNote& note : dscope::read_static_probes(file.get()).notes) DS_CHECK(note.offset < size);
  return 0;
}
