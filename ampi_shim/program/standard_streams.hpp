// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ext/stdio_sync_filebuf.h>

#include <atomic>
#include <cstdio>
#include <memory>

#include "kaon/ampi_shim/program/hooks.hpp"

namespace kaon::ampi {

class LoadedImage;

/// Standard input, output and error of an image: C streams whose bytes go through the hooks, and std::cout and its kin,
/// built on these where the program has them. An image's own output is gathered by lines. An image of many ranks keeps
/// nothing: each piece goes at once to the rank that runs.
class StandardStreams {
 public:
  /// Without an owner bytes belong to the rank that is switched in.
  StandardStreams(const LoadedImage& image, const ProgramHooks& hooks, void* owner);
  ~StandardStreams();
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;

  /// The current values of the program's `stdin`, `stdout` and `stderr`.
  FILE* input() const { return *input_; }
  FILE* output() const { return *output_; }
  FILE* error() const { return *error_; }
  void flush() const;
  /// freopen(): the C library cannot turn a stream of ours into a file, so the program's variable gets another one.
  /// Null when the file cannot be opened.
  FILE* reopen(FILE* stream, const char* path, const char* mode);
  bool owns(const FILE* stream) const;
  /// fileno(), of a stream that is ours.
  int number_of(const FILE* stream) const;
  /// fclose(): what is written from then on fails. The memory stays to the end of the image, since programs close these
  /// streams before destructors and exit handlers that print.
  int close(FILE* stream);

 private:
  struct Channel {
    const ProgramHooks* hooks = nullptr;
    void* owner = nullptr;
    int number = 0;
    FILE* file = nullptr;
    bool is_closed = false;  // by the program
    Channel* older = nullptr;
  };
  static FILE* open(Channel& channel, const char* mode);
  static void retire(Channel& channel);
  static ssize_t write(void* channel, const char* data, std::size_t bytes);
  static ssize_t read(void* channel, char* into, std::size_t bytes);
  static int closed(void* channel);
  void build(const LoadedImage& image);

  static inline constinit std::atomic<Channel*> retired_ = nullptr;

  std::unique_ptr<Channel> channels_[3];
  FILE* opened_[3] = {};
  FILE** input_;
  FILE** output_;
  FILE** error_;
  std::unique_ptr<char[]> buffer_;
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;  // of C++ streams; null when the program has none
};

}  // namespace kaon::ampi
