// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/item/buffer.hpp>
#include <weir/item/cereal.hpp>

#include "../groups.hpp"
#include "messages.hpp"

#include <cstring>
#include <optional>

namespace weir_bench {

/// A message that cereal serializes, because it is not trivially copyable.
template <class Message>
struct serialized {
  Message held{};

  serialized() = default;
  serialized(const serialized& other) noexcept : held(other.held) {}
  serialized& operator=(const serialized& other) noexcept {
    held = other.held;
    return *this;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(held.first);
    if constexpr (sizeof(Message) > sizeof held.first) {
      archive(cereal::binary_data(held.others.data(), sizeof held.others));
    }
  }
};

// Returns the member that holds a message's number.
template <std::size_t size>
std::int64_t& number_of(message<size>& in) {
  return in.first;
}
template <class Message>
std::int64_t& number_of(serialized<Message>& in) {
  return in.held.first;
}

/// Sends the messages, one after the other.
template <class Message>
struct message_source {
  std::int64_t count;
  std::int64_t made = 0;
  Message message{};

  std::optional<Message> next() {
    if (made == count) return std::nullopt;
    number_of(message) = made++;
    return message;
  }
};

/// Streams once to warm up, then once to measure, as one of the groups `sender` and `receiver`.
/// `kind`: 0 messages in their memory layout, 1 by cereal, 2 buffers.
/// @param around called with the streaming to be measured
/// @return the receiver's result; none in the sender
template <class Around>
std::optional<stream_outcome> stream_in_group(const options& given, weir::group_member& member, Around&& around) {
  const std::int64_t items = given["items"];
  double sum = 0;
  std::optional<stream_outcome> outcome;
  const auto stream = [&](const auto& source, const auto& sink) {
    sum = 0;
    weir::network net = weir::source(source).in_group("sender") | weir::sink(sink).in_group("receiver");
    return weir::run(net, {.member = &member});
  };
  const auto measure = [&](const auto& source, const auto& sink) {
    auto few = source;
    few.count = items / 20 + 1;
    stream(few, sink);
    around([&] {
      const weir::report report = stream(source, sink);
      if (report.in_result_group) outcome = {sum, report.wall.count(), report.cpu.count()};
    });
  };
  const std::int64_t kind = given["kind"];
  if (kind == 2) {
    measure(buffer_source{items, static_cast<std::size_t>(given["size"])}, [&](const weir::buffer& came) {
      std::int64_t number = 0;
      std::memcpy(&number, came.bytes().data(), sizeof number);
      sum += static_cast<double>(number);
    });
    return outcome;
  }
  with_message(given["size"], [&]<class Message>(Message) {
    if (kind == 1) {
      measure(message_source<serialized<Message>>{items},
              [&](const serialized<Message>& came) { sum += static_cast<double>(came.held.first); });
    } else {
      measure(message_source<Message>{items}, [&](const Message& came) { sum += static_cast<double>(came.first); });
    }
  });
  return outcome;
}

/// The same with a process for each group.
/// @param around called in both processes
template <class Around>
stream_outcome stream_between_groups(const options& given, Around&& around) {
  weir::cluster_configuration groups;
  groups.transport = given["shm"] != 0 ? weir::link_transport::shm : weir::link_transport::tcp;
  for (const char* name : {"sender", "receiver"}) groups.groups.emplace_back().name = name;
  set_batches(groups, given["batch"]);
  const shared_value<stream_outcome> outcome;
  in_groups(groups, given["hosts"], [&](weir::cluster_member& member) {
    if (const auto told = stream_in_group(given, member, around)) *outcome = *told;
  });
  return *outcome;
}

}  // namespace weir_bench
