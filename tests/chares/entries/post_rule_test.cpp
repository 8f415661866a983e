// SPDX-License-Identifier: Apache-2.0
// Payloads in entries and inboxes, and where post rules let them land.
#include "kaon/chares/entries/post_rule.hpp"

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "tests/chares/thrown.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/everywhere.hpp"

namespace kaon::testing::landings {

struct Plane {
  int step = 0;
  Payload<double> values;
};

std::vector<double> ramp(std::size_t count, double from) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), from);
  return values;
}
template <class T>
bool is_ramp(std::span<const T> values, std::size_t count, double from) {
  if (values.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (values[i] != static_cast<T>(from + static_cast<double>(i))) return false;
  return true;
}

class Field : public Chare<Field> {
 public:
  Field() = default;
  template <class Archive>
  void pup(Archive& archive) {
    archive(landed_, right_, planes, pooled_planes);
  }

  Inbox<Plane, &Plane::step> planes{[this](const Plane& plane) {
    return Landing::into(std::span(landed_[static_cast<std::size_t>(plane.step % 2)]));
  }};
  Inbox<Plane, &Plane::step> pooled_planes;

  void take(Payload<double> values, double from) { right_ += is_ramp<double>(values.view(), values.size(), from); }
  void take_three(Payload<double> a, std::string text, Payload<float> b, std::vector<Payload<int>> more) {
    right_ += is_ramp<double>(a.view(), 5000, 1) && text == "text" && is_ramp<float>(b.view(), 10, 2) &&
              more.size() == 3 && is_ramp<int>(more[2].view(), 3000, 3);
  }
  void put(int slot, Payload<double> values) {
    right_ += values.view().data() == landed_[static_cast<std::size_t>(slot)].data() &&
              is_ramp<double>(values.view(), values.size(), slot);
  }
  Landing post(PostFor<&Field::put>, int slot, const Payload<double>&) {
    return Landing::into(std::span(landed_[static_cast<std::size_t>(slot)]));
  }
  void put_two(Payload<double> first, Payload<double> second) {
    right_ += first.view().data() == landed_[0].data() && second.view().data() != landed_[1].data() &&
              is_ramp<double>(first.view(), first.size(), 7) && is_ramp<double>(second.view(), second.size(), 8);
  }
  std::array<Landing, 2> post(PostFor<&Field::put_two>, const Payload<double>&, const Payload<double>&) {
    return {Landing::into(std::span(landed_[0])), Landing::pooled()};
  }
  void put_wrongly(Payload<double>, Payload<double>) {}
  Landing post(PostFor<&Field::put_wrongly>, const Payload<double>&, const Payload<double>&) {
    return Landing::pooled();
  }

  Task<bool> await_plane(int step, std::size_t count) {
    const Plane plane = co_await planes.when(step);
    co_return plane.values.view().data() == landed_[static_cast<std::size_t>(step % 2)].data() &&
        is_ramp<double>(plane.values.view(), count, step);
  }
  Task<bool> await_any_plane(int step, std::size_t count) {
    const Plane plane = co_await planes.when(step);
    co_return is_ramp<double>(plane.values.view(), count, step);
  }
  Task<bool> await_pooled(int step, std::size_t count) {
    const Plane plane = co_await pooled_planes.when(step);
    co_return is_ramp<double>(plane.values.view(), count, step);
  }
  Payload<double> give(std::size_t count) { return Payload<double>(ramp(count, 42)); }
  void pass(Element<Field> to, Payload<double> values, double from) { to.send<&Field::take>(std::move(values), from); }
  void go(PeId to) { migrate_to(to); }
  int right() const { return right_; }
  PeId where() { return pe(); }

 private:
  std::vector<std::vector<double>> landed_ = std::vector<std::vector<double>>(3, std::vector<double>(5000));
  int right_ = 0;
};

Task<int> count_right(Proxy<Field> fields) { co_return co_await fields.call_all<&Field::right>(sum); }

constexpr std::array<std::size_t, 7> kSizes{0, 1, 100, 256, 257, 1000, 5000};

Task<> send_sizes(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(5);
  int sent = 0;
  for (const std::size_t size : kSizes)
    for (int i = 0; i < 5; ++i, ++sent) {
      fields[i].send<&Field::take>(Payload<double>(ramp(size, i)), 1.0 * i);
      fields[4 - i].send<&Field::pass>(fields[i], Payload<double>::copy_of(std::span<const double>(ramp(size, i))),
                                       1.0 * i);
    }
  co_await runtime.quiescence();
  const int right = co_await count_right(fields);
  CHECK(right == 2 * sent);
}

Task<> send_several(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(5);
  for (int i = 0; i < 5; ++i) {
    std::vector<Payload<int>> more(3);
    std::vector<int> integers(3000);
    std::iota(integers.begin(), integers.end(), 3);
    more[2] = Payload<int>(std::move(integers));
    std::vector<float> floats(10);
    std::iota(floats.begin(), floats.end(), 2.f);
    fields[i].send<&Field::take_three>(Payload<double>(ramp(5000, 1)), "text", Payload<float>(std::move(floats)),
                                       std::move(more));
  }
  co_await runtime.quiescence();
  const int right = co_await count_right(fields);
  CHECK(right == 5);
}

Task<> land_by_method(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(5);
  int sent = 0;
  for (const std::size_t size : kSizes)
    for (int i = 0; i < 5 && size > 0; ++i, ++sent) {
      fields[i].send<&Field::put>(1, Payload<double>(ramp(size, 1)));
      co_await runtime.quiescence();
    }
  for (int i = 0; i < 5; ++i, ++sent)
    fields[i].send<&Field::put_two>(Payload<double>(ramp(4000, 7)), Payload<double>(ramp(300, 8)));
  co_await runtime.quiescence();
  const int right = co_await count_right(fields);
  CHECK(right == sent);
}

Task<> land_in_inboxes(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(4);
  for (const std::size_t size : {10u, 300u, 5000u})
    for (int i = 0; i < 4; ++i) {
      for (const int step : {7, 6}) fields[i].send<&Field::planes>(step, Payload<double>(ramp(size, step)));
      for (const int step : {6, 7}) {
        const bool is_right = co_await fields[i].call<&Field::await_plane>(step, size);
        CHECK(is_right);
      }
      fields[i].send<&Field::pooled_planes>(3, Payload<double>(ramp(size, 3)));
      const bool is_right = co_await fields[i].call<&Field::await_pooled>(3, size);
      CHECK(is_right);
    }
}

Task<> give_back(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(4);
  for (int i = 0; i < 4; ++i) {
    const Payload<double> given = co_await fields[i].call<&Field::give>(std::size_t{20'000});
    CHECK(is_ramp<double>(given.view(), 20'000, 42));
  }
}

/// Payloads to elements that leave: landed before, forwarded after, or kept in an inbox meanwhile.
Task<> move_meanwhile(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(6);
  const PeId last = runtime.pes() - 1;
  for (int i = 0; i < 6; ++i) fields[i].send<&Field::go>((last + static_cast<PeId>(i)) % runtime.pes());
  for (int i = 0; i < 6; ++i) {
    fields[i].send<&Field::put>(0, Payload<double>(ramp(3000, 0)));
    fields[i].send<&Field::planes>(5, Payload<double>(ramp(4000, 5)));
    fields[i].send<&Field::go>(static_cast<PeId>(i) % runtime.pes());
    fields[i].send<&Field::put>(2, Payload<double>(ramp(3500, 2)));
  }
  co_await runtime.quiescence();
  const int right = co_await count_right(fields);
  CHECK(right == 12);
  for (int i = 0; i < 6; ++i) {
    const bool is_right = co_await fields[i].call<&Field::await_any_plane>(5, std::size_t{4000});
    CHECK(is_right);
  }
}

Task<> land_too_small(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(4);
  fields[3].send<&Field::put>(0, Payload<double>::uninitialized(5001));
  co_await runtime.quiescence();
}
Task<> land_too_small_locally(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(4);
  fields[0].send<&Field::put>(0, Payload<double>::uninitialized(5001));  // handed over, then copied
  co_await runtime.quiescence();
}
Task<> land_too_few(Runtime& runtime) {
  const auto fields = co_await runtime.create<Field>(4);
  fields[3].send<&Field::put_wrongly>(Payload<double>::uninitialized(500), Payload<double>::uninitialized(500));
  co_await runtime.quiescence();
}

TEST_CASE("payloads of every size arrive, within and between processes", "[chares][post_rule]") {
  run_everywhere(send_sizes);
}
TEST_CASE("an entry takes several payloads of several types", "[chares][post_rule]") { run_everywhere(send_several); }
TEST_CASE("a payload lands where the method's post rule says", "[chares][post_rule]") {
  run_everywhere(land_by_method);
}
TEST_CASE("a payload lands where the inbox's post rule says", "[chares][post_rule]") {
  run_everywhere(land_in_inboxes);
}
TEST_CASE("an entry gives a payload as its result", "[chares][post_rule]") { run_everywhere(give_back); }
TEST_CASE("payloads and kept messages follow a chare that moves", "[chares][post_rule]") {
  run_everywhere(move_meanwhile);
}
TEST_CASE("landings that do not fit are refused", "[chares][post_rule]") {
  CHECK(has(thrown<UsageError>([] { Scene({2, 1}).run(land_too_small); }), "does not fit the landing of 40000 bytes"));
  CHECK(has(thrown<UsageError>([] {
              Scene({2, 1}).run(land_too_small_locally);
            }),
            "does not fit the landing of 40000 bytes"));
  CHECK(has(thrown<UsageError>([] { Scene({2, 1}).run(land_too_few); }), "1 landings for 2 payloads"));
}

TEST_CASE("a chare does not leave while a payload is received into it", "[chares][post_rule]") {
  Scene scene({2, 1});
  static Proxy<Field> fields;
  scene.run([](Runtime& runtime) -> Task<> { fields = co_await runtime.create<Field>(2); });
  Network& network = scene.network();
  network.wire().hold([](const auto& parcel) { return parcel.kind == LoopbackNetwork::Kind::payload; });
  network.on(0, [](Pe&) {
    fields[1].send<&Field::put>(1, Payload<double>(ramp(5000, 1)));
    fields[1].send<&Field::go>(0u);
  });
  const auto is_here = [&](PeId pe) {
    return network.on(pe, [&](Pe& here) {
      return static_cast<ElementTable*>(here.collections().find(fields.id()))->find(1) != nullptr;
    });
  };
  network.run_until([] { return false; }, 2000);
  CHECK(is_here(1));
  network.wire().hold({});
  CHECK(network.run_until([&] { return is_here(0); }));
  scene.run([](Runtime&) -> Task<> {
    const int right = co_await count_right(fields);
    CHECK(right == 1);
  });
}

}  // namespace kaon::testing::landings
