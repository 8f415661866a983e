// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "kaon/chares/collectives/broadcast.hpp"
#include "kaon/chares/elements/bonds.hpp"
#include "kaon/chares/elements/node_member.hpp"
#include "kaon/chares/waits/call.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::chares {

/// The elements of a dense array that are made on this PE at first: those at home here, or where their class places
/// them itself, which their homes know from then on. Throws UsageError for a place that is none.
template <class Visit>
void each_placed_here(ElementTable& table, Visit visit) {
  if (table.is_sparse()) return;
  const PeId here = table.pe().id();
  const Placement& placement = table.locations().placement();
  if (table.type().place == nullptr || placement.is_of_places()) {
    for (std::uint64_t slot = 0, end = placement.homed(here); slot < end; ++slot) visit(placement.element(here, slot));
    return;
  }
  for (std::uint64_t element = 0; element < placement.count(); ++element) {
    const PeId pe = place_of(table, element);
    if (pe != placement.home(element) && (pe == here || placement.home(element) == here))
      table.locations().learn(element, {pe, 1});
    if (pe == here) visit(element);
  }
}

/// The data that a PE needs to make its part of an array, besides the constructor arguments.
struct PartPlan {
  CollectionId id = kNoCollection;
  Shape shape;
  Map map = Map::block;
  CollectionId leader = kNoCollection;  // of a bound array, which is made without elements: they are made beside those
  bool has_elements = true;

  template <class Archive>
  void pup(Archive& archive) {
    archive(id, shape, map, leader, has_elements);
  }
};

/// The message that makes an array: it goes down the spanning tree, each PE makes its elements, and word that all are
/// there, or the first exception of a constructor, comes back up. Args are what the elements' constructors take, after
/// a decay. Each PE has its part then, also of an array that has failed: without one, what is for the array would wait
/// there for ever, and its end too.
template <class C, class... Args>
class Creation {
  using Functions = MessageFunctions<PartPlan, Args...>;
  using Typed = typename Functions::Typed;

 public:
  using Done = Call<Partial<Nothing>, void>;

  /// The awaitable for the maker of an array. If it throws, there is an array that must be ended.
  template <class... A>
  static Done start(Pe& pe, const PartPlan& plan, A&&... arguments) {
    return Done(pe, make(pe, pe.id(), plan, std::forward<A>(arguments)...), pe.id(), &send_to_root);
  }

  /// For a PE of the tree from `root`.
  template <class... A>
  static Message& make(Pe& pe, PeId root, const PartPlan& plan, A&&... arguments) {
    Message& message = Functions::make(pe.pool(), *listed_, plan, std::forward<A>(arguments)...);
    message.element = root;
    return message;
  }

 private:
  static void send_to_root(Message& message, Pe& pe) {
    const PartPlan plan = std::get<0>(static_cast<Typed&>(message).arguments);
    try {
      pe.route(message, pe.id());
    } catch (...) {  // of the packing
      send_without_elements(pe, plan, pe.id(), pe.id(), {});
      throw;
    }
  }

  static void send_without_elements(Pe& pe, PartPlan plan, PeId root, PeId to, ReplyTo reply) {
    plan.has_elements = false;
    Message& message = Creation<C>::make(pe, root, plan);
    message.reply = reply;
    pe.route(message, to);
  }

  static void invoke(Work& work, Pe& pe) {
    auto& message = static_cast<Typed&>(work);
    note_running(pe, message);
    auto& combiner = Combiner<Nothing, KeepFirst>::start(pe, message.source, message.reply);
    const Answers answers(combiner);
    tree_of(message, pe).each_child(pe.id(), [&](PeId child) { ask(message, pe, child, answers); });
    try {
      std::apply([&](auto&... arguments) { make_part(pe, arguments...); }, message.arguments);
    } catch (const CorruptMessage&) {
      throw;
    } catch (...) {
      answers.fail(std::current_exception());
    }
    Functions::destroy(message, pe.pool());
    pe.count_done();
    combiner.run(combiner, pe);  // with the exception, or without a result
  }

  static void ask(const Typed& message, Pe& pe, PeId child, const Answers& answers) {
    const ReplyTo reply = answers.expect_reply();
    try {
      Message& copy = *message.entry->copy(message, pe.pool());
      copy.source = pe.id();
      copy.reply = reply;
      pe.route(copy, child);
    } catch (...) {  // of an argument
      answers.fail_one(pe, std::current_exception());
      send_without_elements(pe, std::get<0>(message.arguments), static_cast<PeId>(message.element), child, reply);
    }
  }

  static void make_part(Pe& pe, const PartPlan& plan, const Args&... arguments) {
    if (!plan.shape.is_sparse()) check(plan.shape);
    auto owner = std::make_unique<ElementTable>(pe, plan.id, element_type<C>(), plan.shape, plan.map);
    ElementTable& table = *owner;
    add_collection(pe, plan.id, std::move(owner));  // before its elements, whose constructors may send to it
    if (plan.leader != kNoCollection) return bonds::tie(table, pe, plan.leader);
    if (plan.has_elements) make_elements(table, arguments...);
  }

  static void make_elements(ElementTable& table, const Args&... arguments) {
    if constexpr (std::is_constructible_v<C, const Args&...>)  // else the array is sparse
      each_placed_here(table, [&](std::uint64_t element) {
        const ElementBase::Construction place({&table, element});
        C& made = *std::make_unique<C>(arguments...).release();
        table.adopt(made);
        if (table.locations().placement().is_of_processes()) table.part<NodeMember>().publish(made);
      });
  }

  static constexpr std::string_view name() { return __PRETTY_FUNCTION__; }
  static inline EntryRecord record_ = Functions::record(name(), &invoke);
  static inline const EntryRecord* const listed_ = enlist(record_);
};

}  // namespace kaon::chares
