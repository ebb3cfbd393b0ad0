// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Codecs for every type that cereal can serialize. Include this header, and cereal's own headers
// for the standard types in use (`<cereal/types/string.hpp>`, …), in every source that uses such an
// item, before the first block with that item. Include it also before CEREAL_REGISTER_TYPE, if an
// item holds pointers to polymorphic types.

#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/item/pair.hpp"

#include <cereal/cereal.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

// Declared in cereal/types/memory.hpp, which only programs with such pointers need.
namespace cereal::memory_detail {
template <class T>
struct PtrWrapper;
}

namespace weir {
namespace detail {

/// Whether T is one of the wrapper types with which cereal describes how a value is serialized.
template <class T>
constexpr bool is_wrapper = std::is_base_of_v<cereal::detail::NameValuePairCore, T>;
template <class T>
constexpr bool is_wrapper<cereal::SizeTag<T>> = true;
template <class T>
constexpr bool is_wrapper<cereal::BinaryData<T>> = true;
template <class T>
constexpr bool is_nested = std::is_class_v<T> && !is_wrapper<T>;

/// Lower bound of the encoded size of an element, in bytes.
template <class T>
constexpr std::uint64_t element_bytes = 1;
template <class T, class Allocator>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
constexpr std::uint64_t element_bytes<std::vector<T, Allocator>> = sizeof(T);

/// Limits of one item in both archives.
///
/// An encoded size announces the number of elements that follow, and containers allocate memory for
/// them at once. Each element has at least one byte of its own (an element that is a container has
/// its size). Therefore all announcements in an item together may not exceed the bytes of the item.
/// Elements of empty types have no bytes; `elements_without_bytes` more elements are allowed for
/// them.
class cereal_limits {
 public:
  static constexpr std::uint64_t elements_without_bytes = 1024;
  static constexpr std::size_t levels = 1000;

  template <class T>
  void enter() {
    if (++depth_ > levels) throw codec_error("an item is nested more than 1000 levels deep");
    element_bytes_ = element_bytes<T>;
  }
  void leave() noexcept { --depth_; }

  /// Returns the number of bytes that a size announces; the largest number on overflow.
  std::uint64_t announced_by(std::uint64_t elements) noexcept {
    const std::uint64_t each = std::exchange(element_bytes_, 1);
    return elements > most / each ? most : elements * each;
  }

 protected:
  static constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

 private:
  std::size_t depth_ = 0;
  std::uint64_t element_bytes_ = 1;  // for the container that was entered last
};

// A size below this number takes one byte. A larger size is this byte, followed by 64 bits.
constexpr std::uint8_t large_size = 255;

}  // namespace detail

/// The cereal archive that encodes items: their bytes as in memory, without padding, and a size in
/// front of each container.
class cereal_output : public cereal::OutputArchive<cereal_output, cereal::AllowEmptyClassElision>,
                      public detail::cereal_limits {
 public:
  explicit cereal_output(byte_sink& out) : OutputArchive(this), out_(out), before_(out.size()) {}

  void write(const void* data, std::size_t size) { out_.append(data, size); }
  void write_size(std::uint64_t elements) {
    const std::uint64_t announced = announced_by(elements);
    announced_ += std::min(announced, most - announced_);
    const auto small = static_cast<std::uint8_t>(std::min<std::uint64_t>(elements, detail::large_size));
    write(&small, 1);
    if (small == detail::large_size) write(&elements, sizeof elements);
  }

  /// Checks the item. @throws codec_error if the item can't be decoded again
  void finish() const {
    const std::uint64_t written = out_.size() - before_;
    if (announced_ > written && announced_ - written > elements_without_bytes)
      throw codec_error("an item announces more elements than it has bytes");
  }

 private:
  byte_sink& out_;
  const std::size_t before_;
  std::uint64_t announced_ = 0;
};

/// The cereal archive that decodes items from bytes of another process, all of which are checked.
class cereal_input : public cereal::InputArchive<cereal_input, cereal::AllowEmptyClassElision>,
                     public detail::cereal_limits {
 public:
  explicit cereal_input(byte_source& in) : InputArchive(this), in_(in), left_(in.left() + elements_without_bytes) {}

  void read(void* data, std::size_t size) {
    const auto bytes = in_.take(size);
    if (size != 0) std::memcpy(data, bytes.data(), size);
  }
  std::uint64_t read_size() {
    std::uint8_t small = 0;
    in_.read(small);
    std::uint64_t elements = small;
    if (small == detail::large_size) in_.read(elements);
    const std::uint64_t announced = announced_by(elements);
    if (announced > left_ || announced > in_.left() + elements_without_bytes)
      throw codec_error("a length in the bytes is larger than they are");
    left_ -= announced;
    return elements;
  }

  // These functions hide cereal's own, which return the pointer with the given number without a
  // check of its type.
  template <class T>
  void registerSharedPointer(std::uint32_t number, const std::shared_ptr<T>& made) {
    shared_.push_back({made, &typeid(T)});
    if ((number & ~cereal::detail::msb_32bit) != shared_.size())
      throw codec_error("a shared object in the bytes is out of turn");
  }
  std::shared_ptr<void> getSharedPointer(std::uint32_t number) const {
    if (number == 0) return nullptr;
    if (number > shared_.size() || *shared_[number - 1].type != *wanted_)
      throw codec_error("a pointer in the bytes leads to no object of its type");
    return shared_[number - 1].pointer;
  }
  void expect_pointer(const std::type_info& to) noexcept { wanted_ = &to; }

 private:
  struct shared_object {
    std::shared_ptr<void> pointer;
    const std::type_info* type;
  };

  byte_source& in_;
  std::uint64_t left_;  // bytes that sizes may still announce
  std::vector<shared_object> shared_;
  const std::type_info* wanted_ = &typeid(void);
};

/// cereal calls it before it encodes or decodes an object. Programs don't.
template <class T>
void prologue(cereal_output& out, const T&) {
  if constexpr (detail::is_nested<T>) out.enter<T>();
}
/// cereal calls it after it has encoded or decoded an object. Programs don't.
template <class T>
void epilogue(cereal_output& out, const T&) {
  if constexpr (detail::is_nested<T>) out.leave();
}
template <class T>
void prologue(cereal_input& in, const T&) {
  if constexpr (detail::is_nested<T>) in.enter<T>();
}
template <class T>
void prologue(cereal_input& in, const cereal::memory_detail::PtrWrapper<std::shared_ptr<T>&>&) {
  in.enter<T>();
  in.expect_pointer(typeid(T));
}
template <class T>
void epilogue(cereal_input& in, const T&) {
  if constexpr (detail::is_nested<T>) in.leave();
}

/// `save`, by which cereal encodes numbers, bytes, sizes and named values.
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_output& out, const T& value) {
  out.write(&value, sizeof value);
}
/// `load`, by which cereal decodes numbers, bytes, sizes and named values.
/// @throws codec_error if the bytes are no such value
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_input& in, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    std::uint8_t byte = 0;
    in.read(&byte, 1);
    if (byte > 1) throw codec_error("a truth value in the bytes is neither true nor false");
    value = byte != 0;
  } else {
    in.read(&value, sizeof value);
  }
}

