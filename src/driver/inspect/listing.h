// Listings: -l and -lv (consumer-and-actions.md 9.3). In: probe descriptions. Out: lines for the output stream and for
// stderr. Needs a Host, no program and no privileges.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/dialect.h"
#include "contract/defined_provider.h"
#include "contract/host.h"

namespace dscope {

struct ListingForm {
  enum class Detail : uint8_t {
    Names,       // -l: a table
    Signatures,  // -lv: a line per probe with the types and names of its arguments
    Reports,     // -lvv, and -lv as dtrace: the table, with stability and argument types below each probe
  };
  Detail detail = Detail::Names;
  bool has_hints = false;     // messages have hints
  bool fits_columns = false;  // the columns of the table are as wide as their data, for terminals
  // Lists probes that this kernel cannot fire even if the description does not name their provider, as dtrace does.
  bool lists_unavailable = false;
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

  // Completes the table, and counts the probes that are left out. Call after the last description.
  void finish();
  const std::string& text() const { return text_; }          // header and rows; complete after finish()
  const std::string& messages() const { return messages_; }  // descriptions that matched nothing, for stderr

 private:
  static constexpr std::array<size_t, 4> default_widths = {5, 10, 17, 33};

  // A row of a table that fits its data, which is printed when all rows are known.
  struct Row {
    const Probe* probe;
    std::string details;  // lines below the row
  };

  void append_titles();
  void append_row(std::string_view id, std::string_view provider, std::string_view module, std::string_view function,
                  std::string_view name);
  void append_probe(const Probe& probe);
  void fit_columns();
  void add_failure(const ProbeDescription& description);
  void add_absent(const ProbeDescription& description);
  // `names_provider`: the description asks for this provider, even if the kernel cannot fire its probes.
  void add_matches(const std::vector<const Probe*>& probes, bool names_provider);

  Host& host_;
  TypeTable& types_;
  std::string program_name_;
  ListingForm form_;
  std::string text_, messages_;
  std::vector<Row> rows_;                          // with fits_columns
  std::array<size_t, 4> widths_ = default_widths;  // of ID, PROVIDER, MODULE and FUNCTION
  std::map<std::string, size_t> unavailable_;      // probes that are left out, by provider
};

}  // namespace dscope
