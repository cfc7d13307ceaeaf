// Compares the string functions, compiled for the host, with the models and the tables of the reference.
#include "destination.h"
#include "model.h"

namespace dscope {
namespace {

constexpr int kRounds = 8000;
constexpr int64_t no_count = INT64_MAX;  // strsize in D, which is larger than any string here

TEST(SupportString, MeasuresLengthForEveryCapacity) {
  for (size_t capacity = 8; capacity <= 8 * 40; capacity += 8)
    for (size_t length = 0; length < capacity; length++) {
      Buffer text(capacity, std::string(length, '\x80'));
      ASSERT_EQ(ds_strlen(text.data(), capacity), length) << capacity;
    }
  Buffer large(65528, std::string(65527, 'x'));
  EXPECT_EQ(ds_strlen(large.data(), large.capacity()), 65527u);
}

TEST(SupportString, ComparesUnsignedBytesForAllCapacities) {
  Random random(1);
  for (int i = 0; i < kRounds; i++) {
    Buffer left = random_buffer(random, random.chance(2) ? "" : "a\xff");
    std::string other = left.text();
    if (!other.empty() && random.chance(2))
      other[random.below(other.size())] = static_cast<char>(1 + random.below(255));
    if (random.chance(4)) other.resize(random.below(other.size() + 1));
    if (random.chance(4)) other = random.string(other.size() + 3, "a\xff");
    Buffer right(capacity_for(other.size()) + 8 * random.below(5), other);
    int expected = model::order(left.text(), other);
    ASSERT_EQ(ds_strcmp(left.data(), left.capacity(), right.data(), right.capacity()), expected);
    ASSERT_EQ(ds_strcmp(right.data(), right.capacity(), left.data(), left.capacity()), -expected);
  }
}

TEST(SupportString, CopyTruncatesAndPads) {
  Random random(2);
  for (int i = 0; i < kRounds; i++) {
    Buffer source = random_buffer(random);
    Destination destination(random);
    ds_strcpy(destination.buffer.data(), source.data(), destination.sizes(source));
    ASSERT_EQ(destination.buffer.text(), destination.cut(source.text()));
    ds_clear(destination.buffer.data(), destination.buffer.capacity());
    ASSERT_EQ(destination.buffer.text(), "");
  }
}

TEST(SupportString, JoinTruncatesAndPads) {
  Random random(3);
  for (int i = 0; i < kRounds; i++) {
    Buffer left = random_buffer(random), right = random_buffer(random);
    Destination destination(random);
    ds_strjoin(destination.buffer.data(), left.data(), right.data(), destination.sizes(left, right));
    ASSERT_EQ(destination.buffer.text(), destination.cut(left.text() + right.text()));
  }
}

TEST(SupportString, SubstrMatchesReferenceTable) {
  struct Row {
    int64_t index;
    int64_t count;
    const char* result;
  };
  const Row rows[] = {{3, no_count, "barbazbop"},
                      {12, no_count, ""},
                      {300, no_count, ""},
                      {-10, no_count, "obarbazbop"},
                      {-12, 11, "foobarbazbo"},
                      {0, 3, "foo"},
                      {3, -3, "barbaz"},
                      {-20, 10, "fo"},
                      {-20, no_count, "foobarbazbop"},
                      {-20, 8, ""},
                      {-20, -1, ""},
                      {4, -8, ""},
                      {INT32_MIN, 256, ""},
                      {INT64_MAX, no_count, ""},
                      {0, INT64_MIN, ""}};
  Buffer source(264, "foobarbazbop");
  for (const Row& row : rows) {
    Destination destination(256);
    ds_substr(destination.buffer.data(), source.data(), destination.sizes(source), row.index, row.count);
    EXPECT_EQ(destination.buffer.text(), row.result) << row.index << ", " << row.count;
  }
}

TEST(SupportString, SubstrMatchesModel) {
  Random random(4);
  for (int i = 0; i < 5 * kRounds; i++) {
    Buffer source = random_buffer(random);
    Destination destination(random);
    auto number = [&] { return random.chance(4) ? random.number() : static_cast<int64_t>(random.below(60)) - 30; };
    int64_t index = number(), count = number();
    if (index < INT32_MIN) index = INT32_MIN;
    std::optional<int64_t> given = count;
    if (random.chance(4)) given.reset();
    ds_substr(destination.buffer.data(), source.data(), destination.sizes(source), index, given.value_or(no_count));
    ASSERT_EQ(destination.buffer.text(), destination.cut(model::substr(source.text(), index, given)))
        << source.text() << " " << index << " " << count;
  }
}

TEST(SupportString, SuffixFromAnyOffset) {
  Random random(5);
  for (int i = 0; i < kRounds; i++) {
    Buffer source = random_buffer(random);
    Destination destination(random);
    int64_t offset = random.chance(4) ? random.number() : static_cast<int64_t>(random.below(source.capacity()));
    ds_suffix(destination.buffer.data(), source.data(), destination.sizes(source), offset);
    bool inside = offset >= 0 && static_cast<size_t>(offset) < source.text().size();
    std::string expected = inside ? source.text().substr(static_cast<size_t>(offset)) : "";
    ASSERT_EQ(destination.buffer.text(), destination.cut(expected));
  }
}

TEST(SupportString, FindsCharacters) {
  Random random(6);
  for (int i = 0; i < kRounds; i++) {
    Buffer buffer = random_buffer(random, random.chance(2) ? "" : "xyz\x80\x01");
    std::string text = buffer.text();
    char character = text.empty() || random.chance(4) ? 'x' : text[random.below(text.size())];
    u64 argument = random.chance(2) ? static_cast<u64>(character) : static_cast<unsigned char>(character);
    ASSERT_EQ(ds_strchr(buffer.data(), buffer.capacity(), argument), static_cast<int64_t>(text.find(character)));
    ASSERT_EQ(ds_strrchr(buffer.data(), buffer.capacity(), argument), static_cast<int64_t>(text.rfind(character)));
    ASSERT_EQ(ds_strchr(buffer.data(), buffer.capacity(), 0), -1);
    ASSERT_EQ(ds_strrchr(buffer.data(), buffer.capacity(), 0), -1);
  }
}

TEST(SupportString, FindsTheLastOtherCharacter) {
  Random random(7);
  for (int i = 0; i < kRounds; i++) {
    Buffer buffer = random_buffer(random, "/a");
    int64_t from = static_cast<int64_t>(random.below(buffer.capacity() + 1)) - 1;
    std::string before(buffer.data(), static_cast<size_t>(from + 1));
    ASSERT_EQ(ds_find_last(buffer.data(), buffer.capacity(), from, '/'), static_cast<int64_t>(before.rfind('/')));
    ASSERT_EQ(ds_find_last(buffer.data(), buffer.capacity(), from, DS_OTHER_THAN('/')),
              static_cast<int64_t>(before.find_last_not_of('/')));
  }
}

void check_index(const Buffer& text, const Buffer& needle, int64_t start) {
  Buffer in = text, of = needle;
  u64 sizes = DS_SIZES(0, 0, in.capacity(), of.capacity());
  ASSERT_EQ(ds_index(in.data(), of.data(), sizes, start), model::index_of(in.text(), of.text(), start))
      << in.text() << " / " << of.text() << " from " << start;
  ASSERT_EQ(ds_rindex(in.data(), of.data(), sizes, start), model::last_index_of(in.text(), of.text(), start))
      << in.text() << " / " << of.text() << " from " << start;
  ASSERT_EQ(ds_rindex(in.data(), of.data(), sizes, DS_FROM_END), model::last_index_of(in.text(), of.text(), {}));
  ASSERT_EQ(ds_strstr(in.data(), of.data(), sizes), model::index_of(in.text(), of.text(), 0));
}

TEST(SupportString, IndexMatchesModelInRepetitiveStrings) {
  Random random(8);
  for (int i = 0; i < 5 * kRounds; i++) {
    const char* alphabets[] = {"a", "ab", "abc", "a\x80\xff"};
    std::string alphabet = alphabets[random.below(4)];
    Buffer text = random_buffer(random, alphabet);
    std::string needle = random.string(random.chance(2) ? 3 : 30, alphabet);
    int64_t start = random.chance(5) ? random.number() : static_cast<int64_t>(random.below(text.capacity() + 8)) - 4;
    check_index(text, Buffer(capacity_for(needle.size()) + 8 * random.below(3), needle), start);
    if (HasFatalFailure()) return;
  }
}

TEST(SupportString, IndexFindsPartsOfTheString) {
  Random random(9);
  for (int i = 0; i < kRounds; i++) {
    Buffer text = random_buffer(random);
    size_t from = random.below(text.text().size() + 1);
    std::string needle = text.text().substr(from, random.characters(text.capacity()));
    int64_t start = static_cast<int64_t>(random.below(text.capacity() + 8)) - 4;
    check_index(text, Buffer(capacity_for(needle.size()), needle), start);
    if (HasFatalFailure()) return;
  }
}

TEST(SupportString, IndexHandlesTheWorstCase) {
  std::string text(4095, 'a'), needle(2000, 'a');
  needle.back() = 'b';
  check_index(Buffer(4096, text), Buffer(2008, needle), 0);
  check_index(Buffer(4096, text.substr(1) + "b"), Buffer(2008, needle), 0);
}

struct Path {
  const char *path, *basename, *dirname;
};
const Path paths[] = {{"/foo/bar/baz", "baz", "/foo/bar"},
                      {"/foo/bar/baz/", "baz", "/foo/bar"},
                      {"/foo/bar/baz//", "baz", "/foo/bar"},
                      {"/foo/bar///baz/", "baz", "/foo/bar"},
                      {"/foo/bar/baz/.", ".", "/foo/bar/baz"},
                      {"/foo/bar/baz/./", ".", "/foo/bar/baz"},
                      {"/foo/bar/baz/.//", ".", "/foo/bar/baz"},
                      {"foo/bar/baz/", "baz", "foo/bar"},
                      {"/", "/", "/"},
                      {"//", "/", "/"},
                      {"/////", "/", "/"},
                      {"./", ".", "."},
                      {".", ".", "."},
                      {"/.", ".", "/"},
                      {"/./", ".", "/"},
                      {"/.//", ".", "/"},
                      {"/./.", ".", "/."},
                      {"f", "f", "."},
                      {"f/", "f", "."},
                      {"", ".", "."}};

void check_path(const std::string& path, Destination destination, const std::string& base, const std::string& folder) {
  Buffer source(capacity_for(path.size()), path);
  ds_basename(destination.buffer.data(), source.data(), destination.sizes(source));
  ASSERT_EQ(destination.buffer.text(), destination.cut(base)) << path;
  ds_dirname(destination.buffer.data(), source.data(), destination.sizes(source));
  ASSERT_EQ(destination.buffer.text(), destination.cut(folder)) << path;
}

TEST(SupportString, PathsMatchReferenceTable) {
  for (const Path& path : paths) {
    EXPECT_EQ(model::basename(path.path), path.basename) << path.path;
    EXPECT_EQ(model::dirname(path.path), path.dirname) << path.path;
    check_path(path.path, Destination(256), path.basename, path.dirname);
  }
}

TEST(SupportString, PathsMatchModel) {
  Random random(10);
  for (int i = 0; i < 5 * kRounds; i++) {
    std::string path = random.string(random.chance(4) ? 300 : 20, random.chance(2) ? "/a" : "/abcdefg.");
    check_path(path, Destination(random), model::basename(path), model::dirname(path));
    if (HasFatalFailure()) return;
  }
}

TEST(SupportString, NumbersConvertToStringsAndBack) {
  Random random(11);
  const int64_t edges[] = {0, 1, -1, 9, 10, -10, INT64_MIN, INT64_MAX, INT64_MIN + 1, INT32_MIN};
  for (int i = 0; i < kRounds; i++) {
    int64_t value = i < 10 ? edges[i] : random.number();
    Destination destination(random);
    ds_lltostr(destination.buffer.data(), destination.sizes(Buffer(0)), value);
    ASSERT_EQ(destination.buffer.text(), destination.cut(std::to_string(value)));
    Buffer text(24, std::to_string(value));
    ASSERT_EQ(ds_strtoll(text.data(), text.capacity(), 10), value);
  }
  Destination small(7);
  ds_lltostr(small.buffer.data(), small.sizes(Buffer(0)), -1234567);
  EXPECT_EQ(small.buffer.text(), "-123456");
}

TEST(SupportString, StrtollMatchesModel) {
  Random random(12);
  for (int i = 0; i < kRounds; i++) {
    Buffer text = random_buffer(random, random.chance(2) ? "" : " \t-+0123456789abfxzAFXZ");
    unsigned base = static_cast<unsigned>(2 + random.below(35));
    ASSERT_EQ(ds_strtoll(text.data(), text.capacity(), base), model::strtoll(text.text(), base)) << text.text();
  }
}

TEST(SupportString, StrtollAcceptsHexadecimalPrefix) {
  const std::pair<const char*, int64_t> cases[] = {{"0x1f", 31}, {"-0X1f", -31}, {" +0x1fz", 31}, {"0x", 0},
                                                   {"0x0x1", 0}, {"00x1", 0},    {"x1", 0},       {"0x-1", 0},
                                                   {"0", 0},     {"1f", 31}};
  for (const auto& [digits, value] : cases) {
    Buffer text(24, digits);
    EXPECT_EQ(ds_strtoll(text.data(), text.capacity(), 16), value) << digits;
    EXPECT_EQ(model::strtoll(digits, 16), value) << digits;
  }
}

TEST(SupportString, ConvertsCaseOfAsciiLetters) {
  Random random(13);
  for (int i = 0; i < kRounds; i++) {
    Buffer source = random_buffer(random);
    Destination destination(random);
    std::string upper = source.text(), lower = source.text();
    for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    ds_toupper(destination.buffer.data(), source.data(), destination.sizes(source));
    ASSERT_EQ(destination.buffer.text(), destination.cut(upper));
    ds_tolower(destination.buffer.data(), source.data(), destination.sizes(source));
    ASSERT_EQ(destination.buffer.text(), destination.cut(lower));
  }
}

TEST(SupportString, ConvertsMemoryToText) {
  Random random(14);
  for (int i = 0; i < kRounds; i++) {
    Destination destination(random);
    size_t count = random.below(destination.characters + 1);
    std::string bytes;
    for (size_t at = 0; at < count; at++) bytes += random.chance(3) ? '\0' : static_cast<char>('a' + random.below(26));
    std::fill_n(destination.buffer.data(), destination.buffer.capacity(), '\0');
    std::copy(bytes.begin(), bytes.end(), destination.buffer.data());
    char separator = random.chance(4) ? '\0' : ' ';
    std::string expected = separator == 0 ? bytes.substr(0, bytes.find('\0')) : bytes;
    std::replace(expected.begin(), expected.end(), '\0', ' ');
    ds_memstr(destination.buffer.data(), destination.sizes(destination.buffer), static_cast<unsigned char>(separator),
              count);
    ASSERT_EQ(destination.buffer.text(), expected);
  }
}

}  // namespace
}  // namespace dscope
