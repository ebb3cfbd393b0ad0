// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/mpi_process.hpp"

#include "graph/variables.hpp"

#include <dlfcn.h>

#include <charconv>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace weir::cluster {
namespace {

// Returns the library that the plugin must call: the program's own, or else that of the launcher.
std::string library_of_this_process() {
  if (std::string said = detail::variable("WEIR_MPI"); !said.empty()) return said;
  if (::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr) return "openmpi";
  if (::dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr) return "mpich";
  if (!detail::variable("OMPI_COMM_WORLD_RANK").empty() || !detail::variable("PMIX_RANK").empty()) return "openmpi";
  return "mpich";
}

std::vector<std::filesystem::path> plugin_folders() {
  std::vector<std::filesystem::path> folders;
  if (const std::string said = detail::variable("WEIR_PLUGINS"); !said.empty()) return {said};
  std::error_code none;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (!none) {
    folders.push_back(program.parent_path());
    folders.push_back(program.parent_path().parent_path() / "lib" / "weir");
  }
  folders.emplace_back(WEIR_PLUGIN_FOLDER);
  return folders;
}

const mpi_functions* load_plugin() {
  const std::string name = "weir_mpi_" + library_of_this_process() + ".so";
  std::string looked;
  for (const std::filesystem::path& folder : plugin_folders()) {
    const std::filesystem::path file = folder / name;
    std::error_code none;
    if (!std::filesystem::exists(file, none)) {
      looked += (looked.empty() ? "" : ", ") + folder.string();
      continue;
    }
    // RTLD_GLOBAL: Open MPI loads parts of itself, which use its symbols.
    void* const plugin = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (plugin == nullptr) throw std::runtime_error("can't load " + file.string() + ": " + ::dlerror());
    const auto* functions = static_cast<const mpi_functions*>(::dlsym(plugin, mpi_functions_symbol));
    if (functions == nullptr || functions->version != mpi_functions_version) {
      throw std::runtime_error(file.string() + " is not of this version of weir");
    }
    return functions;
  }
  throw std::runtime_error("there is no " + name + " in " + looked +
                           "; build weir where that MPI is installed, or say in WEIR_PLUGINS where it is");
}

// Longest wait for the last messages sent.
constexpr auto last_sent_within = std::chrono::seconds(1);

std::mutex mutex_of_joined;
std::weak_ptr<mpi_process> joined_process;

}  // namespace

std::optional<int> mpi_process::rank_from_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    const std::string text = detail::variable(name);
    int rank = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
    if (problem == std::errc{} && end == text.data() + text.size() && rank >= 0) return rank;
  }
  return std::nullopt;
}

bool mpi_process::may_join() { return rank_from_environment().has_value() || joined() != nullptr; }

std::shared_ptr<mpi_process> mpi_process::join() {
  const std::lock_guard lock(mutex_of_joined);
  std::shared_ptr<mpi_process> made = joined_process.lock();
  if (made == nullptr) {
    made.reset(new mpi_process);
    joined_process = made;
  }
  return made;
}

std::shared_ptr<mpi_process> mpi_process::joined() {
  const std::lock_guard lock(mutex_of_joined);
  return joined_process.lock();
}

mpi_process::mpi_process() : functions_(load_plugin()) {
  if (functions_->is_over())
    throw std::runtime_error("MPI has been finalised, so this process can't be part of its job any more");
  check(functions_->start(&start_, &mpi_process::before_end), "starting");
  open_ = !start_.was_initialized;
  if (!start_.is_serialized) {
    throw std::runtime_error(
        "the program has initialised MPI for one thread; say MPI_Init_thread with MPI_THREAD_SERIALIZED, or more, or "
        "leave it to weir");
  }
}

mpi_process::~mpi_process() {
  const std::lock_guard lock(mutex_);
  const bool finishes = !over_ && !abandoned_.load(std::memory_order_relaxed);
  const auto until = std::chrono::steady_clock::now() + last_sent_within;
  while (finishes && !left_behind_.empty() && std::chrono::steady_clock::now() < until) {
    forget_done();
    std::this_thread::yield();
  }
  if (finishes && left_behind_.empty()) functions_->finish();
  for (left& each : left_behind_) new left(std::move(each));  // for MPI, until the process ends
}

std::array<std::uint8_t, 16> mpi_process::job() const noexcept {
  std::array<std::uint8_t, 16> made;
  static_assert(sizeof made == sizeof start_.job);
  std::memcpy(made.data(), start_.job, sizeof made);
  return made;
}

int mpi_process::new_tag() {
  const int tag = next_tag_.fetch_add(1, std::memory_order_relaxed);
  if (tag > start_.tag_most) throw std::runtime_error("this MPI has no more tags");
  return tag;
}

void mpi_process::set_before_end(std::function<void()> act) {
  const std::lock_guard lock(end_mutex_);
  before_end_ = std::move(act);
}

// Called within the program's call of MPI_Finalize.
void mpi_process::before_end() {
  const std::shared_ptr<mpi_process> self = joined();
  if (self == nullptr) return;
  std::function<void()> act;
  {
    const std::lock_guard lock(self->end_mutex_);
    act = std::exchange(self->before_end_, nullptr);
  }
  if (act) act();
  const std::lock_guard lock(self->mutex_);
  self->over_ = true;
}

void mpi_process::check(int error, const char* what) const {
  if (error == 0) return;
  std::array<char, 256> text{};
  functions_->text_of(error, text.data(), text.size());
  throw std::runtime_error(std::string("MPI, ") + what + ": " + text.data());
}

mpi_handle mpi_process::access::send(std::span<const std::byte> bytes, int to, int tag) {
  mpi_handle request{};
  of_->check(of_->functions_->send(bytes.data(), bytes.size(), to, tag, &request), "sending");
  return request;
}

std::optional<mpi_process::arrived> mpi_process::access::probe(int from, int tag) {
  bool found = false;
  arrived what{};
  of_->check(of_->functions_->probe(from, tag, &found, &what.message, &what.size), "looking for a message");
  if (!found) return std::nullopt;
  return what;
}

mpi_handle mpi_process::access::receive(const arrived& what, std::span<std::byte> into) {
  mpi_handle request{};
  of_->check(of_->functions_->receive(what.message, into.data(), what.size, &request), "receiving");
  return request;
}

bool mpi_process::access::is_done(mpi_handle& request) {
  bool done = false;
  of_->check(of_->functions_->test(&request, &done), "transferring");
  return done;
}

void mpi_process::open() {
  {
    const std::lock_guard lock(mutex_);
    ++users_;
    if (std::exchange(open_, true)) return;
  }
  const std::lock_guard lock(openers_mutex_);
  for (const auto& [whose, act] : when_open_) act();
}

void mpi_process::close() {
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) open_ = !start_.was_initialized;
}

void mpi_process::add_when_open(const void* whose, std::function<void()> act) {
  const std::lock_guard lock(openers_mutex_);
  when_open_[whose] = std::move(act);
}

void mpi_process::take_back_when_open(const void* whose) {
  const std::lock_guard lock(openers_mutex_);
  when_open_.erase(whose);
}

void mpi_process::leave_behind(mpi_handle request, std::shared_ptr<const void> keeps) noexcept {
  const std::lock_guard lock(mutex_);
  left_behind_.push_back({request, std::move(keeps)});
  forget_done();
}

// Under the lock.
void mpi_process::forget_done() noexcept {
  if (over_ || !open_) return;
  std::erase_if(left_behind_, [this](left& each) {
    bool done = false;
    return functions_->test(&each.request, &done) == 0 && done;
  });
}

}  // namespace weir::cluster
