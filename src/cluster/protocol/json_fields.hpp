// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

namespace weir::cluster {

// Functions that read the JSON in control frames. Whatever the sender wrote, a wrong value is a
// protocol_error that names the key. The conversions of nlohmann-json are not suitable: they turn
// 1e300 into any number without an error.

/// @throws protocol_error if the text is not one JSON object, is longer than 16 MiB, or nested more
/// than 16 deep
nlohmann::json parse_message(std::span<const std::byte> text);

/// Returns the member `key` of a message. @throws protocol_error if there is none
const nlohmann::json& any_field(const nlohmann::json& of, const char* key);

namespace checked {
std::uint64_t whole_number(const nlohmann::json& value, const char* key, std::uint64_t most);
double number(const nlohmann::json& value, const char* key);
std::int64_t time(const nlohmann::json& value, const char* key);
bool truth(const nlohmann::json& value, const char* key);
const std::string& text(const nlohmann::json& value, const char* key);
}  // namespace checked

/// Converts a value: a string, true or false, or a number (an integer from 0 to `most` if `T` is
/// unsigned; if `T` is signed, one that allows sums of several, such as nanoseconds of a clock).
/// @param key the key of the value, or of the list that contains it
/// @throws protocol_error
template <class T>
  requires std::same_as<T, std::string> || std::same_as<T, bool> || std::same_as<T, double> ||
           std::same_as<T, std::int64_t> || std::unsigned_integral<T>
T value_of(const nlohmann::json& value, const char* key,
           std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  if constexpr (std::same_as<T, std::string>) {
    return checked::text(value, key);
  } else if constexpr (std::same_as<T, bool>) {
    return checked::truth(value, key);
  } else if constexpr (std::same_as<T, double>) {
    return checked::number(value, key);
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return checked::time(value, key);
  } else {
    constexpr std::uint64_t fits = std::numeric_limits<T>::max();
    return static_cast<T>(checked::whole_number(value, key, most < fits ? most : fits));
  }
}

/// Returns the same value, as an array or an object. @throws protocol_error if it is none
const nlohmann::json& array_of(const nlohmann::json& value, const char* key);
const nlohmann::json& object_of(const nlohmann::json& value, const char* key);

/// Returns the value of the member `key` of a message. @throws protocol_error
template <class T>
T field(const nlohmann::json& of, const char* key, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  return value_of<T>(any_field(of, key), key, most);
}
inline const nlohmann::json& array_field(const nlohmann::json& of, const char* key) {
  return array_of(any_field(of, key), key);
}
inline const nlohmann::json& object_field(const nlohmann::json& of, const char* key) {
  return object_of(any_field(of, key), key);
}

}  // namespace weir::cluster
