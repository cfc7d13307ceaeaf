#include "pictures/gzip.h"

#include <zlib.h>

#include <new>

namespace dscope {

std::string gzip(std::string_view bytes, GzipEffort effort) {
  constexpr int gzip_window = 15 + 16, memory_level = 9;
  int level = effort == GzipEffort::Best ? Z_BEST_COMPRESSION : Z_BEST_SPEED;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  // avail_in has 32 bits.
  constexpr size_t chunk = size_t{1} << 30;
  std::string out;
  std::string buffer(size_t{1} << 16, '\0');
  for (size_t begin = 0; begin <= bytes.size(); begin += chunk) {
    std::string_view input = bytes.substr(begin, chunk);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    stream.avail_in = static_cast<uInt>(input.size());
    int flush = begin + chunk > bytes.size() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, flush);
      out.append(buffer, 0, buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace dscope
