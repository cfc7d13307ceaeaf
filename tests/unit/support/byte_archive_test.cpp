// The archives write and read the format of cereal's own.
#include "support/byte_archive.h"

#include <gtest/gtest.h>

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <sstream>

namespace dscope::test {
namespace {

struct Content {
  uint8_t byte = 7;
  int64_t number = -2;
  double real = 0.5;
  bool is_true = true;
  std::string text = "text";
  std::vector<uint16_t> numbers = {1, 2, 3};
  std::map<std::string, std::vector<std::string>> lists = {{"a", {"b", ""}}};

  bool operator==(const Content&) const = default;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(byte, number, real, is_true, text, numbers, lists);
  }
};

TEST(ByteArchive, FormatIsThatOfPortableArchives) {
  Content content;
  std::ostringstream stream;
  cereal::PortableBinaryOutputArchive portable(stream);
  portable(content);
  std::string bytes;
  ByteOutput output(bytes);
  output(content);
  EXPECT_EQ(bytes, stream.str());

  Content read{.byte = 0, .number = 0, .real = 0, .is_true = false, .text = {}, .numbers = {}, .lists = {}};
  ByteInput input(bytes);
  input(read);
  EXPECT_EQ(read, content);
  EXPECT_EQ(input.left(), 0U);
}

TEST(ByteArchive, RejectsMissingBytes) {
  std::string bytes;
  ByteOutput output(bytes);
  Content content;
  output(content);
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto read = [&] {
      ByteInput input(std::string_view(bytes).substr(0, size));
      input(content);
    };
    EXPECT_THROW(read(), cereal::Exception) << size;
  }
}

TEST(ByteArchive, RejectsBigEndianNumbers) { EXPECT_THROW(ByteInput(std::string_view("\0", 1)), cereal::Exception); }

}  // namespace
}  // namespace dscope::test
