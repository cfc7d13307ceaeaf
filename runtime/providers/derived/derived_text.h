// Reads the .d files of this folder and of runtime/providers/solaris/: probes that are derived from other probes, in D
// (docs/decisions/0026).
//
//   provider sched {
//     probe off-cpu, wakeup(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
//   };
//   sched:::wakeup <- rawtp:::sched_waking [parameters 1..]
//   { args[0]; args[0]; }
//
// The block declares the probes and their arguments: "native type : translated type name". It comes first in its file,
// so that the names are known without reading further. An argument of type `psinfo_t *` is called psinfo if it has no
// name. A clause derives the probes before `<-` from each of
// the sites after it: its predicate selects firings, its statements are the arguments. Attributes of a site follow in
// brackets:
//   parameters 1, 1.., 1..3   how many parameters the tracepoint or function must have on the running kernel
//   order 2                   order of programs on one hook; above 100: after the system call. Default: 1
//   subject 2                 argument of the site: the thread that the probe is about; default: the running thread
//   on exec                   Probe::may_lack_pages: the process executes a new program
// `otherwise` before a site: used only if the probe has no site without this word. A clause that begins with
// `prepare` records data that the derivations need later; its probes may be patterns. `a or b` is the first that
// exists.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dscope {

// All views are into the text.
struct DeclaredProbe {
  std::string_view name, arguments;
};

struct DerivationRow {
  std::string_view probe;
  std::string_view site;    // "rawtp:::sched_switch"
  std::string_view clause;  // predicate and body, as written
  size_t min_parameters = 0, max_parameters = SIZE_MAX;
  uint32_t order = 1;
  std::optional<uint32_t> subject;
  bool is_otherwise = false;
  bool may_lack_pages = false;
};

struct PreparationRow {
  std::string_view probe;               // a pattern
  std::vector<std::string_view> sites;  // the first that exists counts
  std::string_view clause;
  bool is_otherwise = false;  // only for probes at `otherwise` sites
};

struct DerivedClauses {
  std::vector<DerivationRow> derivations;
  std::vector<PreparationRow> preparations;
};

// The block at the beginning of the text of a provider.
std::vector<DeclaredProbe> read_declared_probes(std::string_view text);
// The clauses after it. A syntax error in the text is our own and ends the process.
DerivedClauses read_derived_clauses(std::string_view text);

struct DeclaredArgument {
  std::string_view native, translated;  // types; without a translated type, that is empty
  std::string_view name;                // may be empty
};
// The arguments of a declared probe, as one_line() returns them.
std::vector<DeclaredArgument> read_declared_arguments(std::string_view arguments);

// The text without comments and line breaks, blanks joined.
std::string one_line(std::string_view text);
// The D clause of a row on one of its sites.
std::string clause_on(std::string_view site, std::string_view clause);

// ---- the files, which are part of the program (embed_derived.cmake)

struct DerivedProviderText {
  std::string_view provider, text;
};
extern const std::span<const DerivedProviderText> derived_provider_texts;  // of this folder
extern const std::span<const DerivedProviderText> solaris_provider_texts;  // of runtime/providers/solaris/

}  // namespace dscope
