// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Codecs for every type that cereal can serialize. Include it, and cereal's own headers for the standard types in use
// (`<cereal/types/string.hpp>`, …), before the first block that uses such an item, in every source that does.

#include "weir/item/codec.hpp"
#include "weir/item/pair.hpp"

#include <cereal/archives/portable_binary.hpp>

#include <istream>
#include <new>
#include <ostream>
#include <streambuf>
#include <string>
#include <type_traits>

namespace weir {
namespace detail {

class sink_buffer final : public std::streambuf {
 public:
  explicit sink_buffer(byte_sink& out) : out_(out) {}

 protected:
  int_type overflow(int_type c) override {
    if (c != traits_type::eof()) append(out_, static_cast<std::byte>(c));
    return traits_type::not_eof(c);
  }
  std::streamsize xsputn(const char* first, std::streamsize count) override {
    out_.append(first, static_cast<std::size_t>(count));
    return count;
  }

 private:
  byte_sink& out_;
};

class source_buffer final : public std::streambuf {
 public:
  explicit source_buffer(byte_source& in) : in_(in) {}

 protected:
  std::streamsize xsgetn(char* to, std::streamsize count) override {
    if (static_cast<std::size_t>(count) > in_.left()) return 0;
    std::memcpy(to, in_.take(static_cast<std::size_t>(count)).data(), static_cast<std::size_t>(count));
    return count;
  }

 private:
  byte_source& in_;
};

}  // namespace detail

template <class T>
struct codec<T,
             std::enable_if_t<!std::is_trivially_copyable_v<T> && !detail::is_pair<T> &&
                              cereal::traits::is_output_serializable<T, cereal::PortableBinaryOutputArchive>::value &&
                              cereal::traits::is_input_serializable<T, cereal::PortableBinaryInputArchive>::value>> {
  static void encode(const T& item, byte_sink& out) {
    detail::sink_buffer buffer(out);
    std::ostream stream(&buffer);
    cereal::PortableBinaryOutputArchive archive(stream);
    archive(item);
  }
  static T decode(byte_source& in) {
    detail::source_buffer buffer(in);
    std::istream stream(&buffer);
    T item;
    try {
      cereal::PortableBinaryInputArchive archive(stream);
      archive(item);
    } catch (const cereal::Exception& problem) {
      throw codec_error(problem.what());
    } catch (const std::length_error&) {
      throw codec_error("a length in the bytes is larger than memory");
    } catch (const std::bad_alloc&) {
      throw codec_error("a length in the bytes is larger than memory");
    }
    return item;
  }
};

}  // namespace weir
