// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A group b of a cluster of two, which runs a network with a loop. The input says what the
// coordinator and the group a do. Each line of the input begins with the action:
//
//   {…           the coordinator sends this message
//   L            a connects
//   R            waits until b is ready, a moment at most
//   D            waits until b is done with a run, a moment at most
//   I12          a sends items in channel 1, 2 of them, as their codec encodes them
//   i12…         likewise, encoded as the rest of the line says
//   c12          a has completed 2 items of channel 1
//   =            a sends a frame of the type that the next byte says; the rest is its payload
//   x            a's connection ends
//
// The number n, up to 63, is written as the character n places after '0'. The numbers of the
// network's channels are not known here, but there are few. The message "signal" is left out,
// because b would obey it. In the end the coordinator says goodbye, and b must end, too.
#include "weir/cluster/member.hpp"

#include "weir/blocks/farm.hpp"
#include "weir/blocks/feedback.hpp"
#include "weir/blocks/node.hpp"
#include "weir/blocks/source.hpp"
#include "weir/cluster/coordinator.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/cereal.hpp"
#include "weir/item/codec.hpp"
#include "weir/run/run.hpp"

#include "lines.hpp"
#include "must.hpp"
#include "peer.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using weir::cluster::frame_type;
using weir_fuzz::lines_of;
using weir_fuzz::must;
using weir_test::peer;
using weir_test::secret;

constexpr int moment = 20;  // milliseconds

struct job {
  std::string name;
  std::vector<int> rounds;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, rounds);
  }
};

struct master {
  void process(job task, weir::outlet<job>& jobs, weir::outlet<job>& answers) {
    (task.rounds.empty() ? answers : jobs).send(std::move(task));
  }
  void returned(job back, weir::outlet<job>& jobs, weir::outlet<job>& answers) {
    process(std::move(back), jobs, answers);
  }
};

// The group a has the first of the five nodes and the two workers; so all channels of b but one are
// cut.
weir::network network() {
  const auto first = weir::source([n = 0]() mutable -> std::optional<job> {
    if (++n == 10) return std::nullopt;
    return job{"job", std::vector<int>(static_cast<std::size_t>(n % 3))};
  });
  const auto work = weir::node([](job j) {
    if (!j.rounds.empty()) j.rounds.pop_back();
    return j;
  });
  return first.named("first").in_group("a") |
         weir::feedback(master{}, weir::farm(work, 2).named("work").in_group("a")).named("loop").in_group("b") |
         weir::sink([](const job&) {}).named("last").in_group("b");
}

std::size_t number(const std::string& line, std::size_t at) {
  return line.size() > at ? (static_cast<unsigned char>(line[at]) - std::size_t{'0'}) % 64 : 0;
}

bool is_signal(const std::string& text) {
  const auto message = nlohmann::json::parse(text, nullptr, false);
  return message.is_object() && message.value("say", nlohmann::json()) == "signal";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  asio::io_context io;
  asio::ip::tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
  const std::string at = "127.0.0.1:" + std::to_string(acceptor.local_endpoint().port());
  std::thread b([&] {
    try {
      weir::cluster_member member("b", at, secret);
      for (int i = 0; i != 2; ++i) {
        weir::network net = network();
        weir::run(net, {.workers = 0, .member = &member});
      }
    } catch (const weir::graph_error& problem) {
      must(*problem.what() != '\0', "it is said why");
    } catch (const weir::node_error& problem) {
      must(*problem.what() != '\0', "it is said why");
    }
  });
  {
    std::optional<peer> coordinator = peer::accept(acceptor, "coordinator");
    std::optional<peer> a;
    while (coordinator && !coordinator->was_told("here") && coordinator->hear(-1)) {
    }
    // A machine with much other work may be too slow for the handshake.
    const bool is_here = coordinator && coordinator->was_told("here");
    const std::uint16_t port = is_here ? coordinator->told.at(0).at("port").get<std::uint16_t>() : std::uint16_t{0};
    for (const std::string& line : lines_of(data, is_here ? size : 0)) {
      if (line.empty()) continue;
      if (line.front() == '{') {
        if (!is_signal(line)) coordinator->say(line);
        continue;
      }
      const auto channel = static_cast<std::uint32_t>(number(line, 1));
      const std::size_t count = number(line, 2);
      switch (line.front()) {
        case 'L':
          if (a) break;
          if (auto made = peer::connect(port, {"a", weir::cluster::purpose::link})) a.emplace(std::move(*made));
          break;
        case 'R': coordinator->wait_until(moment, [&] { return coordinator->was_told("ready"); }); break;
        case 'D': coordinator->wait_until(moment, [&] { return coordinator->was_told("done"); }); break;
        case 'I': {
          weir::byte_sink items;
          for (std::size_t i = 0; i < count; ++i) weir::codec<job>::encode({"job", {1}}, items);
          if (a) a->send(frame_type::items, 1, channel, count, std::move(items).joined().text());
          break;
        }
        case 'i':
          if (a && line.size() > 2) a->send(frame_type::items, 1, channel, count, std::string_view(line).substr(3));
          break;
        case 'c': {
          const std::array<std::uint64_t, 2> credit{channel, count};
          const std::string_view bytes(reinterpret_cast<const char*>(credit.data()), sizeof credit);
          if (a) a->send(frame_type::completed, 1, 0, 1, bytes);
          break;
        }
        case '=':
          if (a && line.size() > 2)
            a->send(static_cast<frame_type>(static_cast<unsigned char>(line[1])), 1,
                    static_cast<std::uint32_t>(number(line, 2)), 1, std::string_view(line).substr(3));
          break;
        case 'x': a.reset(); break;
        default: break;
      }
    }

    if (a) a->leave(moment);  // b may not have admitted this connection
    if (coordinator) coordinator->leave();
  }
  b.join();
  return 0;
}
