// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Removes the noise of a video (YUV4MPEG2) while it comes, at the rate of its frames. What can't be
// processed in time is dropped. Ctrl-C ends the video after a whole frame.

#include <weir/io/write_chunks.hpp>
#include <weir/run/stop_on.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

struct frame {
  std::size_t width = 0, height = 0;  // of the brightness; both colours have a quarter of its size
  std::string bytes{};                // an empty frame has the header of the video
};

struct counts {
  long taken = 0, dropped = 0;
};

// The source. A camera gives no frame twice: it does not wait until the network has room.
struct camera {
  std::string path;
  counts* made;

  void run(weir::outlet<frame>& out, weir::context& where) const {
    std::ifstream in(path, std::ios::binary);
    std::string header, line;
    long width = 0, height = 0, frames = 0, seconds = 0;
    if (!std::getline(in, header)) throw std::runtime_error(path + ": can't be read");
    if (std::sscanf(header.c_str(), "YUV4MPEG2 W%ld H%ld F%ld:%ld", &width, &height, &frames, &seconds) != 4 ||
        width < 2 || height < 2 || frames < 1 || seconds < 1 || width % 2 != 0 || height % 2 != 0) {
      throw std::runtime_error(path + ": is no YUV4MPEG2 with even sizes and a rate");
    }
    if (header.find(" C") != header.find(" C420") || header.find(" C420p1") != std::string::npos) {
      throw std::runtime_error(path + ": has other colours than 4:2:0 of 8 bits");
    }
    out.send({.bytes = header + '\n'});
    const auto period = std::chrono::nanoseconds(std::chrono::seconds(seconds)) / frames;
    auto due = std::chrono::steady_clock::now();
    while (!where.drain_requested() && std::getline(in, line)) {
      frame next{static_cast<std::size_t>(width), static_cast<std::size_t>(height), {}};
      next.bytes.resize(next.width * next.height * 3 / 2);
      if (!in.read(next.bytes.data(), static_cast<std::streamsize>(next.bytes.size())))
        throw std::runtime_error(path + ": ends inside a frame");
      std::this_thread::sleep_until(due += period);
      made->dropped += out.try_send(std::move(next)) ? 1 : 0;  // ends this function after Ctrl-C
      ++made->taken;
    }
  }
};

// Each pixel becomes the median of the nine around it.
frame denoised(frame noisy) {
  frame made = noisy;
  const auto at = [&](std::size_t x, std::size_t y) {
    return static_cast<unsigned char>(noisy.bytes[y * noisy.width + x]);
  };
  for (std::size_t y = 1; y + 1 < noisy.height; ++y) {
    for (std::size_t x = 1; x + 1 < noisy.width; ++x) {
      unsigned char near[] = {at(x - 1, y - 1), at(x, y - 1),     at(x + 1, y - 1), at(x - 1, y),    at(x, y),
                              at(x + 1, y),     at(x - 1, y + 1), at(x, y + 1),     at(x + 1, y + 1)};
      std::nth_element(near, near + 4, near + 9);
      made.bytes[y * noisy.width + x] = static_cast<char>(near[4]);
    }
  }
  return made;
}

weir::buffer encoded(const frame& f) { return weir::buffer(f.width == 0 ? f.bytes : "FRAME\n" + f.bytes); }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: video INPUT OUTPUT\n";
    return 2;
  }
  try {
    counts frames;
    weir::network net = weir::source(camera{argv[1], &frames}).named("camera") |
                        weir::farm(&denoised).ordered().capacity(2).named("denoise") |
                        weir::node(&encoded).named("encode") | weir::write_chunks(argv[2]).named("write");
    weir::stop_on signals({SIGINT, SIGTERM});
    weir::run(net, {.stop = signals.cancel_token(), .drain = signals.drain_token()});
    std::cerr << frames.taken << " frames, " << frames.dropped << " of them dropped\n";
    return signals.exit_code();
  } catch (const std::exception& error) {
    std::cerr << "video: " << error.what() << '\n';
    return 1;
  }
}
