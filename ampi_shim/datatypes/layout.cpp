// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/datatypes/layout.hpp"

#include <algorithm>
#include <utility>

namespace kaon::ampi {

namespace {

Layout of_node(std::shared_ptr<const LayoutNode> node, std::int64_t bytes) {
  Layout layout;
  layout.count = 1;
  layout.bytes = bytes;
  layout.node = std::move(node);
  return layout;
}

bool is_run(const Layout& layout) { return layout.is_run(); }

void merge_neighbours(std::vector<Layout>& parts) {
  std::size_t last = 0;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Layout& before = parts[last];
    if (before.is_run() && parts[i].is_run() && before.offset + before.bytes == parts[i].offset)
      before.bytes += parts[i].bytes;
    else if (++last != i)
      parts[last] = std::move(parts[i]);
  }
  parts.resize(last + 1);
}

/// Whether these runs, at least two, are alike and equally far apart.
bool are_strided(const std::vector<Layout>& runs) {
  const std::int64_t stride = runs[1].offset - runs[0].offset;
  for (std::size_t i = 1; i < runs.size(); ++i)
    if (runs[i].bytes != runs[0].bytes || runs[i].offset - runs[i - 1].offset != stride) return false;
  return true;
}

Layout of_blocks(const std::vector<Layout>& runs) {
  auto node = std::make_shared<LayoutNode>();
  node->blocks.reserve(runs.size());
  node->equal_bytes = runs[0].bytes;
  std::int64_t bytes = 0;
  for (const Layout& run : runs) {
    if (run.bytes != node->equal_bytes) node->equal_bytes = 0;
    node->blocks.push_back({run.offset, run.bytes, bytes});
    bytes += run.bytes;
  }
  return of_node(std::move(node), bytes);
}

Layout of_parts(std::vector<Layout> parts) {
  auto node = std::make_shared<LayoutNode>();
  node->begins.reserve(parts.size());
  std::int64_t bytes = 0;
  for (const Layout& part : parts) {
    node->begins.push_back(bytes);
    bytes += part.size();
  }
  node->parts = std::move(parts);
  return of_node(std::move(node), bytes);
}

}  // namespace

Layout Layout::run(std::int64_t offset, std::int64_t bytes) {
  Layout layout;
  layout.offset = offset;
  layout.count = bytes > 0 ? 1 : 0;
  layout.bytes = bytes;
  return layout;
}

Layout Layout::moved(std::int64_t bytes_further) const {
  Layout layout = *this;
  layout.offset += bytes_further;
  return layout;
}

Layout Layout::as_one() const { return count <= 1 ? *this : of_parts({*this}); }

Layout Layout::repeated(std::int64_t times, std::int64_t bytes_apart) const {
  if (times == 0 || is_empty()) return {};
  if (times == 1) return *this;
  if (count > 1 && bytes_apart != count * stride) return as_one().repeated(times, bytes_apart);
  Layout layout = *this;
  if (count == 1) layout.stride = bytes_apart;
  layout.count *= times;
  if (!node && layout.stride == bytes) return run(offset, layout.count * bytes);
  return layout;
}

Layout joined(std::vector<Layout> parts) {
  std::erase_if(parts, [](const Layout& part) { return part.is_empty(); });
  if (parts.empty()) return {};
  merge_neighbours(parts);
  if (parts.size() == 1) return parts[0];
  if (!std::all_of(parts.begin(), parts.end(), is_run)) return of_parts(std::move(parts));
  if (are_strided(parts))
    return parts[0].repeated(static_cast<std::int64_t>(parts.size()), parts[1].offset - parts[0].offset);
  return of_blocks(parts);
}

}  // namespace kaon::ampi
