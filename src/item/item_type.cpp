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
  // The inline namespaces of libstdc++ and libc++, whose demanglers end nested lists differently.
  for (const char* hidden : {"std::__cxx11::", "std::__1::"}) replace_all(name, hidden, "std::");
  for (const char* end : {" >", ">"}) {
    replace_all(name, std::string("std::basic_string<char, std::char_traits<char>, std::allocator<char>") + end,
                "std::string");
  }
  return name;
}

std::string item_type::name() const { return type_name(*type); }

}  // namespace weir
