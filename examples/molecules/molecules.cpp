// SPDX-License-Identifier: Apache-2.0
// Particles that drift through a box of cells, each a chare. So work wanders from cell to cell, and now and then the
// cells are dealt to the PEs anew.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <kaon/kaon.hpp>

#include "examples/molecules/particles.hpp"
#include "examples/molecules/reference.hpp"

namespace molecules {

struct Parcel {
  int step;
  Particles particles;
};

using Outcome = std::array<std::uint64_t, 2>;  // a digest of particles, and how many they are

class Cell : public kaon::Chare<Cell> {
 public:
  kaon::Inbox<Parcel, &Parcel::step> neighbors;  // what is in the cells around
  kaon::Inbox<Parcel, &Parcel::step> arrivals;   // what has come over from them

  Cell() = default;
  Cell(const Box& box, int every) : box_(box), every_(every) {
    for (std::uint32_t id = 0; id < box.particles; ++id)
      if (const Particle particle = initial(box, id); cell_of(particle) == index()) particles_.push_back(particle);
  }
  template <class Archive>
  void pup(Archive& archive) {
    archive(neighbors, arrivals, box_, every_, step_, particles_);
  }

  kaon::Task<Outcome> run() {
    while (step_ < box_.steps) {
      each_neighbor([&](kaon::Element<Cell> to) { to.send<&Cell::neighbors>(Parcel{step_, particles_}); });
      std::vector<Force> forces(particles_.size());
      add_forces(forces, particles_);
      for (int i = 0; i < kNeighbors; ++i) {
        const Parcel parcel = co_await neighbors.when(step_);
        add_forces(forces, parcel.particles);
      }
      for (std::size_t i = 0; i < particles_.size(); ++i) move(box_, particles_[i], forces[i]);
      hand_over();
      for (int i = 0; i < kNeighbors; ++i) {
        const Parcel parcel = co_await arrivals.when(step_);
        particles_.insert(particles_.end(), parcel.particles.begin(), parcel.particles.end());
      }
      ++step_;
      if (every_ > 0 && step_ % every_ == 0) co_await rebalance<&Cell::run>();  // goes on here, or anew elsewhere
    }
    Outcome outcome{0, particles_.size()};
    for (const Particle& each : particles_) outcome[0] += digest(each);
    co_return outcome;
  }

 private:
  static constexpr int kNeighbors = 8;

  kaon::Index cell_of(const Particle& particle) const {
    return {static_cast<int>(particle.x / kUnit), static_cast<int>(particle.y / kUnit)};
  }
  template <class Visit>
  void each_neighbor(Visit visit) const {
    const kaon::Index here = index();
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        if (dx != 0 || dy != 0)
          visit(array()[{(here.x + dx + box_.width) % box_.width, (here.y + dy + box_.height) % box_.height}]);
  }
  void add_forces(std::vector<Force>& forces, const Particles& others) const {
    for (std::size_t i = 0; i < particles_.size(); ++i)
      for (const Particle& other : others)
        if (other.id != particles_[i].id) add_force(box_, particles_[i], other, forces[i]);
  }
  void hand_over() {
    const auto end = std::partition(particles_.begin(), particles_.end(),
                                    [this](const Particle& each) { return cell_of(each) == index(); });
    each_neighbor([&](kaon::Element<Cell> to) {
      Parcel parcel{step_, {}};
      std::copy_if(end, particles_.end(), std::back_inserter(parcel.particles),
                   [&](const Particle& each) { return cell_of(each) == to.index(); });
      to.send<&Cell::arrivals>(std::move(parcel));
    });
    particles_.erase(end, particles_.end());
  }

  Box box_;
  int every_ = 0, step_ = 0;
  Particles particles_;
};

struct Options {
  Box box;
  int every = 5;
  std::string strategy = "greedy";
  bool checks = false;
};

/// How even the work was between the steps of balancing: the busiest PE's over the mean.
double imbalance(const kaon::BalancingReport& report) {
  double most = 0, mean = 0;
  for (const kaon::BalanceStep& each : report.latest) {
    most += each.most_before;
    mean += each.mean_seconds;
  }
  return mean > 0 ? most / mean : 1;
}

const std::map<std::string, kaon::Strategy>& strategies_by_name() {
  namespace strategies = kaon::strategies;
  static const std::map<std::string, kaon::Strategy> all{{"none", strategies::none},
                                                         {"graph", strategies::graph},
                                                         {"greedy", strategies::greedy},
                                                         {"refine", strategies::refine},
                                                         {"rotate", strategies::rotate},
                                                         {"hierarchical", strategies::hierarchical},
                                                         {"gossip", strategies::gossip},
                                                         {"pays", strategies::when_it_pays(strategies::refine)},
                                                         {"automatic", strategies::automatic(strategies::refine)}};
  return all;
}

kaon::Task<int> simulate(kaon::Runtime& runtime, Options options) {
  const Box& box = options.box;
  const auto cells = co_await runtime.create<Cell>(kaon::Shape(box.width, box.height), box, options.every);
  co_await runtime.balance(cells, strategies_by_name().at(options.strategy));
  const auto start = std::chrono::steady_clock::now();
  const auto [digest, particles] = co_await cells.call_all<&Cell::run>(kaon::sum);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%u particles, %d steps, %s on %u PEs: %.3f s, busiest PE %.3f of the mean, digest %016llx\n",
              box.particles, box.steps, options.strategy.c_str(), runtime.pes(), seconds,
              imbalance(runtime.balancing_report(cells)), static_cast<unsigned long long>(digest));
  if (particles != box.particles) {
    std::printf("wrong: %llu particles are left\n", static_cast<unsigned long long>(particles));
    co_return 1;
  }
  if (!options.checks) co_return 0;
  const std::uint64_t expected = sequential_digest(box);
  if (expected != digest)
    std::printf("wrong: one loop over all pairs gives %016llx\n", static_cast<unsigned long long>(expected));
  co_return expected == digest ? 0 : 1;
}

kaon::Task<int> molecules_main(kaon::Runtime& runtime, std::vector<std::string> arguments) {
  Options options;
  CLI::App app("Particles drift through a box of cells, which are dealt to the PEs anew now and then.");
  app.add_option("--width", options.box.width, "cells")->check(CLI::Range(3, 1000))->capture_default_str();
  app.add_option("--height", options.box.height, "cells")->check(CLI::Range(3, 1000))->capture_default_str();
  app.add_option("--particles", options.box.particles, "how many")->capture_default_str();
  app.add_option("--steps", options.box.steps, "of time")->check(CLI::Range(1, 1000000))->capture_default_str();
  app.add_option("--every", options.every, "steps from one balancing to the next; 0: never")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--strategy", options.strategy,
                 "none, greedy, refine, rotate, hierarchical, graph, gossip, pays or automatic")
      ->check(CLI::IsMember(strategies_by_name()))
      ->capture_default_str();
  app.add_flag("--check", options.checks, "compares with one loop over all pairs");
  app.footer(kaon::options_help());
  if (const auto code = kaon::parse(app, std::move(arguments))) co_return *code;
  co_return co_await simulate(runtime, options);
}

}  // namespace molecules

int main(int argc, char** argv) { return kaon::run(argc, argv, molecules::molecules_main); }
