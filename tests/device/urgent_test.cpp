// SPDX-License-Identifier: Apache-2.0
// threads: blocks of kernels, which run together
// Entries of a device that go before others.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/device/device_scene.hpp"
#include "tests/device/urgent.kernels.hpp"
#include "tests/support/awaited.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::urgent {

using Books = gpu::Resident<BookEntries>;
using FarBooks = gpu::Resident<FarBookEntries>;
using Numbers = std::vector<std::uint32_t>;

gpu::ResidentOptions options_of(unsigned ring, double idle_us = 1000) {
  gpu::ResidentOptions options;
  options.workers = 4;
  options.warp_blocks = 2;
  options.threads = 64;
  options.ring = ring;
  options.idle_us = idle_us;
  return options;
}

/// First those that are urgent, from 1000 on, then the others, from 0 on.
Numbers expected_notes(std::uint32_t urgent, std::uint32_t others) {
  Numbers numbers(urgent + others);
  std::iota(numbers.begin(), numbers.begin() + urgent, 1000U);
  std::iota(numbers.begin() + urgent, numbers.end(), 0U);
  return numbers;
}

template <class Book>
class Reader : public Chare<Reader<Book>> {
 public:
  using Handle = gpu::DeviceObject<Book>;

  Task<bool> overtake_on_the_device(std::uint32_t parts, unsigned ring) {
    Books books(options_of(ring));
    const Handle book = co_await books.make_gang(parts, Book{});
    books.send(book, SendNotes<Book>{10, 3});
    const Numbers notes = co_await read(books, book, 13);
    co_return notes == expected_notes(3, 10);
  }
  /// All have come to the worker when it goes on.
  Task<bool> overtake_from_the_host() {
    Books books(options_of(16));
    const gpu::DeviceFlag gate = co_await books.make_flag();
    const Handle book = co_await books.make(Book{0, {}, gate.word(), {}});
    const Handle opener = co_await books.make(Book{0, {}, gate.word(), {}});
    books.send(book, Hold<Book>{});
    for (std::uint32_t i = 0; i < 10; ++i) books.send(book, Note<Book>{i});
    for (std::uint32_t i = 0; i < 3; ++i) books.send(book, NoteFirst<Book>{1000 + i});
    books.send(opener, Open<Book>{});
    const Numbers notes = co_await read(books, book, 13);
    co_return notes == expected_notes(3, 10);
  }
  /// All rings on the way are full of others, and more wait on the host, while the worker is held. Only what is urgent
  /// can let it go on, by what the host has just written.
  Task<bool> overtake_a_backlog(std::uint32_t parts) {
    gpu::Stream stream;
    gpu::Pinned<std::uint32_t> by(1, stream);
    Books books(options_of(4));
    const gpu::DeviceFlag gate = co_await books.make_flag();
    const Handle book = co_await books.make_gang(parts, Book{0, {}, gate.word(), {}});
    const Handle opener = co_await books.make_gang(1, Book{0, {}, gate.word(), {}});
    books.send(book, Hold<Book>{});
    for (std::uint32_t i = 0; i < 300; ++i) books.send(book, Note<Book>{i});
    const bool has_waited = books.waiting() > 100;
    for (std::uint32_t i = 0; i < 3; ++i) books.send(book, NoteFirst<Book>{1000 + i});
    for (int i = 0; i < 3; ++i) co_await books.call(opener, NoteFirst<Book>{0});  // the dispatcher waits for room now
    by[0] = 1;
    books.send(opener, OpenFirst<Book>{&by[0]});
    co_await books.ready();
    const bool is_ready = books.waiting() == 0;
    Numbers notes = co_await read(books, book, 63);
    co_return has_waited&& is_ready&& notes == expected_notes(3, 60);
  }
  /// What a peer's entries send finds the worker held, others of the host before it, and a ring that is full. The peer
  /// is the scheduler itself.
  Task<bool> overtake_from_a_peer(std::uint32_t parts, unsigned ring) {
    FarBooks books(options_of(ring));
    gpu::ResidentLink out = co_await books.make_link(), in = co_await books.make_link();
    const gpu::ResidentPeer peer = co_await books.connect(out, in.offer());
    (void)co_await books.connect(in, out.offer());
    const gpu::DeviceFlag gate = co_await books.make_flag();
    const Handle book = co_await books.make_on(0, Book{0, {}, gate.word(), {}}, parts);
    const Handle opener = co_await books.make_on(2, Book{0, {}, gate.word(), {}});
    const Handle writer = co_await books.make_on(3, Book{});
    co_await books.call(writer, SetOther<Book>{peer.object(book)});
    books.send(book, Hold<Book>{});
    for (std::uint32_t i = 0; i < 4; ++i) books.send(book, Note<Book>{50});
    co_await books.call(writer, SendNotesFar<Book>{10, 3});
    books.send(opener, Open<Book>{});
    Numbers notes = co_await read(books, book, 17);
    const auto of_host = std::remove(notes.begin() + 3, notes.end(), 50U);  // between the peer's others
    notes.erase(of_host, notes.end());
    co_return notes == expected_notes(3, 10);
  }
  /// It comes to the device before what was sent before it, but not before the peer that it sends to.
  Task<bool> write_to_a_new_peer() {
    FarBooks books(options_of(16));
    gpu::ResidentLink out = co_await books.make_link(), in = co_await books.make_link();
    const Handle book = co_await books.make_on(0, Book{}), writer = co_await books.make_on(3, Book{});
    (void)co_await books.connect(in, out.offer());
    const gpu::ResidentPeer peer = co_await books.connect(out, in.offer());
    books.send(writer, NoteFarFirst<Book>{peer.object(book), 7});
    const Numbers notes = co_await read(books, book, 1);
    co_return notes == Numbers(1, 7);
  }
  /// More than rings hold, of several launches.
  Task<bool> spring(std::uint32_t depth, double idle_us) {
    Books books(options_of(4, idle_us));
    const Handle one = co_await books.make(Book{}), other = co_await books.make(Book{});
    co_await books.call(one, SetOther<Book>{other});
    co_await books.call(other, SetOther<Book>{one});
    books.send(one, Spring<Book>{depth});
    std::uint32_t count = 0;
    while (count < (2U << depth) - 1) {
      const PageOfNotes here = co_await books.call(one, ReadNotes<Book>{0});
      const PageOfNotes there = co_await books.call(other, ReadNotes<Book>{0});
      count = here.count + there.count;
    }
    co_return count == (2U << depth) - 1;
  }

