// SPDX-License-Identifier: Apache-2.0
#include "kaon/chares/collectives/broadcast.hpp"

#include "kaon/runtime/pe/process.hpp"
#include "kaon/runtime/pe/spanning_tree.hpp"

namespace kaon::chares {
namespace {

SpanningTree tree_of(const Message& message, Pe& pe) {
  if (message.element >= pe.process().total_pes()) throw CorruptMessage("a broadcast has a root that does not exist");
  return SpanningTree(static_cast<PeId>(message.element), pe.process().roster());
}

}  // namespace

PeId tree_children(const Message& message, Pe& pe) { return tree_of(message, pe).children(pe.id()); }

void send_down(Message& message, Pe& pe, ReplyWaiter* results) {
  tree_of(message, pe).each_child(pe.id(), [&](PeId child) {
    Message& copy = *message.entry->copy(message, pe);
    copy.source = pe.id();
    if (results != nullptr) {
      copy.reply = pe.replies().open(*results);
      pe.made();  // the reply
    }
    pe.route(copy, child);
  });
}

}  // namespace kaon::chares
