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

// What control frames hold, JSON, is read with these: whoever sent it, what is not as it should be
// is a protocol_error that names the key. nlohmann-json's own conversions are not for that: they
// make any number of 1e300, without a word.

/// @throws protocol_error if that is not one JSON object, is longer than 16 MiB, or nested more
/// than 16 deep
nlohmann::json parse_message(std::span<const std::byte> text);

/// The member `key` of a message. @throws protocol_error if there is none
const nlohmann::json& any_field(const nlohmann::json& of, const char* key);

namespace detail {
std::uint64_t whole_number(const nlohmann::json& value, const char* key, std::uint64_t most);
double number(const nlohmann::json& value, const char* key);
std::int64_t time(const nlohmann::json& value, const char* key);
bool truth(const nlohmann::json& value, const char* key);
const std::string& text(const nlohmann::json& value, const char* key);
}  // namespace detail

/// A value: a string, true or false, a number (a whole one from 0 to `most` where `T` is unsigned;
/// one of which several can be added, such as nanoseconds of a clock, where it is signed).
/// @param key whose value it is, or that of an element
/// @throws protocol_error
template <class T>
  requires std::same_as<T, std::string> || std::same_as<T, bool> || std::same_as<T, double> ||
           std::same_as<T, std::int64_t> || std::unsigned_integral<T>
T value_of(const nlohmann::json& value, const char* key,
           std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  if constexpr (std::same_as<T, std::string>) {
    return detail::text(value, key);
  } else if constexpr (std::same_as<T, bool>) {
    return detail::truth(value, key);
  } else if constexpr (std::same_as<T, double>) {
    return detail::number(value, key);
  } else if constexpr (std::same_as<T, std::int64_t>) {
    return detail::time(value, key);
  } else {
    constexpr std::uint64_t fits = std::numeric_limits<T>::max();
    return static_cast<T>(detail::whole_number(value, key, most < fits ? most : fits));
  }
}

/// The same value, as an array or an object. @throws protocol_error if it is none
const nlohmann::json& array_of(const nlohmann::json& value, const char* key);
const nlohmann::json& object_of(const nlohmann::json& value, const char* key);

/// The value of the member `key` of a message. @throws protocol_error
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
