// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/line_merger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>

#include "kaon/runtime/launch/descriptor.hpp"
#include "kaon/runtime/launch/output_file.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::lines {

class Text final : public LineSink {
 public:
  void write(std::string_view bytes) override { text += bytes; }
  std::string text;
};

// Some processes, and a clock that the test moves.
struct Merged {
  explicit Merged(LineMerger::Lines lines, bool has_labels = false, int streams = 2)
      : merger(streams, lines, has_labels, sink) {}
  void feed(int stream, std::string_view bytes) { merger.feed(stream, bytes, now); }
  void pass(std::chrono::milliseconds time) {
    now += time;
    merger.tick(now);
  }
  Text sink;
  LineMerger::Time now{};
  LineMerger merger;
};

constexpr auto kWhole = LineMerger::Lines::whole;
constexpr auto kPrompt = LineMerger::Lines::prompt;

TEST_CASE("lines that come in pieces come out whole", "[launch][lines]") {
  Merged merged(kWhole);
  merged.feed(0, "one a");
  merged.feed(1, "two a\ntwo b");
  merged.feed(0, "nd more\n");
  CHECK(merged.sink.text == "two a\none and more\n");
  merged.feed(1, "\n");
  CHECK(merged.sink.text == "two a\none and more\ntwo b\n");
}

TEST_CASE("a last line without an end comes out as it is, and others do not go on in it", "[launch][lines]") {
  const auto how = GENERATE(kWhole, kPrompt);
  Merged merged(how);
  merged.feed(0, "a\nlast");
  merged.merger.close(0);
  CHECK(merged.sink.text == "a\nlast");
  merged.feed(1, "b\nlast too");
  merged.merger.close(1);
  merged.merger.finish();
  CHECK(merged.sink.text == "a\nlast\nb\nlast too");
}

TEST_CASE("nobody waits at a terminal for the end of a line whose process has ended", "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "last");
  merged.merger.close(0);
  merged.feed(1, "how many? ");
  CHECK(merged.sink.text == "last\nhow many? ");
  CHECK_FALSE(merged.merger.is_waiting());
}

TEST_CASE("words of our own do not go on in a line of others, and let those go who wait for its end",
          "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "how many? ");
  merged.feed(1, "step 1\n");
  merged.merger.insert("kaonrun: hello\n");
  CHECK(merged.sink.text == "how many? \nkaonrun: hello\nstep 1\n");
}

TEST_CASE("a line of any length comes out, and memory is bounded", "[launch][lines]") {
  Merged merged(kWhole);
  const std::string piece(LineMerger::kMaxLineBytes / 2 + 1, 'x');
  merged.feed(0, piece);
  CHECK(merged.sink.text.empty());
  merged.feed(0, piece);
  CHECK(merged.sink.text == piece + piece);
  merged.feed(0, "end\n");
  CHECK(merged.sink.text == piece + piece + "end\n");
}

TEST_CASE("each line says whose it is", "[launch][lines]") {
  Merged merged(kWhole, true);
  merged.feed(1, "a\n\nb\nc");
  merged.feed(0, "d\n");
  merged.feed(1, "c\n");
  CHECK(merged.sink.text == "[1] a\n[1] \n[1] b\n[0] d\n[1] cc\n");
}

TEST_CASE("a line at a terminal comes as it is written, its label once", "[launch][lines]") {
  Merged merged(kPrompt, true);
  merged.feed(1, "how ");
  CHECK(merged.sink.text == "[1] how ");
  merged.feed(1, "many? ");
  CHECK(merged.sink.text == "[1] how many? ");
  merged.feed(1, "\nthanks");
  CHECK(merged.sink.text == "[1] how many? \n[1] thanks");
}

TEST_CASE("others wait for the end of a line at a terminal, but not for ever", "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "how many? ");
  merged.feed(1, "step 1\n");
  CHECK(merged.merger.is_waiting());
  CHECK(merged.sink.text == "how many? ");
  SECTION("it ends") {
    merged.feed(0, "\n");
    CHECK(merged.sink.text == "how many? \nstep 1\n");
  }
  SECTION("it does not") {
    merged.pass(LineMerger::kPatience);
    CHECK(merged.sink.text == "how many? \nstep 1\n");
  }
  SECTION("its process ends") {
    merged.merger.close(0);
    CHECK(merged.sink.text == "how many? \nstep 1\n");
  }
  CHECK_FALSE(merged.merger.is_waiting());
}

