// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/live_socket.hpp"

#include "weir/detail/run/live_view.hpp"
#include "weir/graph/error.hpp"

#include "graph/variables.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace weir::detail {
namespace {

constexpr int waiting_most = 16;

[[noreturn]] void cant_listen(const std::string& path, const std::string& why) {
  throw graph_error("WEIR_TOP", "can't listen at '" + path + "' (" + why +
                                    "); name a socket in a folder of yours, the folder, or 1 for the usual one");
}

std::string text_of(int problem) { return std::generic_category().message(problem); }

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    cant_listen(path, "a socket's name has at most " + std::to_string(sizeof address.sun_path - 1) + " bytes");
  }
  std::memcpy(address.sun_path, path.c_str(), path.size());
  return address;
}

open_descriptor unconnected() {
  return open_descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

// Whether a process listens there. One whose queue is full does.
bool answers(const sockaddr_un& address) {
  const open_descriptor caller = unconnected();
  return ::connect(caller.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
}

}  // namespace

open_descriptor::~open_descriptor() {
  if (number_ >= 0) ::close(number_);
}

std::optional<live_socket> live_socket::open(const std::string& path) {
  const sockaddr_un named = address_of(path);
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0) {
    if (!S_ISSOCK(there.st_mode)) cant_listen(path, "there is a file that is no socket");
    if (answers(named)) return std::nullopt;
  }
  const std::string unfinished = path + "." + std::to_string(::getpid());
  const sockaddr_un unnamed = address_of(unfinished);
  open_descriptor made = unconnected();
  // Linux gives the name the mode of the socket.
  if (!made || ::fchmod(made.get(), S_IRUSR | S_IWUSR) != 0) cant_listen(path, text_of(errno));
  ::unlink(unfinished.c_str());
  if (::bind(made.get(), reinterpret_cast<const sockaddr*>(&unnamed), sizeof unnamed) != 0 ||
      ::listen(made.get(), waiting_most) != 0 || ::rename(unfinished.c_str(), path.c_str()) != 0) {
    const int problem = errno;
    ::unlink(unfinished.c_str());
    cant_listen(path, text_of(problem));
  }
  return live_socket(path, std::move(made));
}

live_socket::live_socket(std::string path, open_descriptor listening)
    : path_(std::move(path)), listening_(std::move(listening)) {
  struct stat there {};
  if (::lstat(path_.c_str(), &there) != 0) return;
  device_ = there.st_dev;
  file_ = there.st_ino;
}

open_descriptor live_socket::accept() const {
  for (;;) {
    open_descriptor caller(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!caller) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      if (errno == EAGAIN) return caller;
      throw std::system_error(errno, std::generic_category(), "accept");
    }
    ucred who{};
    socklen_t size = sizeof who;
    if (::getsockopt(caller.get(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) continue;
    if (who.uid == ::geteuid() || who.uid == 0) return caller;
  }
}

void live_socket::remove() const noexcept {
  struct stat there {};
  if (::lstat(path_.c_str(), &there) == 0 && there.st_dev == device_ && there.st_ino == file_) ::unlink(path_.c_str());
}

std::string usual_live_view_folder() {
  const std::string runtime = variable("XDG_RUNTIME_DIR");
  return runtime.starts_with('/') ? runtime + "/weir" : "/tmp/weir-" + std::to_string(::geteuid());
}

std::string live_view_folder() {
  const std::string folder = usual_live_view_folder();
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(folder + ": " + why + "; remove it, or let XDG_RUNTIME_DIR name a folder of yours");
  };
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) refuse("can't be made (" + text_of(errno) + ")");
  struct stat its {};
  if (::lstat(folder.c_str(), &its) != 0) refuse(text_of(errno));
  if (!S_ISDIR(its.st_mode)) refuse("is no folder");
  if (its.st_uid != ::geteuid()) refuse("belongs to another user");
  if ((its.st_mode & (S_IRWXG | S_IRWXO)) != 0) refuse("is open to other users");
  return folder;
}

}  // namespace weir::detail
