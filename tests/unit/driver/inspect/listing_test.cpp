// The exact text of listings and stability reports.
#include "driver/inspect/listing.h"

#include <gtest/gtest.h>

#include "driver/inspect/stability_report.h"

namespace dscope {
namespace {

// Has three probes: BEGIN, and entry and return of a system call, with arguments on entry.
class ListedHost : public Host {
 public:
  ListedHost() {
    probes_.push_back({.id = 1, .provider = "dtrace", .name = "BEGIN"});
    probes_.push_back({.id = 42, .provider = "syscall", .module = "vmlinux", .function = "read", .name = "entry"});
    probes_.push_back({.id = 43, .provider = "syscall", .module = "vmlinux", .function = "read", .name = "return"});
  }

  void add(Probe probe) { probes_.push_back(std::move(probe)); }

  std::vector<const Probe*> match(const ProbeDescription& description) override {
    std::vector<const Probe*> found;
    auto fits = [](const std::string& pattern, const std::string& name) { return pattern.empty() || pattern == name; };
    for (const Probe& probe : probes_)
      if (fits(description.provider, probe.provider) && fits(description.function, probe.function) &&
          fits(description.name, probe.name) && (!description.id || *description.id == probe.id))
        found.push_back(&probe);
    return found;
  }
  void load_args(const Probe& probe, TypeTable& types) override {
    for (Probe& mine : probes_)
      if (mine.id == probe.id && mine.name == "entry" && !mine.args_loaded) {
        mine.args_loaded = true;
        mine.args.push_back({.type_text = "int", .type = types.integer(4, true), .name = "fd", .source = {}});
        mine.args.push_back({.type_text = "", .type = {}, .name = "", .source = {}});
      }
  }
  ProviderAttributes provider_attributes(std::string_view provider) override {
    constexpr Attributes stable{}, hidden{Stability::Private, Stability::Private, DependencyClass::Unknown};
    constexpr Attributes evolving{Stability::Evolving, Stability::Evolving, DependencyClass::Common};
    constexpr Attributes machine{Stability::Private, Stability::Private, DependencyClass::Isa};
    if (provider == "dtrace") return {stable, hidden, hidden, stable, stable};
    return {evolving, hidden, machine, evolving, machine};
  }
  std::string why_missing(const ProbeDescription&) override { return "did you mean `read`?"; }
  std::vector<std::string> absent(const ProbeDescription& description) override {
    if (description.provider == "dtrace") return {};
    return {"syscall::write:entry needs the tracepoint sys_enter, which this kernel lacks"};
  }
  std::optional<TypeId> find_type(TypeTable&, std::string_view, std::string_view) override { return std::nullopt; }
  void complete_type(TypeTable&, TypeId) override {}
  std::optional<KernelSymbol> find_symbol(TypeTable&, std::string_view, std::string_view) override {
    return std::nullopt;
  }
  std::vector<CpuFacts> cpus() override { return {}; }
  const MachineFacts& facts() override { return facts_; }

