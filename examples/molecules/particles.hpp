// SPDX-License-Identifier: Apache-2.0
// Soft disks in a periodic box, in whole numbers: sums of forces are the same in any order, so that the digits of a run
// do not depend on who computes what when.
#pragma once
#include <cstdint>
#include <vector>

namespace molecules {

inline constexpr std::int64_t kUnit = std::int64_t{1} << 20;  // the side of a cell, and how far forces reach

struct Particle {
  std::uint32_t id = 0;
  std::int64_t x = 0, y = 0;    // of kUnit
  std::int64_t vx = 0, vy = 0;  // per step
};
using Particles = std::vector<Particle>;

struct Force {
  std::int64_t x = 0, y = 0;
};

struct Box {
  int width = 12, height = 12;  // in cells
  std::uint32_t particles = 10000;
  int steps = 100;

  std::int64_t wide() const { return width * kUnit; }
  std::int64_t high() const { return height * kUnit; }
};

inline std::int64_t into(std::int64_t position, std::int64_t size) { return (position % size + size) % size; }
inline std::int64_t nearest(std::int64_t distance, std::int64_t size) {
  if (distance > size / 2) return distance - size;
  return distance < -size / 2 ? distance + size : distance;
}

/// Adds what b does to a: a push that grows towards its middle. Each of a pair computes its own, the same but for sign.
inline void add_force(const Box& box, const Particle& a, const Particle& b, Force& force) {
  const std::int64_t dx = nearest(a.x - b.x, box.wide()), dy = nearest(a.y - b.y, box.high());
  const std::int64_t left = kUnit - (dx * dx + dy * dy) / kUnit;
  if (left <= 0) return;
  force.x += dx * left / kUnit;
  force.y += dy * left / kUnit;
}

inline void move(const Box& box, Particle& particle, const Force& force) {
  constexpr std::int64_t kMost = kUnit / 4;  // so that none passes over a cell
  const auto limited = [](std::int64_t speed) { return speed > kMost ? kMost : speed < -kMost ? -kMost : speed; };
  particle.vx = limited(particle.vx + force.x / 65536);
  particle.vy = limited(particle.vy + force.y / 65536);
  particle.x = into(particle.x + particle.vx, box.wide());
  particle.y = into(particle.y + particle.vy, box.high());
}

/// All in the first quarter of the box, drifting so that they cross it once in a run.
inline Particle initial(const Box& box, std::uint32_t id) {
  std::uint64_t state = id * 0x9e3779b97f4a7c15u + 1;
  const auto random = [&state](std::int64_t below) {
    state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u;
    return static_cast<std::int64_t>((state >> 16) % static_cast<std::uint64_t>(below));
  };
  const std::int64_t x = random(box.wide() / 4), y = random(box.high());
  const std::int64_t drift = box.wide() / (box.steps + 1);
  return {id, x, y, drift + random(kUnit / 256), random(kUnit / 128) - kUnit / 256};
}

}  // namespace molecules
