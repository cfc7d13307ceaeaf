// Listings: -l and -lv (consumer-and-actions.md 9.3). In: probe descriptions. Out: lines for the output stream and for
// stderr. Needs a Host, no program and no privileges.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/dialect.h"
#include "contract/defined_provider.h"
#include "contract/host.h"

namespace dscope {

struct ListingForm {
  bool is_verbose = false;  // -v: stability and arguments of each probe
  bool has_hints = false;   // option diagnostics=full: messages have hints
  Dialect dialect;
  bool shows_hooks = false;                       // option debug: shows derivations, and probes that this kernel lacks
  std::span<const DefinedProvider> defined = {};  // providers that the programs define; must outlive the listing
};

class Listing {
 public:
  Listing(Host& host, TypeTable& types, std::string_view program_name, ListingForm form);

  // Lists all probes.
  void add_all();
  // Lists the descriptions of one program's clauses in order. Skips immediate repetitions.
  void add_program(std::span<const ProbeDescription> descriptions);

  const std::string& text() const { return text_; }          // header and rows
  const std::string& messages() const { return messages_; }  // descriptions that matched nothing, for stderr

 private:
  void add_failure(const ProbeDescription& description);
  void add_absent(const ProbeDescription& description);
  void add_matches(const std::vector<const Probe*>& probes);

  Host& host_;
  TypeTable& types_;
  std::string program_name_;
  ListingForm form_;
  std::string text_, messages_;
};

}  // namespace dscope
