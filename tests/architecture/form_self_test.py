# SPDX-License-Identifier: Apache-2.0
"""form.py must find each kind of fault, and nothing in a source without any."""
import unittest

import form


def function_of(lines, before="void run(int count) {", after="}"):
    return "namespace kaon {\n\n" + "\n".join([before] + ["  ++count;"] * lines + [after]) + "\n\n}  // namespace kaon\n"


class Form(unittest.TestCase):
    def faults(self, text):
        return "\n".join(form.file_faults("a.cpp", text))

    def test_forty_lines_are_a_function_and_one_more_is_a_fault(self):
        self.assertEqual(self.faults(function_of(40)), "")
        self.assertIn("a.cpp:3: a function of 41 lines", self.faults(function_of(41)))

    def test_every_kind_of_function_is_measured(self):
        for before in ('TEST_CASE("what a struct { does", "[a]") {', "    : first_(first), second_{second} {",
                       "template <class T> void run(const T& value) noexcept {", "auto run() -> Other {",
                       "kaon::Task<int> run(std::string text = \"class\") {", "Outer::~Outer() {",
                       "consteval bool check() {", "bool operator==(const T& a) const requires Same<T> {"):
            self.assertIn("a function of 41 lines", self.faults(function_of(41, before)), before)

    def test_a_list_of_sentences_may_be_longer(self):
        self.assertEqual(self.faults(function_of(50, "consteval bool refuse() {")), "")
        self.assertIn("a function of 51 lines", self.faults(function_of(51, "consteval bool refuse() {")))

    def test_types_and_values_are_no_functions(self):
        for before in ("class Holder {", "struct Holder final : public Base {", "template <class T> struct Holder {",
                       "enum class Kind : int {", "constexpr int kTable[] = {", "union Word {", 'extern "C" {'):
            self.assertEqual(self.faults(function_of(60, before, "};")), "", before)

    def test_functions_in_a_class_are_measured_one_by_one(self):
        inside = "class Holder {\n  int a{1};\n" + function_of(30, "void run() {") * 2 + "};\n"
        self.assertEqual(self.faults(inside), "")

    def test_braces_in_strings_and_comments_do_not_count(self):
        self.assertEqual(self.faults(function_of(30, 'void run() { call("{{", \'{\');  // {')
                                     + function_of(30, 'const char* text() { return R"(\n{\n)";')), "")

    def test_other_dialects_of_comments_are_a_fault(self):
        for line in ("/** Says so. */", "//! Says so.", "int a;  //!< Says so."):
            self.assertIn("a.cpp:1: what describes", self.faults(line + "\n"))
        for line in ("/// Says so.", "// Says so.", 'const char* kText = "/** //! ";', "/* a part */"):
            self.assertEqual(self.faults(line + "\n"), "")

    def test_nothing_is_awaited_within_a_check(self):
        for line in "CHECK(co_await one == 5);", "REQUIRE_THAT((co_await one).text, is(3));", "CHECK_FALSE(co_await one);":
            self.assertIn("awaits more than once", self.faults(line + "\n"), line)
        for line in ("CHECK_AWAITED(one, 5);", "CHECK(x); co_await y;", "CHECK_THROWS_AS(co_await one, Error);",
                     'CHECK(has(text, "co_await"));', "CHECK(value.operator co_await());"):
            self.assertEqual(self.faults(line + "\n"), "", line)

    def test_tests_of_threads_say_so(self):
        silent = "#include <thread>\n"
        self.assertIn("has threads", "\n".join(form.file_faults("tests/runtime/a_test.cpp", silent)))
        self.assertEqual(list(form.file_faults("tests/runtime/a_test.cpp", "// threads: two\n" + silent)), [])
        self.assertIn("has threads", "\n".join(form.file_faults("tests/ampi_shim/ranks/a_test.cpp", silent)))
        for other in "tests/machine_ucx/a_test.cpp", "tests/ampi_shim/program/a_test.cpp":
            self.assertEqual(list(form.file_faults(other, silent)), [])


if __name__ == "__main__":
    unittest.main()
