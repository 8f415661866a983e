# SPDX-License-Identifier: Apache-2.0
import pathlib
import tempfile
import unittest

from classes import MOST, classes_of, tree_faults

HEADER = """
namespace kaon {

/// void in_a_comment();
class First : public Base {
 public:
  First();
  explicit First(int);
  ~First() override;
  bool operator==(const First&) const = default;
  void one();
  void one(int overloaded);
  [[nodiscard]] std::vector<std::pair<int, int>> two() const { return {}; }
  template <class F>
  auto three(F&& f) -> decltype(f(1));
  static First four(
      int a_long_argument);
  std::function<void(int)> no_function;
  int no_function_either = f(3);
  using Call = void (*)(int);
  friend void not_of_it(int);

  struct Inner {
    int five();
    void six() {
      if (five()) return;
      call(7);
    }
  };
  void seven() {
    call();
  }

 protected:
  void hidden();

 private:
  void hidden_too();
};

struct Second {
  void eight();

 private:
  void hidden();
};

enum class Third { a, b };

}  // namespace kaon
"""


def names():
    return {name: functions for name, functions in classes_of(HEADER.splitlines())}


class Classes(unittest.TestCase):
    def test_public_functions_are_counted_once_each_and_nothing_else_is(self):
        self.assertEqual(names(), {"First": {"one", "two", "three", "four", "seven"}, "Inner": {"five", "six"},
                                   "Second": {"eight"}})

    def faults(self, count, name="Large"):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "runtime" / "large.hpp"
            header.parent.mkdir()
            functions = "".join(f"  void f{i}();\n" for i in range(count))
            header.write_text(f"class {name} {{\n public:\n{functions}}};\n")
            return list(tree_faults(pathlib.Path(folder)))

    def test_one_that_is_too_large_is_named_with_its_place(self):
        self.assertEqual(self.faults(MOST), [])
        self.assertIn("runtime/large.hpp: Large has 26 public functions", self.faults(MOST + 1)[0])

    def test_interfaces_to_a_vendor_may_have_more(self):
        self.assertEqual(self.faults(45, "Driver"), [])
        self.assertEqual(len(self.faults(46, "Driver")), 1)


if __name__ == "__main__":
    unittest.main()
