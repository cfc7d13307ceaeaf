// Listings: -l and -lv (consumer-and-actions.md 9.3). Probe descriptions in, lines for the output stream and for stderr
// out; needs a Host, no program and no privileges of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/defined_provider.h"
#include "contract/host.h"

namespace dscope {

struct ListingForm {
  bool is_verbose = false;                        // -v: stability and arguments of each probe
  bool has_hints = false;                         // people read the messages
  bool is_solaris_mode = false;                   // compat=solaris
  bool shows_hooks = false;                       // debug: what probes are made of; which are absent, and why
  std::span<const DefinedProvider> defined = {};  // by the programs; must outlive the listing
};

class Listing {
 public:
  Listing(Host& host, TypeTable& types, std::string_view program_name, ListingForm form);

  // Every probe there is.
  void add_all();
  // The descriptions of one program's clauses, in order. One that follows itself is listed once.
  void add_program(std::span<const ProbeDescription> descriptions);

  const std::string& text() const { return text_; }          // header and rows
  const std::string& messages() const { return messages_; }  // what matched nothing, for stderr

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