TEST_CASE("a line at a terminal that keeps nobody waiting goes on however late", "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "how ");
  merged.pass(10 * LineMerger::kPatience);
  merged.feed(0, "many? ");
  CHECK(merged.sink.text == "how many? ");
}

TEST_CASE("patience with a line at a terminal counts from the first that waits, whoever comes then",
          "[launch][lines]") {
  Merged merged(kPrompt, false, 3);
  merged.feed(0, "how many? ");
  merged.feed(1, "step 1\n");
  merged.pass(LineMerger::kPatience / 2);
  merged.feed(2, "step 2\n");
  merged.pass(LineMerger::kPatience / 2 - std::chrono::milliseconds{1});
  CHECK(merged.sink.text == "how many? ");
  merged.pass(std::chrono::milliseconds{1});
  CHECK(merged.sink.text == "how many? \nstep 1\nstep 2\n");
}

TEST_CASE("each line at a terminal that has not ended has the patience of those who wait", "[launch][lines]") {
  Merged merged(kPrompt, false, 3);
  merged.feed(0, "how many? ");
  merged.feed(1, "how often? ");
  merged.feed(2, "step 2\n");
  merged.pass(LineMerger::kPatience);
  CHECK(merged.sink.text == "how many? \nhow often? ");
  merged.pass(LineMerger::kPatience - std::chrono::milliseconds{1});
  CHECK(merged.sink.text == "how many? \nhow often? ");
  merged.pass(std::chrono::milliseconds{1});
  CHECK(merged.sink.text == "how many? \nhow often? \nstep 2\n");
}

TEST_CASE("nothing that waits at a terminal is lost at the end", "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "how many? ");
  merged.feed(1, "step");
  merged.merger.close(1);
  merged.merger.close(0);
  merged.merger.finish();
  CHECK(merged.sink.text == "how many? \nstep");
}

TEST_CASE("what waits at a terminal comes at the end, also behind a line of who never ends", "[launch][lines]") {
  Merged merged(kPrompt);
  merged.feed(0, "how many? ");
  merged.feed(1, "step 1\n");
  merged.merger.finish();
  CHECK(merged.sink.text == "how many? \nstep 1\n");
}

// A pipe of which the test reads only what there is.
struct Pipe {
  Pipe() {
    int ends[2];
    REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    reader = Descriptor(ends[0]);
    writer = Descriptor(ends[1]);
  }
  std::string read_some() const {
    std::array<char, 10000> buffer;
    const ssize_t bytes = read(reader.number(), buffer.data(), buffer.size());
    REQUIRE(bytes > 0);
    return {buffer.data(), static_cast<std::size_t>(bytes)};
  }
  Descriptor reader, writer;
};

TEST_CASE("a file is given what it takes without waiting, and the rest later, in its order", "[launch][lines]") {
  const Pipe pipe;
  OutputFile file(pipe.writer.number());
  std::string text, expected;
  const auto write_line = [&](int number) {
    const std::string line = "line " + std::to_string(number) + "\n";
    file.write(line);
    expected += line;
  };
  alarm(20);  // of a write that waits nobody would read
  for (int i = 0; i < 20000; ++i) write_line(i);
  file.write(std::string(100000, 'x'));
  expected += std::string(100000, 'x');
  CHECK(file.unwritten() > 0);
  while (text.size() < expected.size()) {
    text += pipe.read_some();
    if (text.size() < 100000) write_line(-1);
    file.flush();
  }
  alarm(0);
  CHECK(text == expected);
  CHECK(file.unwritten() == 0);
  CHECK(file.error() == 0);
}

TEST_CASE("what is left for a file whose reader has gone is nothing", "[launch][lines]") {
  Pipe pipe;
  OutputFile file(pipe.writer.number());
  file.write(std::string(100000, 'x'));
  CHECK(file.unwritten() > 0);
  pipe.reader.close();
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  file.flush();
  std::signal(SIGPIPE, before);
  CHECK(file.error() == EPIPE);
  CHECK(file.unwritten() == 0);
  file.write("more");
  CHECK(file.unwritten() == 0);
}

}  // namespace kaon::testing::lines