template <class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_output& out, const cereal::BinaryData<T>& data) {
  out.write(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_input& in, cereal::BinaryData<T>& data) {
  using element = std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<std::remove_reference_t<T>>>>;
  in.read(data.data, static_cast<std::size_t>(data.size));
  if constexpr (std::is_same_v<element, bool>) {
    const std::span bytes(static_cast<const std::uint8_t*>(data.data), static_cast<std::size_t>(data.size));
    if (std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte > 1; }))
      throw codec_error("a truth value in the bytes is neither true nor false");
  }
}

template <class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_output& out, const cereal::SizeTag<T>& tag) {
  out.write_size(tag.size);
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_input& in, cereal::SizeTag<T>& tag) {
  tag.size = static_cast<std::remove_reference_t<T>>(in.read_size());
}

template <class T>
void CEREAL_SAVE_FUNCTION_NAME(cereal_output& out, const cereal::NameValuePair<T>& pair) {
  out(pair.value);
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(cereal_input& in, cereal::NameValuePair<T>& pair) {
  in(pair.value);
}

namespace detail {

template <class Act>
void as_codec_error(Act&& act) {
  try {
    act();
  } catch (const codec_error&) {
    throw;
  } catch (const std::exception& problem) {
    throw codec_error(problem.what());
  }
}

/// @throws codec_error on any error, also if a function of the type throws
template <class T>
void encode_by_cereal(const T& item, byte_sink& out) {
  as_codec_error([&] {
    cereal_output archive(out);
    archive(item);
    archive.finish();
  });
}

/// @throws codec_error on any error, also if a function of the type throws
template <class T>
void decode_by_cereal(T& item, byte_source& in) {
  as_codec_error([&] {
    cereal_input archive(in);
    archive(item);
  });
}

}  // namespace detail

/// Codec of the types that cereal serializes. An item may be nested at most 1000 levels deep; each
/// object in another object is a level, and so is each container.
/// @throws codec_error on any error, also if a function of the type throws
template <class T>
struct codec<
    T, std::enable_if_t<!std::is_trivially_copyable_v<T> && !detail::is_pair<T> && std::is_default_constructible_v<T> &&
                        cereal::traits::is_output_serializable<T, cereal_output>::value &&
                        cereal::traits::is_input_serializable<T, cereal_input>::value>> {
  static void encode(const T& item, byte_sink& out) { detail::encode_by_cereal(item, out); }
  static T decode(byte_source& in) {
    T item;
    detail::decode_by_cereal(item, in);
    return item;
  }
};

}  // namespace weir

CEREAL_REGISTER_ARCHIVE(weir::cereal_output)
CEREAL_REGISTER_ARCHIVE(weir::cereal_input)
CEREAL_SETUP_ARCHIVE_TRAITS(weir::cereal_input, weir::cereal_output)