 private:
  std::vector<Probe> probes_;
  MachineFacts facts_;
};

constexpr const char* header = "   ID   PROVIDER            MODULE                          FUNCTION NAME\n";
constexpr const char* begin_row = "    1     dtrace                                                     BEGIN\n";
constexpr const char* entry_row = "   42    syscall           vmlinux                              read entry\n";

class ListingTest : public testing::Test {
 protected:
  ListedHost host;
  TypeTable types{256};
};

TEST_F(ListingTest, ListsAllProbes) {
  Listing listing(host, types, "dtrace", {});
  listing.add_all();
  EXPECT_EQ(listing.text(), std::string(header) + begin_row + entry_row +
                                "   43    syscall           vmlinux                              read return\n");
}

TEST_F(ListingTest, ColumnsFitTheirDataOnTerminals) {
  Listing listing(host, types, "dscope", {.fits_columns = true});
  listing.add_all();
  listing.finish();
  EXPECT_EQ(listing.text(),
            "ID PROVIDER  MODULE FUNCTION NAME\n"
            " 1   dtrace                  BEGIN\n"
            "42  syscall vmlinux     read entry\n"
            "43  syscall vmlinux     read return\n");
}

TEST_F(ListingTest, ReportsStayBelowTheirRowsOnTerminals) {
  ProbeDescription entry{.id = 42, .provider = "", .module = "", .function = "", .name = ""};
  Listing plain(host, types, "dscope", {.detail = ListingForm::Detail::Reports});
  plain.add_program({&entry, 1});
  Listing listing(host, types, "dscope", {.detail = ListingForm::Detail::Reports, .fits_columns = true});
  listing.add_program({&entry, 1});
  listing.finish();
  std::string report = plain.text().substr((std::string(header) + entry_row).size());
  EXPECT_EQ(listing.text(),
            "ID PROVIDER  MODULE FUNCTION NAME\n"
            "42  syscall vmlinux     read entry\n" +
                report);
}

TEST_F(ListingTest, MergesAdjacentEqualDescriptions) {
  ProbeDescription entry{.id = {}, .provider = "syscall", .module = "", .function = "read", .name = "entry"};
  ProbeDescription begin{.id = {}, .provider = "", .module = "", .function = "", .name = "BEGIN"};
  Listing listing(host, types, "dtrace", {});
  std::vector<ProbeDescription> descriptions{entry, entry, begin, entry};
  listing.add_program(descriptions);
  EXPECT_EQ(listing.text(), std::string(header) + entry_row + begin_row + entry_row);
  EXPECT_EQ(listing.messages(), "");
}

TEST_F(ListingTest, NoMatchPrintsMessage) {
  ProbeDescription missing{.id = {}, .provider = "syscall", .module = "vmlinux", .function = "raed", .name = "entry"};
  Listing listing(host, types, "dtrace", {});
  listing.add_program({&missing, 1});
  EXPECT_EQ(listing.text(), header);
  EXPECT_EQ(listing.messages(), "dtrace: failed to match syscall:vmlinux:raed:entry: No probe matches description\n");
}

TEST_F(ListingTest, HintsExplainMissingMatches) {
  ProbeDescription missing{.id = {}, .provider = "syscall", .module = "", .function = "raed", .name = "entry"};
  Listing listing(host, types, "dtrace", {.has_hints = true});
  listing.add_program({&missing, 1});
  EXPECT_EQ(listing.messages(),
            "dtrace: failed to match syscall::raed:entry: No probe matches description\n"
            "dtrace: did you mean `read`?\n");
}

TEST_F(ListingTest, VerboseRowsIncludeReports) {
  ProbeDescription entry{.id = 42, .provider = "", .module = "", .function = "", .name = ""};
  Listing listing(host, types, "dtrace", {.detail = ListingForm::Detail::Reports});
  listing.add_program({&entry, 1});
  EXPECT_EQ(listing.text(),
            std::string(header) + entry_row +
                "\n\tProbe Description Attributes\n"
                "\t\tIdentifier Names: Private\n\t\tData Semantics:   Private\n\t\tDependency Class: Unknown\n"
                "\n\tArgument Attributes\n"
                "\t\tIdentifier Names: Private\n\t\tData Semantics:   Private\n\t\tDependency Class: ISA\n"
                "\n\tArgument Types\n\t\targs[0]: int\n\t\targs[1]: (unknown)\n\n");
}

TEST_F(ListingTest, SignaturesTakeOneLine) {
  ProbeDescription entry{.id = 42, .provider = "", .module = "", .function = "", .name = ""};
  Listing listing(host, types, "dscope", {.detail = ListingForm::Detail::Signatures});
  listing.add_program({&entry, 1});
  EXPECT_EQ(listing.text(), "syscall::read:entry (int fd, (unknown))\n");
}

TEST_F(ListingTest, SignaturesDeclareNamesAsCDoes) {
  Probe probe{.provider = "sdt", .module = "sched", .function = "switch", .name = ""};
  probe.args_loaded = true;
  for (auto [type, name] : {std::pair{"const char *", "path"}, {"char [16]", "comm"}, {"int (*)(void)", "call"}})
    probe.args.push_back({.type_text = type, .type = {}, .name = name, .source = {}});
  EXPECT_EQ(signature_report(host, types, probe),
            "sdt:sched:switch: (const char *path, char comm[16], int (*call)(void))\n");
}

TEST_F(ListingTest, UnavailableProbesAreListedOnlyOnRequest) {
  host.add({.id = 44, .provider = "fbt", .module = "vmlinux", .function = "f", .name = "entry", .is_available = false});
  auto lists_fbt = [&](ListingForm form, std::string provider) {
    Listing listing(host, types, "dscope", form);
    ProbeDescription description{.id = {}, .provider = std::move(provider), .module = "", .function = "", .name = ""};
    listing.add_program({&description, 1});
    listing.finish();
    EXPECT_EQ(listing.messages().empty(), !form.has_hints || !description.provider.empty());
    return listing.text().find(" fbt ") != std::string::npos;
  };
  EXPECT_FALSE(lists_fbt({.has_hints = true}, ""));
  EXPECT_TRUE(lists_fbt({.has_hints = true}, "fbt"));
  EXPECT_TRUE(lists_fbt({.lists_unavailable = true}, ""));
}

TEST_F(ListingTest, ReportsMissingArguments) {
  std::string report = probe_report(host, types, *host.match({.id = 1}).front());
  EXPECT_EQ(report,
            "\n\tProbe Description Attributes\n"
            "\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n\t\tDependency Class: Common\n"
            "\n\tArgument Attributes\n"
            "\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n\t\tDependency Class: Common\n"
            "\n\tArgument Types\n\t\tNone\n\n");
}

TEST_F(ListingTest, AbsentProbesAreNamedOnRequest) {
  ProbeDescription entry{.id = 42, .provider = "", .module = "", .function = "", .name = ""};
  ProbeDescription begin{.id = {}, .provider = "dtrace", .module = "", .function = "", .name = "BEGIN"};
  for (const ProbeDescription& description : {entry, begin}) {
    Listing listing(host, types, "dtrace", {.shows_hooks = true});
    listing.add_program({&description, 1});
    std::string_view message =
        "dtrace: unavailable: syscall::write:entry needs the tracepoint sys_enter, which this kernel lacks\n";
    EXPECT_EQ(listing.messages(), description.id ? message : "");
  }
  Listing listing(host, types, "dtrace", {});
  listing.add_all();
  EXPECT_EQ(listing.messages(), "");
}

TEST_F(ListingTest, ReportsOriginsOfProbes) {
  EXPECT_EQ(origin_report({}), "");
  auto on = [](std::string clause) { return Derivation{.clause = std::move(clause), .subject = {}}; };
  EXPECT_EQ(origin_report({.derivations = {on("rawtp:::sched_switch /args[0]/ { args[1]; }"),
                                           on("rawtp:::sched_switch {}"), on("fbt::wake:entry {}")}}),
            "\tHooks\n\t\trawtp:::sched_switch\n\t\tfbt::wake:entry\n\n");
}

TEST_F(ListingTest, ReportsStabilityOfPrograms) {
  EXPECT_EQ(program_report({.is_script = true,
                            .name = "x.d",
                            .probes = {Stability::Unstable, Stability::Unstable, DependencyClass::Common},
                            .statements = {}}),
            "\nStability attributes for script x.d:\n"
            "\n\tMinimum Probe Description Attributes\n"
            "\t\tIdentifier Names: Unstable\n\t\tData Semantics:   Unstable\n\t\tDependency Class: Common\n"
            "\n\tMinimum Statement Attributes\n"
            "\t\tIdentifier Names: Stable\n\t\tData Semantics:   Stable\n\t\tDependency Class: Common\n");
}

TEST_F(ListingTest, DescriptionAttributesUseNamedFieldsOnly) {
  auto attributes = [&](std::string provider, std::string module, std::string function) {
    return description_attributes(host, {.id = {},
                                         .provider = std::move(provider),
                                         .module = std::move(module),
                                         .function = std::move(function),
                                         .name = "entry"});
  };
  EXPECT_EQ(attributes("syscall", "", "").name, Stability::Evolving);
  EXPECT_EQ(attributes("syscall", "", "re*").name, Stability::Evolving);
  EXPECT_EQ(attributes("syscall", "", "read").name, Stability::Private);
  EXPECT_EQ(attributes("syscall", "", "read").dependency, DependencyClass::Isa);
  EXPECT_EQ(attributes("sys*", "", "read").name, Stability::Unstable);
  EXPECT_EQ(attributes("nosuch", "", "read").name, Stability::Unstable);
}

TEST_F(ListingTest, DescriptionReportShowsTheFirstProbe) {
  std::string report =
      description_report(host, types, {.id = {}, .provider = "syscall", .module = {}, .function = {}, .name = "entry"});
  EXPECT_EQ(report.find("\nsyscall:::entry\n\n\tProbe Description Attributes\n"), 0U);
  EXPECT_EQ(description_report(host, types, {.id = {}, .provider = "none", .module = {}, .function = {}, .name = {}}),
            "");
}

}  // namespace
}  // namespace dscope
