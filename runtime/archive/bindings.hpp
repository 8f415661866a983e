// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kaon/runtime/base/namespaces.hpp"

namespace kaon::runtime::archive {

template <class... T>
struct Types {};

// What is seen of members where one is a bit-field, to which nothing can refer.
struct BitFields {};
template <class... T>
void refer(T&...);

// C++20 cannot spell "bind all members" for a number it computes, so each number has its lines. The declared types go
// along because a reference bound to a member no longer tells whether the member was a reference itself.
inline constexpr std::size_t kMostFields = 32;

template <std::size_t Count>
struct Bindings;

// clang-format off
template <> struct Bindings<0> { template <class T, class Visit> static constexpr auto visit(T&, Visit&& visit) {
    return visit(Types<>{});
}};
template <> struct Bindings<1> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a] = value;
    if constexpr (!requires { archive::refer(a); }) return visit(BitFields{});
    else return visit(Types<decltype(a)>{}, a);
}};
template <> struct Bindings<2> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b] = value;
    if constexpr (!requires { archive::refer(a, b); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b)>{}, a, b);
}};
template <> struct Bindings<3> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c] = value;
    if constexpr (!requires { archive::refer(a, b, c); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c)>{}, a, b, c);
}};
template <> struct Bindings<4> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d] = value;
    if constexpr (!requires { archive::refer(a, b, c, d); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d)>{}, a, b, c, d);
}};
template <> struct Bindings<5> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e)>{}, a, b, c, d, e);
}};
template <> struct Bindings<6> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f)>{}, a, b, c, d, e, f);
}};
template <> struct Bindings<7> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g)>{}, a, b, c, d, e, f,
        g);
}};
template <> struct Bindings<8> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h)>{}, a, b,
        c, d, e, f, g, h);
}};
template <> struct Bindings<9> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i)>{}, a, b, c, d, e, f, g, h, i);
}};
template <> struct Bindings<10> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j)>{}, a, b, c, d, e, f, g, h, i, j);
}};
template <> struct Bindings<11> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k)>{}, a, b, c, d, e, f, g, h, i, j, k);
}};
template <> struct Bindings<12> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l)>{}, a, b, c, d, e, f, g, h, i, j, k, l);
}};
template <> struct Bindings<13> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m);
}};
template <> struct Bindings<14> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n);
}};
template <> struct Bindings<15> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m,
        n, o);
}};
template <> struct Bindings<16> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p)>{}, a, b, c, d, e, f, g, h,
        i, j, k, l, m, n, o, p);
}};
template <> struct Bindings<17> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q)>{}, a, b, c, d,
        e, f, g, h, i, j, k, l, m, n, o, p, q);
}};
template <> struct Bindings<18> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r)>{},
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
}};
template <> struct Bindings<19> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
}};
template <> struct Bindings<20> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
}};
template <> struct Bindings<21> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
}};
template <> struct Bindings<22> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
}};
template <> struct Bindings<23> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u,
        v, w);
}};
template <> struct Bindings<24> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q,
        r, s, t, u, v, w, x);
}};
template <> struct Bindings<25> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m,
        n, o, p, q, r, s, t, u, v, w, x, y);
}};
template <> struct Bindings<26> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z)>{}, a, b, c, d, e, f, g, h,
        i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z);
}};
template <> struct Bindings<27> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A)>{}, a, b, c, d,
        e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A);
}};
template <> struct Bindings<28> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B); }) return
        visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A), decltype(B)>{},
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B);
}};
template <> struct Bindings<29> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C); })
        return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A), decltype(B),
        decltype(C)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C);
}};
template <> struct Bindings<30> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D); })
        return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A), decltype(B),
        decltype(C), decltype(D)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D);
}};
template <> struct Bindings<31> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E);
        }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A), decltype(B),
        decltype(C), decltype(D), decltype(E)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D,
        E);
}};
template <> struct Bindings<32> { template <class T, class Visit> static constexpr auto visit(T& value, Visit&& visit) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E, F] = value;
    if constexpr (!requires { archive::refer(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, A, B, C, D, E,
        F); }) return visit(BitFields{});
    else return visit(Types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g), decltype(h),
        decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n), decltype(o), decltype(p), decltype(q), decltype(r),
        decltype(s), decltype(t), decltype(u), decltype(v), decltype(w), decltype(x), decltype(y), decltype(z), decltype(A), decltype(B),
        decltype(C), decltype(D), decltype(E), decltype(F)>{}, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
        A, B, C, D, E, F);
}};
// clang-format on

}  // namespace kaon::runtime::archive
