// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/item_type.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace weir {
namespace {

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

template struct detail::byte_functions<1>;
template struct detail::byte_functions<2>;
template struct detail::byte_functions<4>;
template struct detail::byte_functions<8>;
template struct detail::byte_functions<16>;

std::string type_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? readable.get() : type.name();
  replace_all(name, "std::__cxx11::", "std::");
  replace_all(name, "std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string");
  return name;
}

std::string item_type::name() const { return type_name(*type); }

}  // namespace weir
