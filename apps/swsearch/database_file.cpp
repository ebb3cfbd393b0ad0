// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "database_file.hpp"

#include <weir/patterns/parallel_for.hpp>

#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

namespace swsearch {
namespace {

constexpr std::array<char, 8> magic{'w', 'e', 'i', 'r', 's', 'w', 'd', 'b'};
constexpr std::uint32_t version = 2;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::size_t alignment = 64;
constexpr std::size_t block_size = std::size_t{1}
                                   << 20;  // bytes with a checksum of their own, which lets all cores check a file

// The head is trivial and without gaps, because it is written as it lies in memory.
struct head {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::array<char, codes> letters;
  std::uint64_t sequences;
  std::uint64_t residues;
  std::uint64_t title_bytes;
  std::uint64_t residue_bytes;  // including the padding
  std::uint64_t body_bytes;
  std::uint64_t body_sum;  // checksum of the checksums of all blocks
  std::uint64_t unused[3];
  std::uint64_t sum;  // checksum of all members before it
};
static_assert(sizeof(head) == 128 && alignment <= sizeof(head));

std::array<char, codes> padded(std::string_view letters) {
  std::array<char, codes> made{};
  std::ranges::copy(letters, made.begin());
  return made;
}

std::uint64_t sum_of(const head& of) { return XXH3_64bits(&of, sizeof of - sizeof of.sum); }

// Computes the checksum of a body that is added in pieces.
class body_sum {
 public:
  void add(std::string_view piece) {
    while (!piece.empty()) {
      const std::string_view part = piece.substr(0, block_size - in_block_);
      XXH3_64bits_update(block_.get(), part.data(), part.size());
      piece.remove_prefix(part.size());
      in_block_ += part.size();
      if (in_block_ == block_size) end_block();
    }
  }
  std::uint64_t finish() {
    if (in_block_ != 0) end_block();
    return of(sums_);
  }
  static std::uint64_t of(const std::vector<std::uint64_t>& sums) {
    return XXH3_64bits(sums.data(), sums.size() * sizeof(std::uint64_t));
  }

 private:
  void end_block() {
    sums_.push_back(XXH3_64bits_digest(block_.get()));
    XXH3_64bits_reset(block_.get());
    in_block_ = 0;
  }

  static XXH3_state_t* make() {
    XXH3_state_t* const made = XXH3_createState();
    XXH3_64bits_reset(made);
    return made;
  }
  std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> block_{make(), XXH3_freeState};
  std::size_t in_block_ = 0;
  std::vector<std::uint64_t> sums_;
};

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// Assigns a place to each part of a body, one after the other.
class parts {
 public:
  std::uint64_t next(std::uint64_t bytes) {
    const std::uint64_t begin = at_;
    at_ += (bytes + alignment - 1) / alignment * alignment;
    return begin;
  }
  std::uint64_t end() const { return at_; }

 private:
  std::uint64_t at_ = sizeof(head);
};

struct mapping {
  const std::byte* data = nullptr;
  std::size_t size = 0;

  mapping(const mapping&) = delete;
  mapping& operator=(const mapping&) = delete;
  explicit mapping(const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about {};
    if (descriptor < 0 || ::fstat(descriptor, &about) != 0) cant_read(file, descriptor);
    if (!S_ISREG(about.st_mode)) {
      ::close(descriptor);
      throw std::runtime_error("can't read " + weir::support::quoted_name(file) + ": an index must be a regular file");
    }
    size = static_cast<std::size_t>(about.st_size);
    if (size < sizeof(head)) {
      ::close(descriptor);
      throw std::runtime_error(weir::support::quoted_name(file) + ": the index is cut off; make it again");
    }
    void* const at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (at == MAP_FAILED) cant_read(file, descriptor);
    ::close(descriptor);
    data = static_cast<const std::byte*>(at);
  }
  ~mapping() { ::munmap(const_cast<std::byte*>(data), size); }

  template <class T>
  std::span<const T> at(std::uint64_t begin, std::uint64_t count) const {
    return {reinterpret_cast<const T*>(data + begin), static_cast<std::size_t>(count)};
  }

 private:
  [[noreturn]] static void cant_read(const std::string& file, int descriptor) {
    const int why = errno;
    if (descriptor >= 0) ::close(descriptor);
    throw std::system_error(why, std::generic_category(), "can't read " + weir::support::quoted_name(file));
  }
};

// Whether no index in the layout is out of range. Checksums detect accidents, not intent.
bool makes_sense(const database_layout& of, std::uint64_t residues) {
  std::vector<bool> seen(of.lengths.size());
  std::uint64_t sum = 0, title_begin = 0;
  std::uint32_t before = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i != of.lengths.size(); ++i) {
    const std::uint32_t number = of.order[i];
    if (number >= seen.size() || seen[number] || of.lengths[number] > before) return false;
    seen[number] = true;
    before = of.lengths[number];
    sum += before;
    if (of.title_ends[i] < title_begin || of.title_ends[i] > of.titles.size()) return false;
    title_begin = of.title_ends[i];
  }
  std::uint64_t columns = 0;
  for (std::size_t first = 0; first != of.order.size();) {
    const batch_shape shape = batch_at(of, first);
    columns += shape.columns;
    first += shape.sequences;
  }
  return sum == residues && columns * lanes == of.residues.size();
}

}  // namespace

