// The entries for Python: ctypes over the C functions, on NumPy arrays where they lie.
#include "backends/kokkos/emit/interface.hpp"
#include "backends/kokkos/emit/text.hpp"
#include "engine/onf/print.hpp"

namespace rhopsi::kokkos {

namespace {

std::string numpy_type(onf::Scalar scalar) {
  return scalar == onf::Scalar::boolean ? "numpy.bool_" : "numpy." + onf::to_string(scalar);
}

std::string ctypes_type(onf::Scalar scalar) {
  switch (scalar) {
    case onf::Scalar::boolean:
      return "ctypes.c_bool";
    case onf::Scalar::int32:
      return "ctypes.c_int32";
    case onf::Scalar::int64:
      return "ctypes.c_int64";
    case onf::Scalar::float32:
      return "ctypes.c_float";
    case onf::Scalar::float64:
      break;
  }
  return "ctypes.c_double";
}

// Lines of Python: four columns for each level, and never wrapped.
class Lines {
 public:
  void line(const std::string& text) {
    text_ += (text.empty() ? "" : std::string(std::size_t(depth) * 4, ' ')) + text + "\n";
  }
  int depth = 0;
  const std::string& str() const { return text_; }

 private:
  std::string text_;
};

const char* const support = R"(

class Error(Exception):
    """What a call met: `code` is its code, as "E0611"."""

