// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace kaon::ampi {

/// The output of a rank to one stream. It reaches the process' descriptor by whole lines, so that those of ranks that
/// share a process do not mix. Text without an end of line waits for one, or for finish(). Any thread.
class LineStream {
 public:
  /// Each line begins with `label`.
  LineStream(int descriptor, std::string label) : descriptor_(descriptor), label_(std::move(label)) {}
  LineStream(const LineStream&) = delete;
  LineStream& operator=(const LineStream&) = delete;

  /// False: some of it is lost, and errno says why.
  bool write(std::string_view text);
  /// Writes what has come of a last line, with an end of line behind it.
  void finish();

 private:
  bool write_out(std::string_view lines);

  int descriptor_;
  std::string label_;
  std::mutex mutex_;
  std::string line_;  // its beginning, with the label; empty when a line begins
};

/// Standard output and error of one rank.
class RankOutput {
 public:
  /// "[3] " before each line of rank 3, when `has_label`.
  RankOutput(int rank, bool has_label);

  bool write(int stream, std::string_view text) { return (stream == 2 ? error_ : output_).write(text); }
  void finish() {
    output_.finish();
    error_.finish();
  }

 private:
  LineStream output_;
  LineStream error_;
};

/// Throws std::runtime_error when standard output of any rank of this process could not be written: the disk is full,
/// say.
void require_written_output();

}  // namespace kaon::ampi
