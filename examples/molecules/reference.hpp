// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "examples/molecules/particles.hpp"

namespace molecules {

/// A digest of a particle: its number, position and velocity. Those of several add up, in any order.
inline std::uint64_t digest(const Particle& particle) {
  std::uint64_t hash = particle.id;
  for (const std::int64_t each : {particle.x, particle.y, particle.vx, particle.vy})
    hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x100000001b3u + (hash >> 31);
  return hash;
}

/// The digest that a run must reach, by one loop over all pairs, without cells.
inline std::uint64_t sequential_digest(const Box& box) {
  Particles particles;
  for (std::uint32_t id = 0; id < box.particles; ++id) particles.push_back(initial(box, id));
  for (int step = 0; step < box.steps; ++step) {
    std::vector<Force> forces(particles.size());
    for (std::size_t a = 0; a < particles.size(); ++a)
      for (std::size_t b = 0; b < particles.size(); ++b)
        if (a != b) add_force(box, particles[a], particles[b], forces[a]);
    for (std::size_t a = 0; a < particles.size(); ++a) move(box, particles[a], forces[a]);
  }
  std::uint64_t sum = 0;
  for (const Particle& each : particles) sum += digest(each);
  return sum;
}

}  // namespace molecules
