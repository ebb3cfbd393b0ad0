// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_SERIALIZED_TASK_HPP
#define WEIR_FF_DETAIL_SERIALIZED_TASK_HPP

#include <weir/export.hpp>

// The tasks that go to other processes, as bytes:
//
//   1 byte   0: a task follows; n > 0: no task, but the reserved value ULLONG_MAX - n + 1
//   then, for types that cereal serializes: the bytes of its archive (weir/item/cereal.hpp)
//   or, for types with functions of their own: 64 bits, the number of bytes, and the bytes
//
// A task belongs to whoever has it. When it has been encoded, it is freed.

#include "weir/item/bytes.hpp"
#include "weir/item/cereal.hpp"
#include "weir/item/item_type.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ff {

using sizeDFF_t = std::size_t;
using blobReleaseF_t = void (*)(void* owner, char* data, std::size_t size);

/// The bytes of a task, from a `serialize` of its own.
struct serializedBuffer_t {
  char* data = nullptr;
  sizeDFF_t size = 0;
  bool copied = true;  ///< `data` is from malloc, and is freed when it has been sent; else it lies in the task
  void* owner = nullptr;
  blobReleaseF_t release = nullptr;  ///< called when the bytes have been sent, in place of freeing them or the task

  serializedBuffer_t() = default;
  serializedBuffer_t(char* bytes, sizeDFF_t count, bool is_copy = true, void* owned_by = nullptr,
                     blobReleaseF_t release_by = nullptr)
      : data(bytes), size(count), copied(is_copy), owner(owned_by), release(release_by) {}
};

namespace detail {

/// A pointer and a size, by the names of `std::pair` and by those of F2, figure 7.
struct bytes_of_task : std::pair<char*, std::size_t> {
  bytes_of_task(char* data, std::size_t count) : pair(data, count) {}
  bytes_of_task(const bytes_of_task& other) : pair(other) {}
  bytes_of_task& operator=(const bytes_of_task& other) {
    pair::operator=(other);
    return *this;
  }

  char*& ptr = first;
  std::size_t& size = second;
};

template <class T>
concept has_own_members = requires(T& task, char* data, std::size_t size) {
  task.serialize();
  task.deserialize(data, size);
};
template <class T>
concept has_own_functions = requires(bytes_of_task& bytes, const bytes_of_task& received, T* task) {
  serialize(bytes, task);
  deserialize(received, task);
};
template <class T>
concept has_cereal =
    std::is_default_constructible_v<T> && cereal::traits::is_output_serializable<T, weir::cereal_output>::value &&
    cereal::traits::is_input_serializable<T, weir::cereal_input>::value;
template <class T>
concept is_serializable = has_own_members<T> || has_own_functions<T> || has_cereal<T>;

inline serializedBuffer_t buffer_of(const serializedBuffer_t& given) { return given; }
inline serializedBuffer_t buffer_of(const std::pair<char*, std::size_t>& given) {
  return {given.first, given.second, false};
}
inline serializedBuffer_t buffer_of(const std::tuple<char*, std::size_t, bool>& given) {
  return {std::get<0>(given), std::get<1>(given), std::get<2>(given)};
}

template <class T>
serializedBuffer_t own_bytes_of(T& task) {
  if constexpr (has_own_members<T>) {
    return buffer_of(task.serialize());
  } else {
    bytes_of_task bytes(nullptr, 0);
    bool copied = false;
    if constexpr (std::is_void_v<decltype(serialize(bytes, &task))>) {
      serialize(bytes, &task);
    } else {
      copied = serialize(bytes, &task);
    }
    return {bytes.first, bytes.second, copied};
  }
}

template <class T>
void free_task(T* task) {
  if constexpr (requires { T::freeTask(task); }) {
    T::freeTask(task);
  } else if constexpr (requires { serializefreetask(reinterpret_cast<char*>(task), task); }) {
    serializefreetask(reinterpret_cast<char*>(task), task);
  } else {
    delete task;
  }
}

/// Makes a task of `size` bytes at `data`, which are from malloc. The task may keep them.
template <class T>
T* task_of_own_bytes(char* data, std::size_t size) {
  const bytes_of_task bytes(data, size);
  T* task = nullptr;
  if constexpr (requires { task = T::alloc(data, size); }) {
    task = T::alloc(data, size);
  } else if constexpr (requires { deserializealloctask(bytes, task); }) {
    deserializealloctask(bytes, task);
  } else if constexpr (has_own_members<T> || requires { deserialize(bytes, static_cast<T*>(nullptr)); }) {
    task = new T;
  }  // else `deserialize` makes the task
  const auto read = [&] {
    if constexpr (has_own_members<T>) {
      return task->deserialize(data, size);
    } else {
      return deserialize(bytes, task);
    }
  };
  if constexpr (std::is_void_v<decltype(read())>) {
    read();
  } else {
    if (read()) std::free(data);
  }
  return task;
}

template <class T>
void encode_task(T* task, weir::byte_sink& out) {
  if constexpr (has_own_members<T> || has_own_functions<T>) {
    const serializedBuffer_t bytes = own_bytes_of(*task);
    const std::uint64_t size = bytes.size;
    out.append(&size, sizeof size);
    out.append(bytes.data, bytes.size);
    if (bytes.release != nullptr) {
      bytes.release(bytes.owner, bytes.data, bytes.size);
      if (!bytes.copied) return;
    } else if (bytes.copied) {
      std::free(bytes.data);
    }
  } else {
    weir::detail::encode_by_cereal(*task, out);
  }
  free_task(task);
}

template <class T>
T* decode_task(weir::byte_source& in) {
  if constexpr (has_own_members<T> || has_own_functions<T>) {
    std::uint64_t size = 0;
    in.read(size);
    const auto bytes = in.take(size);
    auto* const data = static_cast<char*>(std::malloc(size + 1));
    if (data == nullptr) throw std::bad_alloc();
    if (size != 0) std::memcpy(data, bytes.data(), size);
    return task_of_own_bytes<T>(data, size);
  } else {
    auto task = std::make_unique<T>();
    weir::detail::decode_by_cereal(*task, in);
    return task.release();
  }
}

/// A task of type `T`. It lies in memory like an untyped one, and has a codec if `T` can be
/// serialized.
template <class T>
struct serialized_task {
  explicit serialized_task(void* task) : what(task) {}
  void* what;
};

/// Encodes the first byte. @return whether a task follows
WEIR_API bool encode_first(const void* what, weir::byte_sink& out);
/// Decodes the first byte. @return null if a task follows, or else a reserved value
WEIR_API void* decode_first(weir::byte_source& in);

/// Returns the item type of tasks of type `T`; null for `void`.
template <class T>
const weir::item_type* type_of_task() {
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else {
    return &weir::item_type_of<serialized_task<T>>();
  }
}

}  // namespace detail
}  // namespace ff

template <class T>
struct weir::codec<ff::detail::serialized_task<T>, std::enable_if_t<ff::detail::is_serializable<T>>> {
  using item = ff::detail::serialized_task<T>;

  static void encode(const item& task, byte_sink& out) {
    if (ff::detail::encode_first(task.what, out)) ff::detail::encode_task(static_cast<T*>(task.what), out);
  }
  static item decode(byte_source& in) {
    void* const reserved = ff::detail::decode_first(in);
    return item(reserved != nullptr ? reserved : ff::detail::decode_task<T>(in));
  }
};

#endif
