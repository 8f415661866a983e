// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/program/standard_streams.hpp"

#include <stdio_ext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iostream>
#include <new>

#include "kaon/ampi_shim/program/forked_child.hpp"
#include "kaon/ampi_shim/program/loaded_image.hpp"
#include "kaon/ampi_shim/program/program_image.hpp"

namespace kaon::ampi {
namespace {

constexpr std::size_t kLineBytes = 1024;

template <typename Stream, typename Buffer>
Stream* build_stream(const LoadedImage& image, PrivateVariable which, Buffer& buffer) {
  void* place = image.variable(which);
  return place == nullptr ? nullptr : ::new (place) Stream(&buffer);
}

template <typename Character>
struct BuffersOf {
  using Buffer = __gnu_cxx::stdio_sync_filebuf<Character>;
  using Input = std::basic_istream<Character>;
  using Output = std::basic_ostream<Character>;

  explicit BuffersOf(const StandardStreams& files)
      : input(files.input()), output(files.output()), error(files.error()) {}

  void build(const LoadedImage& image, PrivateVariable in, PrivateVariable out, PrivateVariable err,
             PrivateVariable log) {
    auto* cout = build_stream<Output>(image, out, output);
    if (auto* cin = build_stream<Input>(image, in, input)) cin->tie(cout);
    if (auto* cerr = build_stream<Output>(image, err, error)) {
      cerr->setf(std::ios_base::unitbuf);
      cerr->tie(cout);
    }
    build_stream<Output>(image, log, error);
  }

  void replace(std::size_t number, FILE* file) {
    Buffer* const buffers[] = {&input, &output, &error};
    *buffers[number] = Buffer(file);
  }

  Buffer input;
  Buffer output;
  Buffer error;
};

bool has_any(const LoadedImage& image, std::initializer_list<PrivateVariable> all) {
  for (const auto each : all) {
    if (image.variable(each) != nullptr) return true;
  }
  return false;
}

}  // namespace

struct StandardStreams::Buffers {
  explicit Buffers(const StandardStreams& files) : narrow(files), wide(files) {}
  void replace(std::size_t number, FILE* file) {
    narrow.replace(number, file);
    wide.replace(number, file);
  }
  BuffersOf<char> narrow;
  BuffersOf<wchar_t> wide;
};

StandardStreams::StandardStreams(const LoadedImage& image, const ProgramHooks& hooks, void* owner)
    : input_(image.find<FILE*>(PrivateVariable::standard_input)),
      output_(image.find<FILE*>(PrivateVariable::standard_output)),
      error_(image.find<FILE*>(PrivateVariable::standard_error)) {
  FILE*** const variables[] = {&input_, &output_, &error_};
  for (int number = 0; number < 3; ++number) {
    channels_[number] = std::make_unique<Channel>(Channel{&hooks, owner, number});
    opened_[number] = open(*channels_[number], number == 0 ? "r" : "w");
    if (*variables[number] == nullptr) *variables[number] = &opened_[number];
    **variables[number] = opened_[number];
  }
  if (owner != nullptr) buffer_ = std::make_unique<char[]>(kLineBytes);
  std::setvbuf(opened_[1], buffer_.get(), buffer_ ? _IOLBF : _IONBF, kLineBytes);
  std::setvbuf(opened_[2], nullptr, _IONBF, 0);
  build(image);
}

// One that the program has reopened as a file is left to the end of the process.
StandardStreams::~StandardStreams() {
  for (auto& channel : channels_)
    if (channel != nullptr && channel->file != nullptr) retire(*channel.release());
}

// Streams are not closed: the C library would look for each among those of all ranks, from the newest to the oldest,
// which takes minutes for tens of thousands. They stay in its list, of a few hundred bytes each, and what a thread of
// the program still writes there fails. What is held was not to be written: the rank ended by _exit(), or did not end,
// and its owner may be gone.
void StandardStreams::retire(Channel& channel) {
  channel.is_closed = true;
  __fpurge(channel.file);
  std::setvbuf(channel.file, nullptr, _IONBF, 0);  // the buffer is the image's
  channel.older = retired_.load();                 // where tools that look for leaks find it
  while (!retired_.compare_exchange_weak(channel.older, &channel)) continue;
}

void StandardStreams::build(const LoadedImage& image) {
  using enum PrivateVariable;
  if (!has_any(image, {cin, cout, cerr, clog, wcin, wcout, wcerr, wclog})) return;
  buffers_ = std::make_unique<Buffers>(*this);
  buffers_->narrow.build(image, cin, cout, cerr, clog);
  buffers_->wide.build(image, wcin, wcout, wcerr, wclog);
}

void StandardStreams::flush() const {
  for (const auto& channel : channels_) {
    if (channel->file != nullptr && channel->number != 0) std::fflush(channel->file);
  }
}

bool StandardStreams::owns(const FILE* stream) const {
  for (const auto& channel : channels_) {
    if (channel->file == stream) return true;
  }
  return false;
}

int StandardStreams::number_of(const FILE* stream) const {
  for (const auto& channel : channels_)
    if (channel->file == stream && !channel->is_closed) return channel->number;
  errno = EBADF;
  return -1;
}

int StandardStreams::close(FILE* stream) {
  const int failed = std::fflush(stream);
  for (const auto& channel : channels_)
    if (channel->file == stream) channel->is_closed = true;
  return failed;
}

FILE* StandardStreams::reopen(FILE* stream, const char* path, const char* mode) {
  std::fflush(stream);
  if (path == nullptr) return stream;  // another mode alone
  FILE* file = std::fopen(path, mode);
  if (file == nullptr) return nullptr;
  FILE** const variables[] = {input_, output_, error_};
  for (std::size_t number = 0; number < 3; ++number) {
    if (channels_[number]->file != stream) continue;
    *variables[number] = file;
    if (buffers_ != nullptr) buffers_->replace(number, file);
  }
  return file;
}

FILE* StandardStreams::open(Channel& channel, const char* mode) {
  channel.file = fopencookie(&channel, mode, {.read = read, .write = write, .seek = nullptr, .close = closed});
  if (channel.file == nullptr) throw std::bad_alloc();
  return channel.file;
}

ssize_t StandardStreams::write(void* channel, const char* data, std::size_t bytes) {
  const auto& to = *static_cast<const Channel*>(channel);
  if (to.is_closed) return errno = EBADF, 0;
  const auto* running = ProgramImage::calling();
  void* owner = to.owner == nullptr && running != nullptr ? running->owner() : to.owner;
  // 0 for what has failed: the C library wants nothing negative.
  if (to.hooks->write == nullptr || is_forked_child()) return std::max<ssize_t>(::write(to.number, data, bytes), 0);
  return to.hooks->write(owner, to.number, data, bytes) ? static_cast<ssize_t>(bytes) : 0;
}

ssize_t StandardStreams::read(void* channel, char* into, std::size_t bytes) {
  const auto& from = *static_cast<const Channel*>(channel);
  if (from.is_closed) return errno = EBADF, -1;
  const auto* running = ProgramImage::calling();
  void* owner = from.owner == nullptr && running != nullptr ? running->owner() : from.owner;
  return from.hooks->read == nullptr ? 0 : static_cast<ssize_t>(from.hooks->read(owner, into, bytes));
}

int StandardStreams::closed(void* channel) {
  static_cast<Channel*>(channel)->file = nullptr;
  return 0;
}

}  // namespace kaon::ampi
