// The user's side of matrix_chain.mg: integer matrices in plain C++.
//
// `external C++ lib.int_matrices` means: include lib.hpp, use struct int_matrices. The
// types and operations of the block are its members; what the block requires are its
// template parameters, here the integer type in which results are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

template <class Int>
struct int_matrices {
  using Nat = std::uint64_t;

  // Row-major; `multiplications` is how many scalar multiplications it took to make.
  struct IntMatrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<std::int64_t> elements;
    Nat multiplications = 0;
  };

  bool lhsNcolsIsRhsNrows(const IntMatrix& m1, const IntMatrix& m2) const {
    return m1.columns == m2.rows;
  }

  IntMatrix binary_mul(const IntMatrix& m1, const IntMatrix& m2) const {
    IntMatrix product{m1.rows, m2.columns,
                      std::vector<std::int64_t>(m1.rows * m2.columns),
                      m1.multiplications + m2.multiplications};
    for (std::size_t i = 0; i < m1.rows; ++i) {
      for (std::size_t k = 0; k < m1.columns; ++k) {
        for (std::size_t j = 0; j < m2.columns; ++j) {
          product.elements[i * m2.columns + j] +=
              m1.elements[i * m1.columns + k] * m2.elements[k * m2.columns + j];
          ++product.multiplications;
        }
      }
    }
    return product;
  }

  IntMatrix first() const { return filled(100, 2); }
  IntMatrix second() const { return filled(2, 20); }
  IntMatrix third() const { return filled(20, 90); }

  Int multiplications(const IntMatrix& product) const {
    return static_cast<Int>(product.multiplications);
  }

  // The sum of all elements: equal products have equal checksums.
  Int checksum(const IntMatrix& m) const {
    std::int64_t sum = 0;
    for (std::size_t p = 0; p < m.elements.size(); ++p) {
      sum += static_cast<std::int64_t>(p % 7 + 1) * m.elements[p];
    }
    return static_cast<Int>(sum);
  }

 private:
  static IntMatrix filled(std::size_t rows, std::size_t columns) {
    IntMatrix m{rows, columns, std::vector<std::int64_t>(rows * columns), 0};
    for (std::size_t p = 0; p < m.elements.size(); ++p) {
      m.elements[p] = static_cast<std::int64_t>(p * 7 % 11) - 3;
    }
    return m;
  }
};
