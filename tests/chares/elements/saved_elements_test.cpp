// SPDX-License-Identifier: Apache-2.0
// Elements as bytes, by what the runtime knows of their class, and made again in another run on other PEs: what a
// checkpoint will do.
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "kaon/chares/elements/element_table.hpp"
#include "kaon/runtime/pe/process.hpp"
#include "kaon/testing/scene.hpp"
#include "tests/support/catch.hpp"

namespace kaon::testing::saved {

class Cell : public Chare<Cell> {
 public:
  Cell() = default;
  explicit Cell(int scale) : values_(static_cast<std::size_t>(index().x), scale) {}
  template <class Archive>
  void pup(Archive& archive) {
    archive(values_, steps_);
  }
  void step() {
    for (int& value : values_) ++value;
    if (++steps_ % 4 == 0) migrate_to((pe() + 1) % this_runtime().pes());
  }
  int weight() const {
    int weight = 1000 * steps_;
    for (const int value : values_) weight += value;
    return weight;
  }

 private:
  std::vector<int> values_;
  int steps_ = 0;
};

using Saved = std::map<std::uint64_t, std::vector<std::byte>>;  // by element

std::vector<std::byte> packed(const ElementType& type, ElementBase& element) {
  Writer size(nullptr, 0);
  type.pack(element, size);
  std::vector<std::byte> bytes(size.bytes());
  Writer out(bytes.data(), bytes.size());
  type.pack(element, out);
  return bytes;
}

void save(Pe& pe, CollectionId id, Saved& saved) {
  auto& table = static_cast<ElementTable&>(*pe.collections().find(id));
  table.elements().each(
      [&](ElementBase& element) { saved[ElementAccess::index(element)] = packed(table.type(), element); });
}

void restore(Pe& pe, CollectionId id, const ElementType& type, const Shape& shape, const Saved& saved) {
  auto owner = std::make_unique<ElementTable>(pe, id, type, shape, Map::round_robin);
  ElementTable& table = *owner;
  add_collection(pe, id, std::move(owner));
  for (std::uint64_t slot = 0; slot < table.locations().placement().homed(pe.id()); ++slot) {
    const std::uint64_t element = table.locations().placement().element(pe.id(), slot);
    const ElementBase::Construction place({&table, element});
    const std::vector<std::byte>& bytes = saved.at(element);
    Reader in(bytes.data(), bytes.size());
    table.adopt(type.unpack(in));
  }
}

TEST_CASE("elements are saved by their type and go on in another run on other PEs", "[chares][saved]") {
  constexpr int kCells = 20, kSteps = 9;
  Saved saved;
  int before = 0;
  Scene first({2, 2});
  first.run([&](Runtime& runtime) -> Task<> {
    auto cells = co_await runtime.create<Cell>(kCells, 3);
    for (int step = 0; step < kSteps; ++step)
      for (int i = 0; i < kCells; ++i) cells[i].send<&Cell::step>();
    co_await runtime.quiescence();
    before = co_await cells.call_all<&Cell::weight>(sum);
    for (PeId pe = 0; pe < first.network().pes(); ++pe) save(first.network().pe(pe), cells.id(), saved);
  });
  REQUIRE(saved.size() == kCells);

  Scene second({3, 1});
  int after = 0;
  second.run([&](Runtime& runtime) -> Task<> {
    const CollectionId id = second.network().pe(0).process().new_collection_id();
    for (PeId pe = 0; pe < second.network().pes(); ++pe)
      second.network().on(pe, [&](Pe& here) { restore(here, id, element_type<Cell>(), Shape(kCells), saved); });
    const Proxy<Cell> cells(id, Shape(kCells));
    for (int i = 0; i < kCells; ++i) cells[i].send<&Cell::step>();
    co_await runtime.quiescence();
    after = co_await cells.call_all<&Cell::weight>(sum);
  });
  CHECK(after == before + kCells * 1000 + kCells * (kCells - 1) / 2);
}

}  // namespace kaon::testing::saved
