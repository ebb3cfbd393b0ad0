// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "words.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace wordcount {

/// Amount of input that was read.
struct totals {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
  std::uint64_t unreadable = 0;  ///< files and directories

  totals& operator+=(const totals& more) {
    bytes += more.bytes;
    files += more.files;
    unreadable += more.unreadable;
    return *this;
  }
  bool operator==(const totals&) const = default;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(bytes, files, unreadable);
  }
};

/// Amount read so far in this process. The reader writes it, any thread may read it.
struct tally {
  std::atomic<std::uint64_t> bytes{0};
  std::atomic<std::uint64_t> files{0};
};

/// A part of the text, and the amount read since the part before it. The sum over all parts is thus
/// the amount of all input.
struct text_block {
  std::string text;
  totals read;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(text, read);
  }
};

/// A source of the bytes of files, of all regular files in directories, and of standard input, in
/// blocks of about 256 KiB. No word spans two blocks: a block ends next to a byte that is in no
/// word, and so does a file.
///
/// Links that are arguments are followed; links found inside a directory are not, so no file is
/// counted twice, and a cycle of links causes no endless loop. A file that cannot be read is
/// reported, counted, and left out.
class reader {
 public:
  using complaint = std::function<void(const std::string&)>;

  /// @param roots files and directories; `-` is standard input
  /// @param progress counts up while reading; must outlive the run
  /// @param complain gets one line for each file or directory that cannot be read
  reader(std::vector<std::string> roots, tally& progress, complaint complain, word_kind words = word_kind::bytes)
      : roots_(std::move(roots)), progress_(&progress), complain_(std::move(complain)), words_(words) {}

  std::optional<text_block> next();

 private:
  // An open file that closes itself.
  class descriptor {
   public:
    explicit descriptor(int fd = -1) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
      std::swap(fd_, other.fd_);
      return *this;
    }
    ~descriptor();
    int get() const noexcept { return fd_; }

   private:
    int fd_;
  };

  void open_next();
  void open(const std::filesystem::path& path, bool named);
  void list(const std::filesystem::path& directory);
  bool fill(std::string& block, std::size_t& used);
  std::uint64_t skip_hole() const;
  text_block with_totals(std::string text);
  void fail(const std::filesystem::path& path, int error);

  std::vector<std::string> roots_;
  tally* progress_;
  complaint complain_;
  word_kind words_;

  std::size_t next_root_ = 0;
  std::vector<std::filesystem::path> pending_;  // found inside directories, not yet read
  std::filesystem::path name_;                  // name of the open file
  descriptor file_;
  std::uint64_t size_with_holes_ = 0;  // size of the open file; 0: it has no holes
  std::string carry_;                  // the beginning of a word whose end has not been read yet
  totals read_;                        // since the last block
  bool done_ = false;
};

/// Returns the number of bytes that a reader of these roots is going to read; none: it is not
/// known, as for a pipe, or stop was requested.
std::optional<std::uint64_t> bytes_in(const std::vector<std::string>& roots, const std::stop_token& stop);

}  // namespace wordcount
