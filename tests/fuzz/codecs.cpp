// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Decoders. The first byte of the input selects the type, the other bytes are decoded. A value that
// can be decoded is encoded again, and must then come back the same. No input makes a decoder
// allocate more than a multiple of its length (the fuzzer is run with a limit).
#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/cereal.hpp"
#include "weir/item/codec.hpp"

#include "must.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/bitset.hpp>
#include <cereal/types/chrono.hpp>
#include <cereal/types/deque.hpp>
#include <cereal/types/list.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/set.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/tuple.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>

#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace {

using weir_fuzz::must;

struct point {
  std::int32_t x, y;
  double z;
};

struct path {
  std::string name;
  std::vector<double> lengths;
  bool closed = false;
  std::map<std::string, std::vector<std::string>> notes;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, lengths, closed, notes);
  }
};

struct nothing {
  template <class Archive>
  void serialize(Archive&) {}
};

enum class colour : std::uint8_t { red, green };

struct all_kinds {
  std::array<bool, 3> flags{};
  std::vector<bool> bits;
  std::bitset<70> more_bits;
  std::optional<std::string> maybe;
  std::variant<std::monostate, std::int64_t, std::string, std::vector<path>> either;
  std::tuple<std::int8_t, colour, std::pair<std::string, float>> together;
  std::chrono::microseconds time{};
  std::list<std::deque<std::string>> lists;
  std::set<std::vector<std::uint16_t>> set;
  std::map<std::string, std::map<std::int32_t, nothing>> maps;
  std::vector<nothing> nothings;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(flags, bits, more_bits, maybe, either, together, time, lists, set, maps, nothings);
  }
};

struct tree {
  std::string name;
  std::vector<tree> children;
  std::unique_ptr<tree> next;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, children, next);
  }
};

struct shape {
  virtual ~shape() = default;
  std::string name;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name);
  }
};
struct circle : shape {
  double radius = 0;
  template <class Archive>
  void serialize(Archive& archive, std::uint32_t) {
    archive(cereal::base_class<shape>(this), radius);
  }
};
struct group : shape {
  std::vector<std::shared_ptr<circle>> parts;  // circles hold no parts, so no cyclic structure that leaks is ever made
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cereal::base_class<shape>(this), parts);
  }
};

// Pointers of several types, which may refer to the same object twice.
struct drawing {
  std::vector<std::shared_ptr<shape>> shapes;
  std::vector<std::shared_ptr<circle>> circles;
  std::vector<std::shared_ptr<std::string>> texts;
  std::vector<std::weak_ptr<std::vector<double>>> numbers;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(shapes, circles, texts, numbers);
  }
};

template <class T>
weir::buffer encoded(const T& item) {
  weir::byte_sink out;
  weir::codec<T>::encode(item, out);
  return std::move(out).joined();
}

template <class T>
int decode(std::span<const std::byte> bytes) {
  weir::byte_source in(bytes);
  try {
    const T item = weir::codec<T>::decode(in);
    const weir::buffer once = encoded(item);
    weir::byte_source again(once);
    const T same = weir::codec<T>::decode(again);
    must(again.left() == 0, "all of an item is read");
    must(once.text() == encoded(same).text(), "an item comes back as it was");
  } catch (const weir::codec_error& problem) {
    must(*problem.what() != '\0', "it is said why");
  }
  return 0;
}

}  // namespace

CEREAL_REGISTER_TYPE(circle)
CEREAL_REGISTER_TYPE(group)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return -1;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  switch (*data) {
    case 'l': return decode<point>(bytes);
    case 's': return decode<std::string>(bytes);
    case 'b': return decode<weir::buffer>(bytes);
    case 'p': return decode<path>(bytes);
    case 'v': return decode<std::vector<std::map<std::string, std::vector<path>>>>(bytes);
    case 'a': return decode<all_kinds>(bytes);
    case 't': return decode<tree>(bytes);
    case 'd': return decode<drawing>(bytes);
    default: return -1;
  }
}