 private:
  template <class AnyBooks>
  static Task<Numbers> read(AnyBooks& books, Handle book, std::uint32_t count) {
    PageOfNotes page{};
    while (page.count < count) page = co_await books.call(book, ReadNotes<Book>{0});
    Numbers numbers;
    for (std::uint32_t first = 0; first < count; first += 7) {
      page = co_await books.call(book, ReadNotes<Book>{first});
      for (std::uint32_t i = 0; i < 7 && first + i < count; ++i) numbers.push_back(page.numbers[i]);
    }
    co_return numbers;
  }
};

template <class Book>
Task<> check(Runtime& runtime) {
  using Host = Reader<Book>;
  const auto hosts = co_await runtime.create<Host>(1);
  const auto host = hosts[0];
  CHECK_AWAITED(host.template call<&Host::overtake_on_the_device>(1U, 16U), true);
  CHECK_AWAITED(host.template call<&Host::overtake_on_the_device>(2U, 16U), true);
  CHECK_AWAITED(host.template call<&Host::overtake_from_the_host>(), true);
  CHECK_AWAITED(host.template call<&Host::overtake_a_backlog>(1U), true);
  CHECK_AWAITED(host.template call<&Host::overtake_a_backlog>(2U), true);
  CHECK_AWAITED(host.template call<&Host::overtake_from_a_peer>(1U, 16U), true);
  CHECK_AWAITED(host.template call<&Host::overtake_from_a_peer>(2U, 4U), true);
  CHECK_AWAITED(host.template call<&Host::write_to_a_new_peer>(), true);
  CHECK_AWAITED(host.template call<&Host::spring>(6U, 1000.0), true);
  CHECK_AWAITED(host.template call<&Host::spring>(3U, 0.0), true);
}

}  // namespace kaon::testing::urgent

namespace kaon::testing {

TEST_CASE("urgent entries of blocks go before others", "[device][resident][urgent]") {
  run_on_devices(urgent::check<BlockBook>);
}

TEST_CASE("urgent entries of warps go before others", "[device][resident][urgent]") {
  run_on_devices(urgent::check<WarpBook>);
}

}  // namespace kaon::testing
