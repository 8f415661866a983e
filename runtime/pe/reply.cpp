// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/pe/reply.hpp"

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/remote_procedure.hpp"

namespace kaon::runtime {
namespace reply_procedures {  // not unnamed: entries are told apart by their names

void failed(Pe& pe, std::uint32_t slot, std::uint32_t generation, Failure failure) {
  const auto closed = pe.replies().close_failed({slot, generation});
  if (!closed.is_expected) throw_unexpected_reply();
  if (closed.receiver == nullptr) return;
  pe.failures().note_origin(failure.error(), failure.origin());
  closed.result->fail(failure.error());
  closed.receiver->run(*closed.receiver, pe);
}

}  // namespace reply_procedures

void throw_unexpected_reply() { throw CorruptMessage("a result came for a call that nobody has made"); }

bool give_failure(Pe& pe, const ResultTo& to, const std::exception_ptr& error) {
  if (to.receiver != nullptr) {
    to.result->fail(error);
    to.receiver->run(*to.receiver, pe);
    return true;
  }
  if (!to.reply) return false;
  using Failed = RemoteProcedure<&reply_procedures::failed, Counting::counted>;
  Failed::send(pe, to.pe, to.reply.slot, to.reply.generation, Failure(error, pe.failures().origin_of(error)));
  return true;
}

void route_on(Pe& pe, Message& message, PeId to) {
  const ResultTo awaited{message.source, message.reply};
  try {
    pe.route(message, to);
  } catch (...) {  // of the packing; the message is gone
    if (!give_failure(pe, awaited, std::current_exception())) throw;
  }
}

}  // namespace kaon::runtime
