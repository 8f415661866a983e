// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/launch/line_merger.hpp"

namespace kaon::launch {

LineMerger::LineMerger(int streams, Lines lines, bool has_labels, LineSink& sink)
    : streams_(static_cast<std::size_t>(streams)), lines_(lines), has_labels_(has_labels), sink_(sink) {}

void LineMerger::feed(int stream, std::string_view bytes, Time now) {
  if (bytes.empty()) return;
  if (lines_ == Lines::whole)
    feed_whole(stream, bytes);
  else
    feed_prompt(stream, bytes, now);
}

void LineMerger::feed_whole(int stream, std::string_view bytes) {
  std::string& held = at(stream).held;
  const std::size_t whole = bytes.rfind('\n') + 1;  // 0: no line ends here
  if (whole > 0) {
    pass_on(stream, held);
    held.clear();
    pass_on(stream, bytes.substr(0, whole));
  }
  held += bytes.substr(whole);
  if (held.size() <= kMaxLineBytes) return;
  pass_on(stream, held);
  held.clear();
}

void LineMerger::feed_prompt(int stream, std::string_view bytes, Time now) {
  if (open_ >= 0 && open_ != stream && !at(open_).is_closed) {
    if (at(stream).held.empty() && waiting_++ == 0) waiting_since_ = now;
    at(stream).held += bytes;
    return;
  }
  pass_on(stream, bytes);
  let_others_go();
}

void LineMerger::close(int stream) {
  at(stream).is_closed = true;
  if (lines_ == Lines::whole) {
    pass_on(stream, at(stream).held);
    at(stream).held.clear();
  }
  if (open_ != stream) return;
  if (waiting_ > 0) {
    end_open_line();
    let_others_go();
  }
}

void LineMerger::finish() {
  while (waiting_ > 0) {
    end_open_line();
    let_others_go();
  }
}

void LineMerger::insert(std::string_view lines) {
  end_open_line();
  sink_.write(lines);
  let_others_go();
}

void LineMerger::tick(Time now) {
  if (!is_waiting() || now < wakes_at()) return;
  end_open_line();
  let_others_go();
  waiting_since_ = now;
}

void LineMerger::let_others_go() {
  for (int stream = 0; waiting_ > 0 && open_ < 0 && stream < static_cast<int>(streams_.size()); ++stream) {
    std::string& held = at(stream).held;
    if (held.empty()) continue;
    --waiting_;
    pass_on(stream, held);
    held.clear();
  }
}

void LineMerger::end_open_line() {
  if (open_ >= 0) sink_.write("\n");
  open_ = -1;
}

void LineMerger::pass_on(int stream, std::string_view bytes) {
  if (bytes.empty()) return;
  if (open_ != stream) end_open_line();
  if (has_labels_)
    write_labelled(stream, bytes);
  else
    sink_.write(bytes);
  open_ = bytes.back() == '\n' ? -1 : stream;
}

void LineMerger::write_labelled(int stream, std::string_view bytes) {
  const std::string label = "[" + std::to_string(stream) + "] ";
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 4 + label.size());
  bool is_in_line = open_ == stream;
  while (!bytes.empty()) {
    const std::size_t line = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
    if (!is_in_line) text += label;
    text += bytes.substr(0, line);
    bytes.remove_prefix(line);
    is_in_line = false;
  }
  sink_.write(text);
}

}  // namespace kaon::launch
