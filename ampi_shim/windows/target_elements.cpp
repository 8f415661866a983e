// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/windows/target_elements.hpp"

#include <memory>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::ampi {

MPI_Datatype element_type(const TypeDefinition& type) {
  if (type.basic != nullptr) return type.basic->handle;
  if (type.pair != nullptr) return type.pair->handle;
  MPI_Datatype found = MPI_DATATYPE_NULL;
  for (const TypeDefinitionPtr& part : type.elements.types) {
    const MPI_Datatype element = element_type(*part);
    if (element == MPI_DATATYPE_NULL || (found != MPI_DATATYPE_NULL && element != found)) return MPI_DATATYPE_NULL;
    found = element;
  }
  return found;
}

TargetElements TargetElements::of(const Datatype& type, std::int64_t count) {
  const RepeatedLayout repeated = elements_of(type.definition(), count);
  return {*repeated.layout, repeated.count, repeated.stride};
}

void TargetElements::pack(std::byte* packed, const std::byte* memory) const {
  pack_bytes(packed, memory, {&layout, count, stride}, 0, bytes());
}

void TargetElements::unpack(std::byte* memory, const std::byte* packed, std::int64_t bytes) const {
  unpack_bytes(memory, packed, {&layout, count, stride}, 0, bytes);
}

namespace {

enum NodeKind : std::int64_t { kRun, kBlocks, kParts };

void write_layout(const Layout& layout, std::vector<std::int64_t>& words) {
  words.insert(words.end(), {layout.offset, layout.count, layout.stride, layout.bytes});
  if (!layout.node) return words.push_back(kRun);
  const LayoutNode& node = *layout.node;
  if (!node.blocks.empty()) {
    words.insert(words.end(), {kBlocks, node.equal_bytes, static_cast<std::int64_t>(node.blocks.size())});
    for (const LayoutNode::Block& block : node.blocks)
      words.insert(words.end(), {block.offset, block.bytes, block.begin});
    return;
  }
  words.insert(words.end(), {kParts, static_cast<std::int64_t>(node.parts.size())});
  words.insert(words.end(), node.begins.begin(), node.begins.end());
  for (const Layout& part : node.parts) write_layout(part, words);
}

/// Reads what write_layout() has written; anything else is a corrupt message.
class LayoutReader {
 public:
  explicit LayoutReader(const std::vector<std::int64_t>& words) : words_(words) {}

  std::int64_t next() {
    if (at_ == words_.size()) fail();
    return words_[at_++];
  }

  Layout layout(int depth = 0) {
    constexpr int kDeepest = 1000;  // of types made of types; beyond, the stack would not do
    if (depth > kDeepest) fail();
    Layout layout;
    layout.offset = next();
    layout.count = next();
    layout.stride = next();
    layout.bytes = next();
    switch (next()) {
      case kRun:
        break;
      case kBlocks:
        layout.node = blocks();
        break;
      case kParts:
        layout.node = parts(depth);
        break;
      default:
        fail();
    }
    return layout;
  }

  void expect_end() const {
    if (at_ != words_.size()) fail();
  }

 private:
  [[noreturn]] static void fail() {
    throw runtime::CorruptMessage("a one-sided operation came with a layout that is none");
  }

  std::size_t size() {
    const std::int64_t size = next();
    if (size < 0 || static_cast<std::size_t>(size) > words_.size() - at_) fail();
    return static_cast<std::size_t>(size);
  }

  std::shared_ptr<const LayoutNode> blocks() {
    auto node = std::make_shared<LayoutNode>();
    node->equal_bytes = next();
    node->blocks.resize(size());
    for (LayoutNode::Block& block : node->blocks) {
      block.offset = next();
      block.bytes = next();
      block.begin = next();
    }
    return node;
  }

  std::shared_ptr<const LayoutNode> parts(int depth) {
    auto node = std::make_shared<LayoutNode>();
    node->begins.resize(size());
    for (std::int64_t& begin : node->begins) begin = next();
    for (std::size_t i = 0; i < node->begins.size(); ++i) node->parts.push_back(layout(depth + 1));
    return node;
  }

  const std::vector<std::int64_t>& words_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<std::int64_t> TargetElements::to_words() const {
  std::vector<std::int64_t> words{count, stride};
  write_layout(layout, words);
  return words;
}

TargetElements TargetElements::from_words(const std::vector<std::int64_t>& words) {
  LayoutReader reader(words);
  TargetElements elements;
  elements.count = reader.next();
  elements.stride = reader.next();
  elements.layout = reader.layout();
  reader.expect_end();
  return elements;
}

}  // namespace kaon::ampi
