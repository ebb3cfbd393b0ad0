// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/weir.hpp>

#include "core/free_space.hpp"
#include "core/generate.hpp"
#include "core/output_file.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/network_options.hpp"
#include "support/output.hpp"
#include "support/supervision.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace {

using namespace extsort;

const std::map<std::string, key_distribution> distributions{
    {"uniform", key_distribution::uniform}, {"zipf", key_distribution::zipf},
    {"sorted", key_distribution::sorted},   {"reversed", key_distribution::reversed},
    {"nearly", key_distribution::nearly},   {"equal", key_distribution::equal},
    {"few", key_distribution::few}};

void write_all(const file& to, const std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at != bytes.size();) {
    const ::ssize_t moved = ::write(to.descriptor(), bytes.data() + at, bytes.size() - at);
    if (moved < 0 && errno == EINTR) continue;
    if (moved < 0)
      throw std::system_error(errno, std::generic_category(), "can't write " + weir::support::quoted_name(to.name()));
    at += static_cast<std::size_t>(moved);
  }
}

int generate(const generator_setup& setup, const std::string& name, std::size_t workers, bool is_quiet) {
  const auto begin = std::chrono::steady_clock::now();
  // On file systems without unnamed files the unfinished file has a name; a signal must remove it.
  std::optional<weir::support::supervision> watch(std::in_place, std::function<std::string()>());
  output_file output(name, false);
  expect_room(output.edges(), expected_size(setup), "make room there, or write fewer records");
  std::uint64_t bytes = 0;
  const std::uint64_t blocks = (setup.records + records_in_block - 1) / records_in_block;
  const auto make = [&setup](std::uint64_t block) { return generate_block(setup, block); };
  const auto numbers = [next = std::uint64_t{0}, blocks]() mutable -> std::optional<std::uint64_t> {
    return next == blocks ? std::nullopt : std::optional(next++);
  };
  const auto write = [&](const std::vector<std::byte>& block) {
    write_all(output.edges(), block);
    bytes += block.size();
  };
  const auto makers = workers == 0 ? weir::farm(make) : weir::farm(make, workers);
  weir::run(weir::source(numbers).named("blocks") | makers.ordered().named("generate") |
                weir::sink(write).capacity(4).named("write"),
            {.workers = workers, .stop = watch->stop()});
  if (watch->signal() == 0) output.complete(bytes);
  if (const int signal = watch->signal(); signal != 0) return 128 + signal;
  output.publish();
  watch.reset();  // nothing is to be tidied up, and nobody may read the lines below
  if (const std::string lost = output.lost(); !lost.empty()) weir::support::complain("recgen", lost);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (!is_quiet) {
    weir::support::complain("recgen", fmt::format("{} records, {} bytes, {:.2f} s, {:.2f} GB/s", setup.records, bytes,
                                                  seconds, static_cast<double>(bytes) / seconds / 1e9));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  generator_setup setup;
  std::string name, keys = "uniform";
  std::size_t workers = 0;
  bool is_quiet = false;
  weir::support::command command("Writes a file of random records for extsort, the same for the same seed.", "recgen");
  command.footer(
      R"(
The records have the format `u64 key | u32 length | payload`, little-endian.
With --record they have one size. The number of threads does not change the
file. The first eight bytes of each payload (with --record, the bytes after the
key of ten bytes) are the number of the record, so that recheck can tell whether
a sort was stable.

Exit codes:
  0        success
  1        the file could not be written
  2        wrong usage
  128 + N  ended by signal N)");
  command.add("FILE", name, "File to write")
      .required()
      .check([](const std::string& given) {
        return given == "-" ? "records can't go to standard output; name a file" : "";
      })
      .value_name("");
  const auto number = [&](const char* option, auto& value, long long least, long long most, const std::string& about) {
    return command.add(option, value, about).whole_number(least, most).value_name("N").shows_default();
  };
  const auto limit = number("-r,--payload", setup.payload_limit, 8, 4'294'967'295,
                            "Payloads have 8 to N - 1 bytes, uniformly distributed; with N = 8, 8 bytes");
  number("-s,--count", setup.records, 0, 1'000'000'000'000, "Number of records").required();
  number("--record", setup.fixed_size, 18, 1'000'000,
         "Write records of N bytes instead, with a key of 10 bytes in front")
      .excludes(limit)
      .shown_as("N");
  number("--seed", setup.seed, 0, 9'223'372'036'854'775'807, "Seed of the random numbers");
  command.add("--keys", keys, "Distribution of keys: uniform, zipf, sorted, reversed, nearly (sorted), equal or few")
      .suggests({"uniform", "zipf", "sorted", "reversed", "nearly", "equal", "few"})
      .check([](const std::string& given) {
        return distributions.contains(given)
                   ? ""
                   : given + " is none of uniform, zipf, sorted, reversed, nearly, equal, few";
      })
      .shown_as("NAME=uniform");
  weir::support::add_workers(command, workers, ",-t");
  command.flag("-q,--quiet", is_quiet, "No summary on standard error");
  command.version(weir::version);
  command.see_also({"extsort", "recheck"});
  if (const auto code = command.parse(argc, argv)) return *code;
  setup.keys = distributions.at(keys);
  try {
    return generate(setup, name, workers, is_quiet);
  } catch (const std::exception& error) {
    weir::support::complain("recgen", weir::support::cause_of(error));
    return weir::support::failure;
  }
}