    def __init__(self, code, message):
        super().__init__("%s: %s" % (code, message))
        self.code = code


class _Array(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("axes", ctypes.c_int),
        ("extents", ctypes.c_int64 * 6),
    ]


def _find_library():
    folder = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get(_VARIABLE)
    places = [named] if named else [os.path.join(folder, at, _FILE) for at in ("", "build")]
    for place in places:
        if os.path.exists(place):
            return ctypes.CDLL(place)
    raise ImportError(
        "no %s in %s: build the target %s, or name the file in %s"
        % (_FILE, " or ".join(places), _TARGET, _VARIABLE)
    )


def _check(status):
    if status != 0:
        raise Error(_error_code().decode(), _error().decode())


def _given(name, array, dtype, axes, written):
    """The words of the C function for an array that is used where it lies."""
    if not isinstance(array, numpy.ndarray):
        raise TypeError("%s: a NumPy array is needed, not %s" % (name, type(array).__name__))
    if array.dtype != dtype:
        raise TypeError(
            "%s has elements of %s, not %s: convert it by astype" % (name, array.dtype, numpy.dtype(dtype))
        )
    if array.ndim != axes:
        raise ValueError("%s has %d axes, not %d" % (name, array.ndim, axes))
    if written and not array.flags.writeable:
        raise ValueError("%s is set by the call, and may not be written" % name)
    if any(stride % array.itemsize for stride in array.strides):
        raise ValueError("%s has strides that are no multiples of its elements" % name)
    numbers = ctypes.c_int64 * max(axes, 1)
    return (
        ctypes.c_void_p(array.ctypes.data),
        numbers(*array.shape),
        numbers(*(stride // array.itemsize for stride in array.strides)),
    )


def _integer(name, value, kind):
    made = kind(value)
    if made.value != value:
        raise OverflowError("%s: %d is too large" % (name, value))
    return made


def _taken(handle, dtype):
    """An array that the call has made, in its own memory; freed with the last that refers to it."""
    made = handle.contents
    shape = tuple(made.extents[: made.axes])
    dtype = numpy.dtype(dtype)
    count = 1
    for length in shape:
        count *= length
    if count == 0:
        _free(handle)
        return numpy.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(made.data)
    # What is alive when Python ends stays: whoever still runs may read it.
    weakref.finalize(memory, _free, handle).atexit = False
    return numpy.frombuffer(memory, dtype).reshape(shape)


_library = _find_library()
)";

std::string word(bool value) { return value ? "True" : "False"; }

// Scalars that a call sets and arrays that it makes are returned, and not taken.
bool is_taken(const EntrySlot& slot) {
  if (slot.result || slot.made()) return false;
  return slot.array() || slot.mode != term::Mode::out;
}

class Module {
 public:
  explicit Module(const Interface& program) : program_(program), name_(program.names->program) {}

  File text() {
    head();
    for (const InterfaceEntry& entry : program_.entries) function(entry);
    return {module_name(program_) + ".py", out_.str()};
  }

 private:
  void head() {
    out_.line("\"\"\"The functions of " + program_.module->name +
              " on NumPy arrays, which are used where they lie.");
    out_.line("");
    out_.line("Emitted from its specification: edit that instead. One call runs at a time.");
    out_.line("\"\"\"");
    out_.line("import ctypes");
    out_.line("import os");
    out_.line("import weakref");
    out_.line("");
    out_.line("import numpy");
    out_.line("");
    out_.line("_FILE = \"lib" + program_.library() + ".so\"");
    out_.line("_TARGET = \"" + name_ + "_python\"");
    out_.line("_VARIABLE = \"" + name_ + "_LIBRARY\"");
    out_.line(support);
    declare("error", "ctypes.c_char_p", "");
    declare("error_code", "ctypes.c_char_p", "");
    declare("free", "None", "ctypes.POINTER(_Array)");
    if (program_.has_parameters()) parameters();
  }

  void declare(const std::string& function, const std::string& result,
               const std::string& arguments) {
    out_.line("_" + function + " = _library." + name_ + "_" + function);
    out_.line("_" + function + ".restype = " + result);
    out_.line("_" + function + ".argtypes = [" + arguments + "]");
  }

  void parameters() {
    out_.line("");
    out_.line("");
    out_.line("class Parameters(ctypes.Structure):");
    ++out_.depth;
    out_.line("\"\"\"The parameters of the program: all of them have to be set.\"\"\"");
    out_.line("");
    out_.line("_fields_ = [");
    std::string names;
    for (std::size_t k = 0; k < program_.names->parameters.size(); ++k) {
      const std::string name = python_word(program_.names->parameters[k]);
      out_.line("    (\"" + name + "\", " + ctypes_type(program_.module->parameters[k].type) +
                "),");
      names += ", " + name;
    }
    out_.line("]");
    out_.line("");
    out_.line("def __init__(self" + names + "):");
    out_.line("    super().__init__(" + names.substr(2) + ")");
    --out_.depth;
  }

  void function(const InterfaceEntry& entry) {
    out_.line("");
    out_.line("");
    std::string taken = program_.has_parameters() ? "parameters" : "";
    for (const auto& [name, slot, slots] : entry.arguments)
      if (is_taken(slot)) add(taken, name);
    out_.line("def " + entry.name + "(" + taken + "):");
    ++out_.depth;
    const auto lines = documentation(program_, entry);
    out_.line("\"\"\"" + lines.front() + (lines.size() == 1 ? "\"\"\"" : ""));
    if (lines.size() > 1) out_.line("");
    for (std::size_t k = 1; k < lines.size(); ++k) out_.line(lines[k]);
    if (lines.size() > 1) out_.line("\"\"\"");
    std::string passed = program_.has_parameters() ? "ctypes.byref(parameters)" : "";
    std::string returned;
    const InterfaceArgument* const first = tells_domain(program_, entry);
    for (const auto& [name, slot, slots] : entry.arguments)
      argument(slot, name, passed, returned, first);
    out_.line("_check(_library." + name_ + "_" + entry.name + "(" + passed + "))");
    if (!returned.empty()) out_.line("return " + returned);
    --out_.depth;
  }

  // Integers that do not fit are refused: ctypes would cut them off.
  static std::string scalar(const EntrySlot& slot, const std::string& name) {
    const std::string type = ctypes_type(slot.type.scalar);
    const bool whole =
        slot.type.scalar == onf::Scalar::int32 || slot.type.scalar == onf::Scalar::int64;
    return whole ? "_integer(\"" + name + "\", " + name + ", " + type + ")"
                 : type + "(" + name + ")";
  }
  static void add(std::string& list, const std::string& more) {
    list += (list.empty() ? "" : ", ") + more;
  }
  // The lengths of the domain, by the array that tells them.
  std::vector<std::string> lengths_by(const InterfaceArgument& first) const {
    const onf::Module& module = *program_.module;
    std::vector<std::string> lengths(static_cast<std::size_t>(module.rank));
    const auto length = [&](std::size_t axis) {
      return first.name + ".shape[" + std::to_string(axis) + "]";
    };
    const std::vector<std::int64_t> less = first.slot.callers_less(module);
    for (std::size_t a = 0; !first.slot.window && a < lengths.size(); ++a)
      lengths[a] =
          length(a) + (less.empty() || less[a] == 0 ? "" : " + " + std::to_string(less[a]));
    for (std::size_t k = 0; first.slot.window && k < first.slot.window->axes.size(); ++k) {
      const auto& of = first.slot.window->axes[k].of;
      if (of) lengths[onf::given_axis(module.axes, *of)] = length(k);
    }
    return lengths;
  }
  // Of a result, where that array tells the lengths of the domain.
  std::string shape_of(const EntrySlot& slot, const InterfaceArgument& first) const {
    if (slot.less.empty() && first.slot.whole()) return first.name + ".shape";
    std::string shape;
    const std::vector<std::string> lengths = lengths_by(first);
    const std::vector<std::int64_t> less = slot.callers_less(*program_.module);
    for (std::size_t a = 0; a < lengths.size(); ++a) {
      shape += less.empty() ? lengths[a]
                            : "max(" + lengths[a] + " - " + std::to_string(less[a]) + ", 0)";
      if (a + 1 < lengths.size() || a == 0) shape += ", ";
    }
    if (lengths.size() > 1) return "(" + shape + ")";
    return "(" + shape.substr(0, shape.size() - 1) + ")";
  }

  void argument(const EntrySlot& slot, const std::string& name, std::string& passed,
                std::string& returned, const InterfaceArgument* first) {
    const bool read = slot.mode == term::Mode::obs;
    const std::string dtype = numpy_type(slot.type.scalar);
    if (slot.made()) {
      out_.line(name + " = ctypes.POINTER(_Array)()");
      add(passed, "ctypes.byref(" + name + ")");
      add(returned, "_taken(" + name + ", " + dtype + ")");
    } else if (slot.array()) {
      if (slot.result) {
        out_.line(name + " = numpy.empty(" + (first == nullptr ? "()" : shape_of(slot, *first)) +
                  ", " + dtype + ")");
        add(returned, name);
      }
      add(passed, "*_given(\"" + name + "\", " + name + ", " + dtype + ", " +
                      std::to_string(axes(program_, slot)) + ", " + word(!read) + ")");
    } else if (read) {
      add(passed, scalar(slot, name));
    } else {
      out_.line(name + " = " + ctypes_type(slot.type.scalar) + "(" + (is_taken(slot) ? name : "") +
                ")");
      add(passed, "ctypes.byref(" + name + ")");
      add(returned, name + ".value");
    }
  }

  const Interface& program_;
  const std::string& name_;
  Lines out_;
};

std::string shape_text(const Interface& program, const EntrySlot& slot) {
  std::string lengths;
  for (const std::int64_t length : sample_shape(program, slot))
    lengths += std::to_string(length) + ", ";
  return "(" + (lengths.empty() ? "" : lengths.substr(0, lengths.size() - 1)) + ")";
}

File example(const Interface& program) {
  Lines out;
  const std::string name = module_name(program);
  out.line("\"\"\"Calls " + program.module->name +
           " from Python. Lengths and values are examples: put yours.\"\"\"");
  out.line("import numpy");
  out.line("");
  out.line("import " + name);
  out.line("");
  const InterfaceEntry* const entry = shown_entry(program);
  if (entry == nullptr) return {"example.py", out.str()};
  std::string passed, returned, printed;
  const auto add = [](std::string& list, const std::string& more) {
    list += (list.empty() ? "" : ", ") + more;
  };
  if (program.has_parameters()) {
    std::string values;
    for (std::size_t k = 0; k < program.names->parameters.size(); ++k)
      add(values, python_word(program.names->parameters[k]) + "=" +
                      sample_value(program.module->parameters[k].type, "True"));
    out.line("parameters = " + name + ".Parameters(" + values + ")");
    passed = "parameters";
  }
  for (const auto& [argument, slot, slots] : entry->arguments) {
    const bool comes_back =
        slot.result || slot.made() || (!slot.array() && slot.mode != term::Mode::obs);
    if (is_taken(slot) && slot.array()) {
      out.line(argument + " = numpy.arange(numpy.prod(" + shape_text(program, slot) + "), dtype=" +
               numpy_type(slot.type.scalar) + ").reshape(" + shape_text(program, slot) + ")");
    } else if (is_taken(slot)) {
      out.line(argument + " = " + sample_value(slot.type.scalar, "True"));
    }
    if (is_taken(slot)) add(passed, argument);
    if (comes_back) add(returned, argument);
    if (slot.mode != term::Mode::obs) add(printed, argument);
  }
  out.line((returned.empty() ? "" : returned + " = ") + name + "." + entry->name + "(" + passed +
           ")");
  if (!printed.empty()) out.line("print(" + printed + ")");
  return {"example.py", out.str()};
}

}  // namespace

std::vector<File> python_files(const Interface& program) {
  return {Module(program).text(), example(program)};
}

}  // namespace rhopsi::kokkos
