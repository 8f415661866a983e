// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/puts/segment_table.hpp"

#include <fmt/format.h>

#include <functional>
#include <string_view>

#include "kaon/gpu/flag.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kMostSegments = kNoSegment;

bool do_overlap(const std::byte* one, const std::byte* other, std::size_t bytes, std::size_t other_bytes) {
  const std::less<> before;
  return before(one, other + other_bytes) && before(other, one + bytes);
}

}  // namespace

SegmentTable::SegmentTable() : device_(this_device()) {}

SegmentNumber SegmentTable::add(Segment segment) {
  if (segments_.size() == kMostSegments)
    throw UsageError(fmt::format("a gpu::SegmentTable has at most {} segments", kMostSegments));
  segments_.push_back(std::move(segment));
  return static_cast<SegmentNumber>(segments_.size() - 1);
}

SegmentNumber SegmentTable::add(std::string name, const SegmentRange& range) {
  auto* const memory = static_cast<std::byte*>(payloads_of(device_).platform().segments().open(device_, range));
  return add(Segment{std::move(name), range, memory, range.bytes()});
}

SegmentNumber SegmentTable::add(std::string name, const Flag& flag) {
  return add(Segment{std::move(name), {}, reinterpret_cast<std::byte*>(flag.word().word), sizeof(std::uint32_t)});
}

void SegmentTable::remove(SegmentNumber number) {
  find(number, "remove()");
  segments_[number].is_removed = true;
}

std::string SegmentTable::name_of(SegmentNumber number) const {
  return fmt::format("segment {} (\"{}\")", number, segments_[number].name);
}

bool SegmentTable::is_live(SegmentNumber number) const {
  const Segment& segment = segments_[number];
  const Segments& segments = payloads_of(device_).platform().segments();
  return !segment.is_removed && (segment.range.process() < 0 || segments.is_live(device_, segment.range));
}

Span<std::byte> SegmentTable::memory(SegmentNumber number) const {
  const Segment& segment = find(number, "memory()");
  return Span<std::byte>(segment.memory, segment.bytes);
}

const SegmentTable::Segment& SegmentTable::find(SegmentNumber number, const char* use) const {
  if (number >= segments_.size())
    throw UsageError(
        fmt::format("{}: segment {} is not in this table, which has {}: use the number that add() returned", use,
                    number, segments_.size()));
  const Segment& segment = segments_[number];
  if (segment.is_removed) throw UsageError(fmt::format("{}: {} was removed from its table", use, name_of(number)));
  if (!is_live(number))
    throw UsageError(fmt::format("{}: the buffer of {} was freed: keep it while puts use it", use, name_of(number)));
  return segment;
}

std::byte* SegmentTable::place(SegmentNumber number, std::uint64_t offset, std::uint64_t bytes, const char* use) const {
  const Segment& segment = find(number, use);
  if (offset > segment.bytes || bytes > segment.bytes - offset)
    throw UsageError(fmt::format("{}: {} bytes at offset {} are beyond {}, which has {} bytes", use, bytes, offset,
                                 name_of(number), segment.bytes));
  return segment.memory + offset;
}

std::uint32_t* SegmentTable::flag_of(const Put& put) const {
  if (put.flags == kNoSegment) return nullptr;
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  const Segment& segment = find(put.flags, "the flag of a put");
  if (put.flag >= segment.bytes / kWord)
    throw UsageError(fmt::format("the flag of a put: word {} is beyond {}, which has {} words", put.flag,
                                 name_of(put.flags), segment.bytes / kWord));
  return reinterpret_cast<std::uint32_t*>(segment.memory + put.flag * kWord);
}

PutPlaces SegmentTable::resolve(const Put& put) const {
  PutPlaces places;
  places.from = place(put.from, put.from_offset, put.bytes, "the source of a put");
  places.to = place(put.to, put.to_offset, put.bytes, "the target of a put");
  places.bytes = put.bytes;
  places.from_segment = put.from;
  places.to_segment = put.to;
  places.flag = flag_of(put);
  if (do_overlap(places.from, places.to, put.bytes, put.bytes))
    throw UsageError(fmt::format(
        "a put of {} bytes has overlapping source and target, {} at offset {} and {} at offset {}: put to other memory",
        put.bytes, name_of(put.from), put.from_offset, name_of(put.to), put.to_offset));
  const auto* const flag = reinterpret_cast<const std::byte*>(places.flag);
  if (flag != nullptr && do_overlap(places.to, flag, put.bytes, sizeof *places.flag))
    throw UsageError(
        fmt::format("a put of {} bytes would overwrite its own flag, word {} of {}: use a flag outside of "
                    "its target, {} at offset {}",
                    put.bytes, put.flag, name_of(put.flags), name_of(put.to), put.to_offset));
  return places;
}

}  // namespace kaon::gpu
