// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kaon/chares/elements/dense_index.hpp"
#include "kaon/chares/elements/index.hpp"
#include "kaon/chares/elements/index_number.hpp"
#include "kaon/chares/lifecycle/destruction.hpp"
#include "kaon/chares/section.hpp"
#include "kaon/chares/several.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::chares {

/// An array of chares: a name of two words, to be copied, kept and sent. Any PE may use it, also one that has yet to
/// hear of the array: what is sent then waits there until its part of the array is made.
template <class C>
class Proxy : public Several<C> {
  using Several<C>::collection_;

 public:
  Proxy() = default;
  Proxy(CollectionId collection, Shape shape) : Several<C>(collection), shape_(shape) {}
  /// Converts from an array of a derived class.
  template <class D>
    requires is_derived_chare<D, C>
  Proxy(const Proxy<D>& other) : Proxy(other.id(), other.shape()) {}  // NOLINT: as pointers convert

  /// Throws UsageError for an index outside an array with a shape, and for one that cannot be in a sparse array.
  Element<C> operator[](Index index) const {
    using Own = typename C::IndexType;
    if constexpr (std::is_same_v<Own, Index>) {
      if (shape_.contains(index)) [[likely]]
        return Element<C>(collection_, shape_.linear(index));
      if (!is_sparse()) throw_outside(collection_, to_string(index), shape_);
    }
    if constexpr (std::is_convertible_v<Index, Own>) return at<Own>(index);
    proxy::throw_other_index();
  }
  /// The same by an index of another type: that of the class, which its base Chare<C, I> names.
  template <class I>
    requires(!std::is_same_v<I, Index>)
  Element<C> operator[](const I& index) const {
    using Own = typename C::IndexType;
    constexpr bool kIsIndex = std::is_convertible_v<const I&, Own>;
    static_assert(kIsIndex, "array[index]: this is no index of arrays of such chares; see Chare<C, I>");
    if constexpr (std::is_same_v<Own, Index>)
      return (*this)[Index(index)];
    else if constexpr (kIsIndex)
      return at<Own>(index);
  }

  Shape shape() const { return shape_; }
  bool is_sparse() const { return shape_.is_sparse() && collection_ != kNoCollection; }

  /// Makes a section: `co_await` gives it when all PEs know it. Members that are named twice are in it once. Throws
  /// UsageError for a section of nothing, and as array[index] for an index.
  template <class I = Index>
  Task<Section<C>> section(std::vector<I> members) const {
    std::vector<std::uint64_t> numbers;
    numbers.reserve(members.size());
    for (const I& member : members) numbers.push_back((*this)[member].number());
    Pe& pe = this->usable_pe();
    Message& message = formation::make(pe, this->id(), std::move(numbers));
    const std::uint64_t size = formation::size(message);
    const Partial<std::uint32_t> number = co_await formation::Done(pe, message, pe.id());
    co_return Section<C>(this->id(), *number, size);
  }

  /// Destroys the array: each element goes when its entry that runs now has ended, and entries that are suspended end
  /// with it. What is under way to it is dropped, and who awaits a result of it gets a UsageError. A proxy used when it
  /// is gone throws UsageError.
  void destroy() const {
    Pe& pe = this->usable_pe();
    pe.route(destruction::make(pe, collection_), destruction::kRoot);
  }
  /// Same as destroy(), but `co_await` ends when the array is gone on all PEs.
  [[nodiscard]] destruction::Done destroy_and_wait() const {
    Pe& pe = this->usable_pe();
    return destruction::Done(pe, destruction::make(pe, collection_), destruction::kRoot);
  }

  template <class Archive>
  void pup(Archive& archive) {
    archive(collection_, shape_);
  }

 private:
  template <class Own>  // that of C, which may have yet to be defined
  Element<C> at(const Own& index) const {
    if (shape_.is_sparse()) return Element<C>(collection_, IndexNumber<Own>::of(index));
    if (!DenseIndex<Own>::contains(shape_, index)) throw_outside(collection_, DenseIndex<Own>::text(index), shape_);
    return Element<C>(collection_, DenseIndex<Own>::number(shape_, index));
  }

  Shape shape_{0};
};

/// One chare on each PE; indexed by PE.
template <class C>
class Group : public Proxy<C> {
 public:
  using serialized_whole = Group;
  Group() = default;
  Group(CollectionId collection, Shape shape) : Proxy<C>(collection, shape) {}
  template <class D>
    requires is_derived_chare<D, C>
  Group(const Group<D>& other) : Proxy<C>(other) {}  // NOLINT: as pointers convert

  /// The member on the calling PE: an ordinary object there. Throws UsageError when it was deleted, or is not made yet.
  C& local() const {
    Pe& pe = proxy::calling_pe();
    ElementBase* member = proxy::table_of(pe, this->id()).find(pe.id());
    if (member == nullptr) proxy::throw_no_local_member();
    return chare_of<C>(*member);
  }
};

/// One chare for each process; indexed by process. Its entries run on the first PE of its process, one at a time.
template <class C>
class NodeGroup : public Proxy<C> {
 public:
  using serialized_whole = NodeGroup;
  NodeGroup() = default;
  NodeGroup(CollectionId collection, Shape shape) : Proxy<C>(collection, shape) {}
  template <class D>
    requires is_derived_chare<D, C>
  NodeGroup(const NodeGroup<D>& other) : Proxy<C>(other) {}  // NOLINT: as pointers convert

  /// The member of the calling PE's process: one object for all its PEs, whose threads, and the member's entries, may
  /// use it at the same time. What is used so is constant, atomic or under a lock of the class'. Throws UsageError when
  /// it is not made yet.
  C& local() const {
    ElementBase* const member = proxy::node_member(this->id());
    if (member == nullptr) proxy::throw_no_member_of_process();
    return chare_of<C>(*member);
  }
};

}  // namespace kaon::chares
