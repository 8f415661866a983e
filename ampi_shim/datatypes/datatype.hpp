// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "kaon/ampi_shim/datatypes/attributes.hpp"
#include "kaon/ampi_shim/datatypes/copying.hpp"
#include "kaon/ampi_shim/datatypes/counted_ref.hpp"
#include "kaon/ampi_shim/datatypes/handled.hpp"
#include "kaon/ampi_shim/datatypes/type_definition.hpp"

namespace kaon::ampi {

/// The data of `count` elements of a type in a buffer.
RepeatedLayout elements_of(const TypeDefinition& type, std::int64_t count);

/// The object behind a handle of type MPI_Datatype. The rank that made it commits, names and frees it. Its definition
/// never changes. So other threads may use it as long as they hold a TypeRef, also after the rank has freed it.
/// Predefined ones belong to no rank and are never counted.
class Datatype : public Handled<0x6b616f6e54595045> {  // "EPYTnoak"
 public:
  /// The owner of a new type, of which the caller gives the handle to the program. Name and attributes are empty.
  static Datatype* make(TypeDefinitionPtr definition);
  /// Null: no datatype, or one that was freed.
  static Datatype* of(MPI_Datatype handle) noexcept {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    if (number < kNumbersEnd)
      return number - kPredefinedBegin < kPredefinedCount ? predefined()[number - kPredefinedBegin] : nullptr;
    auto* const type = alive_at<Datatype>(handle);
    return type != nullptr && type->users_.load(std::memory_order_relaxed) > 0 ? type : nullptr;
  }

  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  MPI_Datatype handle() const {
    return is_predefined() ? definition_->predefined : reinterpret_cast<MPI_Datatype>(handle_word());
  }
  bool is_predefined() const { return definition_->predefined != MPI_DATATYPE_NULL; }
  /// Every rank has it, and none may free it: predefined ones and those of Fortran's kinds.
  bool is_everybodys() const {
    const int combiner = definition_->recipe.combiner;
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  }
  const TypeDefinition& definition() const { return *definition_; }
  const TypeDefinitionPtr& shared_definition() const { return definition_; }

  std::int64_t size() const { return size_; }
  std::int64_t extent() const { return extent_; }
  std::int64_t lower_bound() const { return definition_->bounds.lower; }
  std::int64_t true_lower_bound() const { return definition_->bounds.true_lower; }
  std::int64_t true_extent() const { return definition_->bounds.true_upper - definition_->bounds.true_lower; }
  const Signature& signature() const { return definition_->signature; }

  /// `count` elements at `buffer` are one run of count * size() bytes, that begins run_offset() bytes from there.
  bool is_run(std::int64_t count) const { return is_dense_ || (count <= 1 && definition_->layout.is_run()); }
  std::int64_t run_offset() const { return definition_->layout.offset; }
  /// Where the run begins. The buffer may be MPI_BOTTOM, a null pointer, to which nothing can be added.
  void* run_at(const void* buffer) const {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                   static_cast<std::uintptr_t>(run_offset()));
  }

  /// Copies bytes [first, first + bytes) of the data of `count` elements at `buffer`, as they are sent.
  void pack(void* packed, const void* buffer, std::int64_t count, std::int64_t first, std::int64_t bytes) const;
  void pack(void* packed, const void* buffer, std::int64_t count) const {
    pack(packed, buffer, count, 0, count * size_);
  }
  void unpack(void* buffer, const void* packed, std::int64_t count, std::int64_t first, std::int64_t bytes) const;
  void unpack(void* buffer, const void* packed, std::int64_t count) const {
    unpack(buffer, packed, count, 0, count * size_);
  }

  bool is_committed() const { return is_committed_; }
  void commit() { is_committed_ = true; }
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  Attributes<MPI_Datatype>& attributes() { return attributes_; }

  /// The program's handle is no longer valid. The object stays for those who hold a TypeRef.
  void free_handle() noexcept;

  /// A program's function is given the handle: it is valid meanwhile, whether the program has freed it or not.
  class Lent {
   public:
    explicit Lent(const Datatype& type) : type_(type) { type_.users_.fetch_add(1, std::memory_order_relaxed); }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    ~Lent() { type_.users_.fetch_sub(1, std::memory_order_relaxed); }

   private:
    const Datatype& type_;
  };

 private:
  friend class CountedRef<Datatype>;
  friend struct PredefinedDatatypes;
  // Of the standard's ABI: which handles are datatypes, and that numbers up to a page are no addresses.
  static constexpr std::uintptr_t kPredefinedBegin = 0x200;
  static constexpr std::uintptr_t kPredefinedCount = 0x100;
  static constexpr std::uintptr_t kNumbersEnd = 0x1000;

  explicit Datatype(TypeDefinitionPtr definition);
  ~Datatype() = default;
  RepeatedLayout repeated(std::int64_t count) const { return elements_of(*definition_, count); }
  void retain() const noexcept {
    if (!is_predefined()) references_.fetch_add(1, std::memory_order_relaxed);
  }
  void release() const noexcept {
    if (!is_predefined()) release_counted();
  }
  void release_counted() const noexcept;

  static Datatype* const* predefined() {
    static Datatype* const* const table = make_predefined();
    return table;
  }
  static Datatype* const* make_predefined();

  std::int64_t size_;
  std::int64_t extent_;
  bool is_dense_;
  bool is_committed_ = false;
  mutable std::atomic<int> users_{
      1};  // of the handle: the program, until it frees it, and its functions that have it now
  mutable std::atomic<int> references_{1};  // the program's handle and each TypeRef
  TypeDefinitionPtr definition_;
  std::string name_;
  Attributes<MPI_Datatype> attributes_;
};

using TypeRef = CountedRef<Datatype>;

/// Copies elements of one type to elements of another, without a buffer for all of them: at most `bytes` of data.
void copy_elements(void* to, std::int64_t to_count, const Datatype& to_type, const void* from, std::int64_t from_count,
                   const Datatype& from_type, std::int64_t bytes);

}  // namespace kaon::ampi