void write_database(const std::string& file, const database& whole, const alphabet& letters,
                    const std::stop_token& stop) {
  const database_layout& layout = whole.layout();
  const std::array all{bytes_of(layout.lengths), bytes_of(layout.title_ends), layout.titles, bytes_of(layout.order),
                       bytes_of(layout.residues)};
  constexpr std::array<char, alignment> none{};
  const auto each_piece = [&](auto&& take) {
    constexpr std::size_t a_while = std::size_t{4} << 20;  // bytes
    for (const std::string_view part : all) {
      for (std::size_t at = 0; at < part.size(); at += a_while) {
        if (stop.stop_requested()) throw interrupted();
        take(part.substr(at, a_while));
      }
      take(std::string_view(none.data(), (alignment - part.size() % alignment) % alignment));
    }
  };
  head made{};
  made.magic = magic;
  made.version = version;
  made.byte_order = byte_order;
  made.letters = padded(letters.letters());
  made.sequences = whole.size();
  made.residues = whole.whole().residues;
  made.title_bytes = layout.titles.size();
  made.residue_bytes = layout.residues.size();
  body_sum sum;
  each_piece([&](std::string_view piece) {
    made.body_bytes += piece.size();
    sum.add(piece);
  });
  made.body_sum = sum.finish();
  made.sum = sum_of(made);
  weir::support::write_file(file, [&](const auto& write) {
    write({reinterpret_cast<const char*>(&made), sizeof made});
    each_piece(write);
  });
}

database map_database(const std::string& file, const alphabet& letters, share of_batches) {
  const auto mapped = std::make_shared<const mapping>(file);
  const auto refuse = [&](const std::string& what) {
    throw std::runtime_error(weir::support::quoted_name(file) + ": " + what);
  };
  head found;
  std::memcpy(&found, mapped->data, sizeof found);
  if (found.magic != magic) refuse("this is no index of swsearch");
  if (found.byte_order != byte_order)
    refuse("the index was made on a machine with another byte order; make it again here");
  if (found.version != version)
    refuse(fmt::format("the index is of version {}, this program reads version {}; make it again", found.version,
                       version));
  if (found.sum != sum_of(found)) refuse("the index is damaged at its beginning; make it again");
  if (std::max({found.sequences, found.title_bytes, found.residue_bytes}) > mapped->size)
    refuse("the index is cut off; make it again");
  parts sizes;
  const std::uint64_t lengths = sizes.next(found.sequences * sizeof(std::uint32_t));
  const std::uint64_t title_ends = sizes.next(found.sequences * sizeof(std::uint64_t));
  const std::uint64_t titles = sizes.next(found.title_bytes);
  const std::uint64_t order = sizes.next(found.sequences * sizeof(std::uint32_t));
  const std::uint64_t residues = sizes.next(found.residue_bytes);
  if (sizes.end() != sizeof found + found.body_bytes || sizes.end() != mapped->size) {
    refuse(fmt::format("the index is cut off: it has {} bytes of {}; make it again", mapped->size,
                       sizeof found + found.body_bytes));
  }
  if (found.letters != padded(letters.letters())) {
    refuse(fmt::format("the index has other letters, {}; --dna is for indexes made with --dna",
                       std::string_view(found.letters.data(), ::strnlen(found.letters.data(), codes))));
  }
  std::vector<std::uint64_t> sums((found.body_bytes + block_size - 1) / block_size);
  std::atomic<unsigned> bits = 0;  // all bits that are set in any residue
  weir::parallel_for(std::size_t{0}, sums.size(), [&](std::size_t i) {
    const std::uint64_t begin = sizeof found + i * block_size, end = std::min(begin + block_size, sizes.end());
    sums[i] = XXH3_64bits(mapped->data + begin, end - begin);
    residue here = 0;
    for (std::uint64_t at = std::max(begin, residues); at < end; ++at) here |= static_cast<residue>(mapped->data[at]);
    bits.fetch_or(here, std::memory_order_relaxed);
  });
  if (body_sum::of(sums) != found.body_sum) refuse("the index is damaged; make it again");
  const std::span<const char> text = mapped->at<char>(titles, found.title_bytes);
  const database_layout layout{.lengths = mapped->at<std::uint32_t>(lengths, found.sequences),
                               .title_ends = mapped->at<std::uint64_t>(title_ends, found.sequences),
                               .titles = {text.data(), text.size()},
                               .order = mapped->at<std::uint32_t>(order, found.sequences),
                               .residues = mapped->at<residue>(residues, found.residue_bytes)};
  if (bits >= codes || !makes_sense(layout, found.residues)) refuse("this is no index that swsearch has made");
  return database(layout, mapped, of_batches, {}, {found.sequences, found.residues});
}

}  // namespace swsearch
