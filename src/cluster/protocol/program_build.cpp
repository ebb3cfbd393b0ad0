// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/protocol/program_build.hpp"

#include "weir/detail/cluster/sha256.hpp"

#include "graph/file_text.hpp"
#include "graph/per_process.hpp"

#include <elf.h>
#include <link.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

namespace weir::cluster {

namespace {

constexpr std::string_view gnu("GNU\0", 4);

std::size_t rounded_up(std::size_t size, std::size_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// Returns the build id among the notes of one segment; empty if there is none.
std::string id_in(std::span<const unsigned char> notes, std::size_t alignment) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = sizeof note;
    const std::size_t contents = rounded_up(name + note.n_namesz, alignment);
    const std::size_t next = rounded_up(contents + note.n_descsz, alignment);
    if (contents + note.n_descsz > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == gnu.size() &&
        std::memcmp(notes.data() + name, gnu.data(), gnu.size()) == 0) {
      return detail::hexadecimal(notes.subspan(contents, note.n_descsz));
    }
    notes = notes.subspan(std::min(next, notes.size()));
  }
  return {};
}

// Returns the id that the linker has written into a loaded program or library.
std::string linked_id(const dl_phdr_info& of) {
  for (const ElfW(Phdr) & segment : std::span(of.dlpi_phdr, of.dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    const auto* const begin = reinterpret_cast<const unsigned char*>(of.dlpi_addr + segment.p_vaddr);
    const std::string id = id_in({begin, segment.p_memsz}, segment.p_align == 8 ? 8 : 4);
    if (!id.empty()) return id;
  }
  return {};
}

// Returns a hash of the contents of a file; empty if it can't be read.
std::string hash_of(const std::string& file) {
  const detail::open_file in = detail::open_to_read(file);
  if (in == nullptr) return {};
  detail::sha256 hash;
  std::vector<char> part(std::size_t{1} << 20);
  for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), in.get())) != 0;) {
    hash.add({part.data(), got});
  }
  return std::ferror(in.get()) != 0 ? std::string() : detail::hexadecimal(hash.end());
}

// Libraries of the system are updated independently on each machine, and keep their interfaces.
bool is_of_system(std::string_view file) { return file.starts_with("/lib") || file.starts_with("/usr/lib"); }

int add_loaded(dl_phdr_info* loaded, std::size_t, void* to) {
  auto& build = *static_cast<program_build*>(to);
  const std::string_view file = loaded->dlpi_name == nullptr ? "" : loaded->dlpi_name;
  if (file.empty()) {  // the program; the kernel's own object has a name without a folder
    if (build.id.empty()) build.id = linked_id(*loaded);
  } else if (file.find('/') != std::string_view::npos && !is_of_system(file)) {
    std::string id = linked_id(*loaded);
    if (id.empty()) id = hash_of(std::string(file));
    build.libraries.push_back({std::string(file.substr(file.rfind('/') + 1)), std::move(id)});
  }
  return 0;
}

program_build find_build() {
  constexpr const char* self = "/proc/self/exe";
  program_build made;
  std::error_code none;
  made.program = std::filesystem::read_symlink(self, none);
  utsname about{};
  if (::uname(&about) == 0) made.machine = about.machine;
  ::dl_iterate_phdr(add_loaded, &made);
  if (made.id.empty()) made.id = hash_of(self);
  return made;
}

std::string named(const program_build& build) { return build.program + " (" + build.machine + ", " + build.id + ")"; }

}  // namespace

const program_build& program_build::of_this_process() {
  static constinit detail::made_once<const program_build> self;
  return self.get([] { return std::make_unique<const program_build>(find_build()); });
}

std::string difference(const program_build& one, const program_build& other, const std::string& whose) {
  if (one.id != other.id) {
    return "runs another build of the program than " + whose + ": " + named(one) + ", not " + named(other);
  }
  for (const program_build::library& each : one.libraries) {
    const auto same = std::ranges::find(other.libraries, each.name, &program_build::library::name);
    if (same == other.libraries.end() || same->id == each.id) continue;
    return "has another build of " + each.name + " loaded than " + whose + ": " + each.id + ", not " + same->id;
  }
  return {};
}

}  // namespace weir::cluster
