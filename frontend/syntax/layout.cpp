#include "frontend/syntax/layout.hpp"

#include <algorithm>
#include <utility>

namespace rhopsi::syntax {

Layout::Doc Layout::add(Node node) {
  nodes_.push_back(node);
  return static_cast<Doc>(nodes_.size() - 1);
}

Layout::Doc Layout::text(std::string text) {
  Node node{Kind::text};
  node.first = static_cast<std::uint32_t>(texts_.size());
  // Columns, as far as layout is concerned: bytes that begin a character.
  node.width = static_cast<std::uint32_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
  texts_.push_back(std::move(text));
  return add(node);
}

Layout::Doc Layout::concat(std::vector<Doc> parts) {
  Node node{Kind::concat};
  node.first = static_cast<std::uint32_t>(parts_.size());
  node.count = static_cast<std::uint32_t>(parts.size());
  for (Doc part : parts) {
    node.width = std::min(node.width + nodes_[part].width, endless);
    parts_.push_back(part);
  }
  return add(node);
}

Layout::Doc Layout::space() {
  Node node{Kind::space};
  node.width = 1;
  return add(node);
}

Layout::Doc Layout::soft() { return add(Node{Kind::soft}); }

Layout::Doc Layout::hard_line() {
  Node node{Kind::hard_line};
  node.width = endless;
  return add(node);
}

Layout::Doc Layout::indent(int columns, Doc inner) {
  Node node{Kind::indent};
  node.columns = columns;
  node.width = nodes_[inner].width;
  node.first = inner;
  return add(node);
}

Layout::Doc Layout::group(Doc inner) {
  Node node{Kind::group};
  node.width = nodes_[inner].width;
  node.first = inner;
  return add(node);
}

Layout::Doc Layout::next(bool blank, Doc member) {
  return group(concat({blank ? space() : soft(), group(member)}));
}

std::string Layout::render(Doc root, unsigned width) const {
  struct Item {
    Doc doc;
    int indentation;
    bool flat;
    std::uint32_t trailing;  // columns that must follow on the same line
  };
  std::string out;
  std::uint32_t column = 0;
  std::vector<Item> pending{{root, 0, false, 0}};
  // What is nested deeper than a line is wide stands no further to the right: the text would
  // grow with the square of the depth.
  const auto end_line = [&](int wanted) {
    const int indentation = std::min(wanted, static_cast<int>(width));
    while (!out.empty() && out.back() == ' ') out.pop_back();
    out += '\n';
    out.append(static_cast<std::size_t>(indentation), ' ');
    column = static_cast<std::uint32_t>(indentation);
  };
  while (!pending.empty()) {
    const Item item = pending.back();
    pending.pop_back();
    const Node& node = nodes_[item.doc];
    switch (node.kind) {
      case Kind::text:
        out += texts_[node.first];
        column += node.width;
        break;
      case Kind::space:
      case Kind::soft:
        if (!item.flat) {
          end_line(item.indentation);
        } else if (node.kind == Kind::space) {
          out += ' ';
          ++column;
        }
        break;
      case Kind::hard_line:
        end_line(item.indentation);
        break;
      case Kind::indent:
        pending.push_back({node.first, item.indentation + node.columns, item.flat, item.trailing});
        break;
      case Kind::group: {
        const bool fits = item.flat || column + node.width + item.trailing <= width;
        pending.push_back({node.first, item.indentation, fits, item.trailing});
        break;
      }
      case Kind::concat: {
        // A text directly after a part, such as `;`, shares the part's last line.
        std::uint32_t trailing = item.trailing;
        for (std::uint32_t i = node.count; i-- > 0;) {
          const Doc part = parts_[node.first + i];
          pending.push_back({part, item.indentation, item.flat, trailing});
          const Node& inner = nodes_[part];
          if (inner.kind == Kind::text) {
            trailing += inner.width;
          } else if (inner.width > 0 || inner.kind == Kind::soft) {
            trailing = 0;
          }
        }
        break;
      }
    }
  }
  return out;
}

}  // namespace rhopsi::syntax
