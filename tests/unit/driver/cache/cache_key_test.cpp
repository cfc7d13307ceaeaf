// The key of a program's code: equal only if the compiler would make the same code.
#include "driver/cache/cache_key.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temporary_folder.h"

namespace dscope {
namespace {

namespace fs = std::filesystem;

class CacheKey : public ::testing::Test {
 protected:
  CacheKey() { write("compiler", "program"); }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  std::optional<std::string> key(std::vector<const char*> arguments) const {
    arguments.insert(arguments.begin(), "dscope");
    auto command_line = parse_command_line(arguments);
    if (!command_line) throw std::runtime_error(command_line.error().text);
    auto options = make_options(*command_line, [](const std::string&) { return nullptr; });
    if (!options) throw std::runtime_error(options.error().message());
    return cache_key(*command_line, *options, path("compiler"));
  }

  TemporaryFolder folder_;
};

TEST_F(CacheKey, EqualRunsHaveEqualKeys) {
  auto one = key({"-n", "BEGIN", "-x", "strsize=8"});
  ASSERT_TRUE(one);
  EXPECT_EQ(one, key({"-n", "BEGIN", "-x", "strsize=8"}));
  EXPECT_EQ(one, key({"-x", "strsize=8", "-n", "BEGIN"}));
  EXPECT_EQ(one, key({"-n", "BEGIN", "-x", "strsize=8", "-o", "/tmp/elsewhere"}));
}

TEST_F(CacheKey, DiffersWithEachInput) {
  auto one = key({"-n", "BEGIN"});
  ASSERT_TRUE(one);
  EXPECT_NE(one, key({"-n", "END"}));
  EXPECT_NE(one, key({"-n", "BEGIN", "-n", "BEGIN"}));
  EXPECT_NE(one, key({"-P", "BEGIN"}));
  EXPECT_NE(one, key({"-n", "BEGIN", "argument"}));
  EXPECT_NE(key({"-n", "BEGIN", "a", "b"}), key({"-n", "BEGIN", "a b"}));
  EXPECT_NE(one, key({"-n", "BEGIN", "-q"}));
  EXPECT_NE(one, key({"-32", "-n", "BEGIN"}));
  EXPECT_NE(one, key({"-n", "BEGIN", "-c", "true"}));
  EXPECT_NE(one, key({"-n", "BEGIN", "-L", folder_.path().c_str()}));
}

TEST_F(CacheKey, DiffersWithTheContentOfFiles) {
  std::string script = path("script.d"), libraries = path("libraries");
  write("script.d", "BEGIN { exit(0); }");
  fs::create_directory(libraries);
  auto get = [&] { return key({"-L", libraries.c_str(), "-s", script.c_str()}); };
  auto first = get();
  ASSERT_TRUE(first);
  write("script.d", "BEGIN { exit(1); }");
  auto second = get();
  EXPECT_NE(first, second);
  write("libraries/one.d", "inline int one = 1;");
  auto third = get();
  EXPECT_NE(second, third);
  write("libraries/one.d", "inline int one = 11;");
  auto fourth = get();
  EXPECT_NE(third, fourth);
  write("compiler", "a new program");
  EXPECT_NE(fourth, get());
}

TEST_F(CacheKey, RunsThatMustCompileHaveNone) {
  ASSERT_TRUE(key({"-n", "BEGIN"}));
  for (const std::vector<const char*>& arguments : std::vector<std::vector<const char*>>{
           {"-x", "cache=off", "-n", "BEGIN"},
           {"-v", "-n", "BEGIN"},
           {"-e", "-n", "BEGIN"},
           {"-l", "-n", "BEGIN"},
           {"--dry-run", "-n", "BEGIN"},
           {"-C", "-n", "BEGIN"},
           {"-S", "-n", "BEGIN"},
           {"-Z", "-n", "BEGIN"},
           {"-x", "follow=exec", "-n", "BEGIN"},
           {"-x", "ctypes=/dev/null", "-n", "BEGIN"},
           {"-x", "bpflog", "-n", "BEGIN"},
           {"-s", "/dev/null"},
           {"-s", "/no/such/script.d"},
       })
    EXPECT_FALSE(key(arguments)) << arguments.back();
}

}  // namespace
}  // namespace dscope
