// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The frame reader. The first byte of the input selects the meaning of the others. If it is even,
// they are the bytes that arrive. If it is odd, they describe frames, whose checksums are made
// right, so that the code behind the checksums is reached. The bytes arrive in pieces, whose sizes
// are also taken from the input.
#include "weir/item/buffer.hpp"

#include "cluster/wire/checksum.hpp"
#include "cluster/wire/frame.hpp"
#include "must.hpp"

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir::cluster;
using weir_fuzz::must;
using bytes = std::vector<std::byte>;

constexpr std::size_t largest = 40'000;

struct made {
  bytes all;
  std::vector<std::string> payloads;  // of the right frames, up to the first wrong one
  bool right = true;                  // all of the frames are right
};

made frames_of(FuzzedDataProvider& in) {
  made m;
  std::uint64_t sequence = 0;
  for (int i = 0; i != 8 && in.remaining_bytes() != 0; ++i) {
    // Some payloads are longer than the input, so that they fill buffers.
    std::string payload = in.ConsumeRandomLengthString(300);
    if (in.ConsumeBool()) payload.resize(payload.size() + in.ConsumeIntegralInRange<std::size_t>(0, largest), 'x');
    const auto contents = std::as_bytes(std::span(payload.data(), payload.size()));
    frame_header header{in.PickValueInArray({frame_type::items, frame_type::control, frame_type::goodbye}),
                        in.ConsumeIntegral<std::uint32_t>(),
                        in.ConsumeIntegral<std::uint32_t>(),
                        in.ConsumeIntegral<std::uint64_t>(),
                        ++sequence,
                        static_cast<std::uint32_t>(payload.size()),
                        checksum_of(contents),
                        in.ConsumeBool()};
    bool right = payload.size() <= largest;
    if (in.ConsumeIntegralInRange(0, 9) == 0) {
      right = false;
      switch (in.ConsumeIntegralInRange(0, 2)) {
        case 0: header.type = static_cast<frame_type>(in.ConsumeIntegralInRange(9, 255)); break;
        case 1: header.length = in.ConsumeIntegralInRange<std::uint32_t>(largest + 1, ~std::uint32_t{0}); break;
        default:
          header.has_checksum = true;
          header.checksum ^= in.ConsumeIntegralInRange<std::uint32_t>(1, ~std::uint32_t{0});
          break;
      }
    }
    const frame_bytes head = encode(header);
    m.all.insert(m.all.end(), head.begin(), head.end());
    m.all.insert(m.all.end(), contents.begin(), contents.end());
    m.right = m.right && right;
    if (m.right) m.payloads.push_back(std::move(payload));
  }
  return m;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  std::optional<made> expected;
  bytes all;
  const bool described = in.ConsumeBool();
  const std::string pieces = in.ConsumeRandomLengthString(16);
  const bool keeps = in.ConsumeBool();
  if (described) {
    expected = frames_of(in);
    all = expected->all;
  } else {
    all = in.ConsumeRemainingBytes<std::byte>();
  }

  frame_reader reader(largest);
  std::vector<std::pair<weir::buffer, std::string>> kept;  // each payload with its expected content
  std::vector<std::string> seen;
  bool refused = false;
  try {
    for (std::size_t at = 0, turn = 0; at != all.size(); ++turn) {
      const auto room = reader.room();
      must(!room.empty(), "there is always room");
      must(room.size() <= 256 * 1024, "no more is allocated than a frame needs");
      // Sizes from 1 to 64 K, near the powers of two.
      const auto piece = pieces.empty() ? 0xFFU : static_cast<unsigned char>(pieces[turn % pieces.size()]);
      const std::size_t wanted = (std::size_t{1} << (piece & 15U)) + (piece >> 4U);
      const std::size_t count = std::min({room.size(), wanted, all.size() - at});
      std::memcpy(room.data(), all.data() + at, count);
      reader.put(count);
      at += count;
      while (const auto found = reader.next()) {
        must(found->payload.size() == found->header.length && found->header.length <= largest, "the length is kept");
        must(!found->header.has_checksum || checksum_of(found->payload) == found->header.checksum,
             "the checksum is looked at");
        seen.emplace_back(reinterpret_cast<const char*>(found->payload.data()), found->payload.size());
        if (keeps) kept.emplace_back(reader.keep_payload(), seen.back());
      }
    }
  } catch (const protocol_error&) {
    refused = true;
  }
  for (const auto& [held, was] : kept) must(held.text() == was, "what is kept stays as it was");
  if (expected) {
    must(seen == expected->payloads, "all frames that are right arrive as they were sent");
    must(refused == !expected->right, "those that are not are refused");
  }
  return 0;
}
