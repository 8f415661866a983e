// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::launch {

// Where merged lines go.
class LineSink {
 public:
  virtual ~LineSink() = default;
  virtual void write(std::string_view bytes) = 0;
};

// Makes one stream of what several processes write, so that no line has parts of two. It knows no descriptors and no
// clock.
class LineMerger {
 public:
  using Time = std::chrono::steady_clock::time_point;

  enum class Lines {
    whole,  // a line is passed on when its end has come: for files and programs
    // A line is passed on as it comes, a question to the user before its answer; lines of others wait meanwhile, for as
    // long as kPatience, then begin a new one: for terminals.
    prompt,
  };
  static constexpr std::chrono::milliseconds kPatience{100};
  // Longer lines are passed on in pieces.
  static constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

  // With labels each line begins with "[stream] ".
  LineMerger(int streams, Lines lines, bool has_labels, LineSink& sink);

  void feed(int stream, std::string_view bytes, Time now);
  // Nothing more comes from it: its last line is passed on as it is.
  void close(int stream);
  // Passes on what still waits.
  void finish();
  // Words of our own: whole lines.
  void insert(std::string_view lines);
  // To be called when patience ends, at wakes_at().
  void tick(Time now);
  [[nodiscard]] bool is_waiting() const noexcept { return waiting_ > 0 && open_ >= 0; }
  [[nodiscard]] Time wakes_at() const noexcept { return waiting_since_ + kPatience; }

 private:
  struct Stream {
    std::string held;  // whole: the beginning of a line; prompt: what waits for another's line
    bool is_closed = false;
  };

  void feed_whole(int stream, std::string_view bytes);
  void feed_prompt(int stream, std::string_view bytes, Time now);
  void pass_on(int stream, std::string_view bytes);
  void write_labelled(int stream, std::string_view bytes);
  void end_open_line();
  void let_others_go();
  Stream& at(int stream) { return streams_[static_cast<std::size_t>(stream)]; }

  std::vector<Stream> streams_;
  Lines lines_;
  bool has_labels_;
  LineSink& sink_;
  int open_ = -1;    // the stream whose line has begun and not ended in the sink; -1: none
  int waiting_ = 0;  // prompt: streams that hold something
  Time waiting_since_;
};

}  // namespace kaon::launch
