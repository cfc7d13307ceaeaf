// Option values: syntax, limits and error texts of d-language.md 9.
#include "catalog/option_values.h"

#include <gtest/gtest.h>

namespace dscope {
namespace {

constexpr const char* invalid = "Invalid value for specified option";
constexpr const char* command_line_only = "Option cannot be used from within a D program";
constexpr const char* active = "Operation illegal when tracing is active";

class OptionValuesTest : public testing::Test {
 protected:
  // Sets "name" or "name=value". Returns the error text, empty on success.
  std::string set(std::string setting, OptionOrigin origin = OptionOrigin::CommandLine) {
    size_t equals = setting.find('=');
    bool has_value = equals != std::string::npos;
    auto done = options.set(setting.substr(0, equals), has_value ? setting.substr(equals + 1) : "", has_value, origin);
    return done ? "" : done.error().message();
  }
  OptionValues options;
};

TEST_F(OptionValuesTest, HasDefaults) {
  EXPECT_EQ(options.number(OptionId::Strsize), 256);
  EXPECT_EQ(options.number(OptionId::Bufsize), 4 << 20);
  EXPECT_EQ(options.number(OptionId::Statusrate), 1000000000);
  EXPECT_EQ(options.number(OptionId::Cpu), -1);
  EXPECT_FALSE(options.is_set(OptionId::Cpu));
  EXPECT_FALSE(options.is_on(OptionId::Quiet));
  EXPECT_EQ(options.text(OptionId::Evaltime), "postinit");
  EXPECT_EQ(options.text(OptionId::Diagnostics), "");
}

TEST_F(OptionValuesTest, RejectsUnknownNames) {
  EXPECT_EQ(set("nosuch"), "Invalid option name");
  EXPECT_EQ(set(""), "Invalid option name");
  EXPECT_EQ(set("Quiet"), "Invalid option name");
}

TEST_F(OptionValuesTest, ParsesBooleans) {
  for (const char* on :
       {"quiet", "quiet=yes", "quiet=ENABLE", "quiet=enabled", "quiet=True", "quiet=on", "quiet=set", "quiet=1"}) {
    OptionValues fresh;
    std::swap(options, fresh);
    EXPECT_EQ(set(on), "") << on;
    EXPECT_TRUE(options.is_on(OptionId::Quiet)) << on;
  }
  for (const char* off : {"quiet=no", "quiet=disable", "quiet=Disabled", "quiet=false", "quiet=off", "quiet=unset",
                          "quiet=", "quiet=0"}) {
    EXPECT_EQ(set("quiet"), "");
    EXPECT_EQ(set(off), "") << off;
    EXPECT_FALSE(options.is_on(OptionId::Quiet)) << off;
  }
  EXPECT_EQ(set("quiet=maybe"), invalid);
  EXPECT_EQ(set("quiet=-1"), invalid);
}

TEST_F(OptionValuesTest, FlagsTakeNoValue) {
  EXPECT_EQ(set("errtags"), "");
  EXPECT_TRUE(options.is_on(OptionId::Errtags));
  EXPECT_EQ(set("errtags=1"), invalid);
  EXPECT_EQ(set("knodefs"), "");
  EXPECT_FALSE(options.is_on(OptionId::Kdefs));
}

TEST_F(OptionValuesTest, ParsesNumbers) {
  EXPECT_EQ(set("aggsortkeypos=0x10"), "");
  EXPECT_EQ(options.number(OptionId::Aggsortkeypos), 16);
  EXPECT_EQ(set("stackframes=010"), "");
  EXPECT_EQ(options.number(OptionId::Stackframes), 8);
  EXPECT_EQ(set("aggsortpos"), "");
  EXPECT_EQ(options.number(OptionId::Aggsortpos), 0);
  for (const char* bad : {"stackframes=-1", "stackframes=5x", "stackframes= 5", "stackframes=99999999999999999999",
                          "tregs", "tregs=yes", "iregs=0", "iregs=9", "stackframes=1.5"})
    EXPECT_EQ(set(bad), invalid) << bad;
}

TEST_F(OptionValuesTest, ParsesSizes) {
  struct Case {
    const char* setting;
    int64_t bytes;
  };
  for (auto [setting, bytes] : {Case{"bufsize=0", 0},
                                {"bufsize=512", 512},
                                {"bufsize=4k", 4096},
                                {"bufsize=2M", 2 << 20},
                                {"bufsize=1g", 1 << 30},
                                {"bufsize=0x10K", 16384},
                                {"bufsize=1t", int64_t{1} << 40}}) {
    EXPECT_EQ(set(setting), "") << setting;
    EXPECT_EQ(options.number(OptionId::Bufsize), bytes) << setting;
  }
  for (const char* bad : {"bufsize", "bufsize=", "bufsize=k", "bufsize=4kb", "bufsize=4q", "bufsize=-4k",
                          "bufsize=1.5m", "bufsize=9999999999999t"})
    EXPECT_EQ(set(bad), invalid) << bad;
  EXPECT_EQ(set("lockmem=unlimited"), "");
  EXPECT_EQ(set("bufsize=unlimited"), invalid);
  EXPECT_EQ(set("scratchsize=1g"), "");
  EXPECT_EQ(set("scratchsize=1025m"), invalid);
}

TEST_F(OptionValuesTest, StrsizeHasLimits) {
  EXPECT_EQ(set("strsize=2"), "");
  EXPECT_EQ(set("strsize=1"), invalid);
  EXPECT_EQ(set("strsize=4294967295"), "");
  EXPECT_EQ(set("strsize=4294967296"), "Value too large for defined data type");
}

TEST_F(OptionValuesTest, SharesAreMillionths) {
  EXPECT_EQ(set("cpubudget=1%"), "");
  EXPECT_EQ(options.number(OptionId::Cpubudget), 10'000);
  EXPECT_EQ(set("cpubudget=0.0025%"), "");
  EXPECT_EQ(options.number(OptionId::Cpubudget), 25);
  EXPECT_EQ(set("cpubudget=250%"), "");
  EXPECT_EQ(options.number(OptionId::Cpubudget), 2'500'000);
  for (const char* value : {"1", "%", "-1%", "0%", "1.%", ".5%", "0.00001%", "1e1%", "1 %", "9999999%"})
    EXPECT_EQ(set(std::string{"cpubudget="} + value), invalid) << value;
}

TEST_F(OptionValuesTest, DurationsWithoutUnitAreSeconds) {
  EXPECT_EQ(set("duration=2"), "");
  EXPECT_EQ(options.number(OptionId::Duration), 2000000000);
  EXPECT_EQ(set("duration=250ms"), "");
  EXPECT_EQ(options.number(OptionId::Duration), 250000000);
  EXPECT_EQ(set("duration=99hz"), invalid);
  EXPECT_EQ(set("duration"), invalid);
  EXPECT_EQ(set("duration=9223372037"), invalid);
}

TEST_F(OptionValuesTest, RatesArePeriods) {
  struct Case {
    const char* setting;
    int64_t nanoseconds;
  };
  for (auto [setting, nanoseconds] : {Case{"switchrate=7", 7},
                                      {"switchrate=7ns", 7},
                                      {"switchrate=7nsec", 7},
                                      {"switchrate=3us", 3000},
                                      {"switchrate=3usec", 3000},
                                      {"switchrate=3ms", 3000000},
                                      {"switchrate=3msec", 3000000},
                                      {"switchrate=2s", 2000000000},
                                      {"switchrate=2SEC", 2000000000},
                                      {"switchrate=1m", 60000000000},
                                      {"switchrate=1min", 60000000000},
                                      {"switchrate=1h", 3600000000000},
                                      {"switchrate=1hour", 3600000000000},
                                      {"switchrate=1d", 86400000000000},
                                      {"switchrate=1day", 86400000000000},
                                      {"switchrate=100hz", 10000000},
                                      {"switchrate=3HZ", 333333333}}) {
    EXPECT_EQ(set(setting), "") << setting;
    EXPECT_EQ(options.number(OptionId::Switchrate), nanoseconds) << setting;
  }
  for (const char* bad :
       {"switchrate", "switchrate=0.5hz", "switchrate=5q", "switchrate=hz", "switchrate=0hz", "switchrate=9999999999d"})
    EXPECT_EQ(set(bad), invalid) << bad;
}

TEST_F(OptionValuesTest, KeywordsAreChecked) {
  EXPECT_EQ(set("evaltime=exec"), "");
  EXPECT_EQ(options.text(OptionId::Evaltime), "exec");
  EXPECT_EQ(set("evaltime=later"), invalid);
  EXPECT_EQ(set("evaltime="), invalid);
  EXPECT_EQ(set("diagnostics=full"), "");
  EXPECT_EQ(set("diagnostics=fancy"), invalid);
  EXPECT_EQ(set("bufpolicy=switch"), "");
  EXPECT_EQ(set("bufpolicy=round"), invalid);
  EXPECT_EQ(set("bufpolicy=ring"), "");
  EXPECT_EQ(set("bufpolicy=fill"), "");
  EXPECT_EQ(set("syslibdir"), invalid);
}

TEST_F(OptionValuesTest, CompatSelectsTheDialect) {
  EXPECT_EQ(options.dialect(), Dialect{});
  EXPECT_FALSE(options.dialect().has_solaris_probes());
  EXPECT_EQ(set("compat=linux"), invalid);
  EXPECT_EQ(set("compat=solaris"), "");
  EXPECT_EQ(options.dialect(), Dialect::solaris());
  EXPECT_TRUE(options.dialect().has_solaris_probes());
  EXPECT_EQ(options.dialect().default_scratchsize(256), 16384);
}

TEST_F(OptionValuesTest, DialectMayBeSetByPragma) {
  EXPECT_TRUE(Dialect::may_be_set_by("#pragma D option compat=solaris\nBEGIN {}"));
  EXPECT_FALSE(Dialect::may_be_set_by("BEGIN {}"));
}

TEST_F(OptionValuesTest, VersionsOnlyDecrease) {
  EXPECT_EQ(set("version=2.0"), "");
  EXPECT_EQ(set("version=1.6.4"), "");
  EXPECT_EQ(set("version=1.6.4"), "");
  EXPECT_EQ(set("version=2.0"), "Requested version conflicts with earlier setting");
}

TEST_F(OptionValuesTest, PcapsizeIsRoundedToWords) {
  EXPECT_EQ(options.number(OptionId::Pcapsize), 1514);
  for (auto [text, size] : {std::pair{"pcapsize=1", 8},
                            {"pcapsize=64", 64},
                            {"pcapsize=65", 72},
                            {"pcapsize=64k", 65536},
                            {"pcapsize=65537", 1520},
                            {"pcapsize=0", 1520},
                            {"pcapsize=1514", 1520}}) {
    EXPECT_EQ(set(text), "");
    EXPECT_EQ(options.number(OptionId::Pcapsize), size) << text;
  }
}

TEST_F(OptionValuesTest, PrintsizeIsRoundedToWords) {
  EXPECT_FALSE(options.is_set(OptionId::Printsize));
  for (auto [text, size] : std::initializer_list<std::pair<const char*, int64_t>>{{"printsize=64k", 65536},
                                                                                  {"printsize=1", 8},
                                                                                  {"printsize=20", 24},
                                                                                  {"printsize=65537", 8192},
                                                                                  {"printsize=0", 8192},
                                                                                  {"printsize", 8192}}) {
    EXPECT_EQ(set(text), "");
    EXPECT_EQ(options.number(OptionId::Printsize), size) << text;
  }
  EXPECT_EQ(set("printsize=x"), invalid);
}

TEST_F(OptionValuesTest, ParsesLists) {
  EXPECT_TRUE(options.list(OptionId::Libdir).empty());
  EXPECT_EQ(set("libdir=a"), "");
  EXPECT_EQ(set("libdir="), "");
  EXPECT_EQ(set("libdir=b"), "");
  EXPECT_EQ(options.list(OptionId::Libdir), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(set("setenv=NOVALUE"), invalid);
  EXPECT_EQ(set("setenv=A=1", OptionOrigin::Pragma), command_line_only);
}

TEST_F(OptionValuesTest, ParsesAmin) {
  EXPECT_EQ(set("amin=stable/private"), "");
  EXPECT_EQ(set("amin=nosuch"), invalid);
  EXPECT_EQ(set("amin"), invalid);
}

TEST_F(OptionValuesTest, RejectsInvalidVersions) {
  for (const char* bad :
       {"version=2", "version=a.b", "version=1.", "version=1.2.3.4", "version=999.1", "version=1.5000", "version="})
    EXPECT_EQ(set(bad), "Version is not properly formatted or is too large") << bad;
  EXPECT_EQ(set("version=1.7"), "Requested version is not supported by compiler");
}

TEST_F(OptionValuesTest, RejectsOptionsFromWrongOrigins) {
  EXPECT_EQ(set("quiet", OptionOrigin::Pragma), "");
  EXPECT_EQ(set("cpppath=x", OptionOrigin::Pragma), command_line_only);
  EXPECT_EQ(set("lockmem=1m", OptionOrigin::Pragma), command_line_only);
  // They write files, which D code may only do with -w (freopen).
  EXPECT_EQ(set("ctypes=/x", OptionOrigin::Pragma), command_line_only);
  EXPECT_EQ(set("dtypes=/x", OptionOrigin::Pragma), command_line_only);
  EXPECT_EQ(set("lockmem=1m", OptionOrigin::Environment), "");
  EXPECT_EQ(set("quiet=no", OptionOrigin::Setopt), "");
  EXPECT_EQ(set("bufsize=1m", OptionOrigin::Setopt), active);
  EXPECT_EQ(set("errtags", OptionOrigin::Setopt), active);
  EXPECT_EQ(set("nosuch", OptionOrigin::Setopt), "Invalid option name");
  EXPECT_EQ(set("errtags=", OptionOrigin::Environment), "");
  EXPECT_TRUE(options.is_on(OptionId::Errtags));
}

TEST_F(OptionValuesTest, UnsupportedFeaturesAreRejectedWhenSwitchedOn) {
  EXPECT_EQ(set("grabanon"), "option `grabanon` cannot be done on a stock Linux kernel");
  EXPECT_EQ(set("grabanon=no"), "");
  EXPECT_EQ(set("tree=0"), "");
  EXPECT_EQ(set("tree=16"), invalid);
}

TEST_F(OptionValuesTest, ListsAccumulate) {
  EXPECT_EQ(set("define=A=1"), "");
  EXPECT_EQ(set("define=B"), "");
  EXPECT_EQ(options.text(OptionId::Define), "A=1\nB");
  EXPECT_EQ(set("syslibdir=a"), "");
  EXPECT_EQ(set("syslibdir=b"), "");
  EXPECT_EQ(options.text(OptionId::Syslibdir), "b");
}

TEST_F(OptionValuesTest, PreprocessorArgumentsKeepTheirOrder) {
  EXPECT_EQ(set("undef=A"), "");
  EXPECT_EQ(set("define=A=1 2"), "");
  EXPECT_EQ(set("cppargs= -Wall  -include x.h "), "");
  EXPECT_EQ(set("cpphdrs"), "");
  EXPECT_EQ(set("incdir=/a b"), "");
  EXPECT_EQ(set("undef=A"), "");
  EXPECT_EQ(options.preprocessor_arguments(),
            (std::vector<std::string>{"-UA", "-DA=1 2", "-Wall", "-include", "x.h", "-H", "-I/a b", "-UA"}));
}

}  // namespace
}  // namespace dscope
