// cereal archives over strings. They write the format of cereal's portable binary archives on little-endian machines,
// and need none of the streams of libstdc++, which are 0.7 MB of a program with all their locales.
#pragma once

#include <cereal/cereal.hpp>

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace dscope {

static_assert(std::endian::native == std::endian::little);

// Appends to a string of the caller.
class ByteOutput : public cereal::OutputArchive<ByteOutput, cereal::AllowEmptyClassElision> {
 public:
  explicit ByteOutput(std::string& bytes) : OutputArchive(this), bytes_(bytes) { bytes_.push_back(little_endian); }
  void append(const void* data, size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  static constexpr char little_endian = 1;

 private:
  std::string& bytes_;
};

// Reads from bytes of the caller. Throws cereal::Exception if they end too early.
class ByteInput : public cereal::InputArchive<ByteInput, cereal::AllowEmptyClassElision> {
 public:
  explicit ByteInput(std::string_view bytes) : InputArchive(this), bytes_(bytes) {
    char endian = 0;
    read(&endian, 1);
    if (endian != ByteOutput::little_endian) throw cereal::Exception("its numbers are big-endian");
  }
  void read(void* data, size_t size) {
    if (size > bytes_.size()) throw cereal::Exception("it ends too early");
    if (size != 0) std::memcpy(data, bytes_.data(), size);  // an empty vector has no address
    bytes_.remove_prefix(size);
  }
  // Bytes that have not been read.
  size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

template <class T>
std::enable_if_t<std::is_arithmetic_v<T>> CEREAL_SAVE_FUNCTION_NAME(ByteOutput& archive, const T& value) {
  archive.append(&value, sizeof value);
}
template <class T>
std::enable_if_t<std::is_arithmetic_v<T>> CEREAL_LOAD_FUNCTION_NAME(ByteInput& archive, T& value) {
  archive.read(&value, sizeof value);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(ByteOutput& archive, const cereal::BinaryData<T>& data) {
  archive.append(data.data, static_cast<size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(ByteInput& archive, cereal::BinaryData<T>& data) {
  archive.read(data.data, static_cast<size_t>(data.size));
}
template <class Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& pair)
  requires std::is_same_v<Archive, ByteInput> || std::is_same_v<Archive, ByteOutput>
{
  archive(pair.value);
}
template <class Archive, class T>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::SizeTag<T>& tag)
  requires std::is_same_v<Archive, ByteInput> || std::is_same_v<Archive, ByteOutput>
{
  archive(tag.size);
}

}  // namespace dscope

CEREAL_SETUP_ARCHIVE_TRAITS(dscope::ByteInput, dscope::ByteOutput)
