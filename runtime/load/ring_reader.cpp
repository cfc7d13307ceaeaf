#include "runtime/load/ring_reader.h"

#include <sys/mman.h>
#include <unistd.h>

namespace dscope {

Result<RingReader> RingReader::open(const BpfMap& map) {
  auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  RingReader reader;
  reader.fd_ = map.fd();
  reader.size_ = map.max_entries();
  DS_TRY(reader.consumer_page_, MappedMemory::create(map.fd(), page, PROT_READ | PROT_WRITE, 0));
  // The kernel allows only read access to the producers' pages.
  DS_TRY(reader.producer_page_, MappedMemory::create(map.fd(), page + reader.size_, PROT_READ, page));
  reader.data_ = reader.producer_page_.data() + page;
  return reader;
}

}  // namespace dscope
