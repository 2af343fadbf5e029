// The command line of the sample program.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "sample.hpp"

namespace rhopsi::kokkos::test {
namespace {

class Driver : public testing::Test {
 protected:
  void SetUp() override {
    u = write_random(folder / "u.npy", shape, 1);
    source = write_random(folder / "source.npy", shape, 2);
  }

  std::vector<std::string> step(std::vector<std::string> more) const {
    std::vector<std::string> words{"--entry", "step",
                                   "--set",   "dt=0.25",
                                   "--set",   "nu=0.5",
                                   "--set",   "count=0",
                                   "--in",    "u=" + (folder / "u.npy"),
                                   "--in",    "source=" + (folder / "source.npy")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // The reference: the same order of operations, every neighbour by a mod.
  std::vector<float> expected(int steps) const {
    std::vector<float> now = u, next = u;
    const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      const auto wrapped = [](std::int64_t a, std::int64_t n) { return (a + n) % n; };
      return now[static_cast<std::size_t>((wrapped(i, shape[0]) * shape[1] + wrapped(j, shape[1])) *
                                              shape[2] +
                                          wrapped(k, shape[2]))];
    };
    const float scale = 0.25F * 0.5F;
    for (int s = 0; s < steps; ++s, now = next) {
      std::size_t p = 0;
      for (std::int64_t i = 0; i < shape[0]; ++i)
        for (std::int64_t j = 0; j < shape[1]; ++j)
          for (std::int64_t k = 0; k < shape[2]; ++k, ++p)
            next[p] = now[p] + source[p] +
                      scale * (at(i + 1, j, k) + at(i - 1, j, k) + at(i, j + 1, k) +
                               at(i, j - 1, k) + at(i, j, k + 1) + at(i, j, k - 1) - 6.0F * now[p]);
    }
    return now;
  }

  std::vector<float> read(const std::string& name) const {
    return io::read_npy<float>(folder / name).data;
  }

  void refused(const std::vector<std::string>& arguments, const std::string& why,
               const std::string& code = "E0") const {
    const Outcome outcome = run_sample(arguments);
    EXPECT_EQ(outcome.status, 1) << why;
    EXPECT_EQ(outcome.errors.rfind("error[" + code, 0), 0U) << outcome.errors;
    EXPECT_NE(outcome.errors.find(why), std::string::npos) << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }

  Folder folder;
  std::vector<std::int64_t> shape{5, 7, 70};
  std::vector<float> u, source;
};

TEST_F(Driver, StepsAreThoseOfPlainLoops) {
  const std::string out = folder / "out.npy";
  const Outcome outcome = run_sample(step({"--repeat", "10", "--out", "u=" + out, "--every", "5"}));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "count: 10\n");
  EXPECT_NE(outcome.errors.find("10 steps, median"), std::string::npos) << outcome.errors;
  EXPECT_EQ(read("out.npy"), expected(10));
  EXPECT_EQ(read("out-5.npy"), expected(5));
  EXPECT_EQ(read("out-10.npy"), expected(10));
}

TEST_F(Driver, ResultsAndJson) {
  const Outcome total = run_sample({"--entry=total", "--set=dt=1", "--json", "--quiet", "--in",
                                    "u=" + (folder / "u.npy"), "--repeat", "3"});
  ASSERT_EQ(total.status, 0) << total.errors;
  EXPECT_EQ(total.errors, "");
  EXPECT_EQ(total.output.rfind("result: ", 0), 0U);
  double sum = 0;
  for (const float value : u) sum += static_cast<double>(value);
  EXPECT_NEAR(std::stod(total.output.substr(8)), sum, 1e-6 * sum);
  const std::string json = total.output.substr(total.output.find('\n') + 1);
  for (const char* const key : {"\"seconds_per_step\":", "\"steps\":3", "\"bytes_peak\":",
                                "\"target\":\"", "\"device\":\"", "\"shape\":[5,7,70]"})
    EXPECT_NE(json.find(key), std::string::npos) << key << " in " << json;
  EXPECT_EQ(json.back(), '\n');
  EXPECT_EQ(json.find('\n'), json.size() - 1);

  const Outcome rows = run_sample({"--entry", "rows", "--set", "dt=1", "--shape", "2,3,4", "--out",
                                   "result=" + (folder / "rows.npy")});
  ASSERT_EQ(rows.status, 0) << rows.errors;
  const auto file = io::read_npy<std::int32_t>(folder / "rows.npy");
  EXPECT_EQ(file.shape, (std::vector<std::int64_t>{2, 3, 4}));
  EXPECT_EQ(file.data[23], 123);

  const Outcome quotient = run_sample({"--entry", "quotient", "--set", "dt=1", "--shape", "1,1,1",
                                       "--set", "a=-7", "--set", "b=2"});
  EXPECT_EQ(quotient.output, "result: -4\n");
}

TEST_F(Driver, IntegersBecomeReals) {
  const std::vector<std::int32_t> whole(5 * 7 * 70, 2);
  io::write_npy(folder / "whole.npy", shape, whole.data());
  const Outcome outcome = run_sample(
      {"--entry", "total", "--set", "dt=1", "--in", "u=" + (folder / "whole.npy"), "--quiet"});
  EXPECT_EQ(outcome.output, "result: 4900\n") << outcome.errors;
}

TEST_F(Driver, Refusals) {
  const std::string u_file = folder / "u.npy";
  refused({}, "--entry is needed; the entries are: step, total");
  refused({"--entry", "stop"}, "there is no entry 'stop'");
  refused({"--entry", "step", "--bogus"}, "unknown argument '--bogus'");
  refused({"--entry"}, "--entry needs a value");
  refused({"--entry", "total", "--repeat", "0"}, "--repeat: 0 is not between 1 and");
  refused({"--entry", "total", "--repeat", "3x"}, "--repeat: '3x' is not an integer", "E0810");
  refused({"--entry", "total", "--shape", "3,-1,2"}, "--shape: -1");
  refused({"--entry", "total"}, "total still needs --set dt=VALUE, --in u=FILE.npy");
  refused({"--entry", "total", "--in", "v=" + u_file}, "--in: 'v' is no input array of total");
  refused({"--entry", "total", "--set", "v=1"}, "--set: 'v' is no parameter or scalar of total");
  refused(step({"--out", "source=x.npy"}), "--out: 'source' is no array that comes out of step");
  refused(step({"--out", "u=x.txt"}), "ends neither in .npy nor in .vti");
  refused(step({"--out", "u=" + (folder / "no/x.npy")}), "No such file or directory");
  refused(step({"--set", "dt=2"}), "--set: 'dt' is given twice");
  refused({"--entry", "total", "--set", "dt=fast", "--in", "u=" + u_file},
          "--set dt: 'fast' is not a number");
  refused({"--entry", "quotient", "--set", "dt=1", "--set", "a=1.5", "--set", "b=1", "--shape",
           "1,1,1"},
          "--set a: '1.5' is not an integer");
  refused({"--entry", "rows", "--set", "dt=1"}, "--shape is needed");
  refused({"--entry", "rows", "--set", "dt=1", "--shape", "2,3"}, "--shape has rank 2");
  refused({"--entry", "rows", "--set", "dt=1", "--shape", "1000000,1000000,1000000"}, "too large");
  refused(step({"--shape", "5,7,71"}), "source.npy' has shape 5x7x70, but --shape has 5x7x71");
  refused(step({"--checkpoint-every", "2"}), "--checkpoint-every needs --checkpoint");
  refused(step({"--every", "2"}), "there is no --out");
  refused({"--entry", "total", "--set", "dt=1", "--in", "u=" + (folder / "none.npy")},
          "there is no such file");
}

TEST_F(Driver, RefusedFiles) {
  write_random(folder / "other.npy", {5, 7, 71}, 3);
  write_random(folder / "flat.npy", {5, 7}, 3);
  auto arguments = step({});
  arguments.back() = "source=" + (folder / "other.npy");
  refused(arguments, "has shape 5x7x70");
  arguments.back() = "source=" + (folder / "flat.npy");
  refused(arguments, "has rank 2 (5x7), but the program's arrays have rank 3");
  std::ofstream(folder / "cut.npy") << contents(folder / "u.npy").substr(0, 1000);
  arguments.back() = "source=" + (folder / "cut.npy");
  refused(arguments, "truncated", "E0820");
}

TEST_F(Driver, DivisionByZeroIsTold) {
  const Outcome outcome = run_sample({"--entry", "quotient", "--set", "dt=1", "--shape", "1,1,1",
                                      "--set", "a=-7", "--set", "b=0"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.errors, "error[E0612]: integer division by zero\n");
}

// A limit on the size of files stands for a full disk.
TEST_F(Driver, AFullDiskLeavesTheOldFile) {
  std::ofstream(folder / "out.npy") << "old";
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit little = old;
  little.rlim_cur = 4096;
  (void)sample("sample");
  setrlimit(RLIMIT_FSIZE, &little);
  const Outcome outcome = run_sample(step({"--out", "u=" + (folder / "out.npy")}));
  setrlimit(RLIMIT_FSIZE, &old);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("cannot write"), std::string::npos) << outcome.errors;
  EXPECT_EQ(contents(folder / "out.npy"), "old");
  std::size_t files = 0;
  for (const auto& at : std::filesystem::directory_iterator(folder.path()))
    files += at.path().empty() ? 0 : 1;
  EXPECT_EQ(files, 3U);
}

TEST_F(Driver, ARestartedRunIsBitwiseTheSame) {
  const std::string state = folder / "state";
  ASSERT_EQ(run_sample(step({"--repeat", "20", "--out", "u=" + (folder / "whole.npy")})).status, 0);
  ASSERT_EQ(run_sample(step({"--repeat", "7", "--checkpoint", state})).status, 0);
  const std::vector<std::string> again{"--entry",   "step",
                                       "--repeat",  "20",
                                       "--restart", state,
                                       "--in",      "source=" + (folder / "source.npy"),
                                       "--out",     "u=" + (folder / "again.npy")};
  const Outcome outcome = run_sample(again);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "count: 20\n");
  EXPECT_NE(outcome.errors.find("13 steps"), std::string::npos) << outcome.errors;
  EXPECT_EQ(contents(folder / "again.npy"), contents(folder / "whole.npy"));

  auto wrong = again;
  wrong[3] = "5";
  refused(wrong, "it is of step 7, beyond --repeat 5", "E0823");
  wrong = again;
  wrong[1] = "total";
  refused(wrong, "it is of sample, entry step");
}

TEST_F(Driver, ADamagedCheckpointIsRefused) {
  const std::string state = folder / "state";
  ASSERT_EQ(run_sample(step({"--repeat", "2", "--checkpoint", state})).status, 0);
  const std::string whole = contents(state);
  const std::vector<std::string> again{
      "--entry",   "step", "--repeat", "9",
      "--restart", state,  "--in",     "source=" + (folder / "source.npy")};
  const auto refused_with = [&](const std::string& bytes) {
    std::ofstream(state, std::ios::binary | std::ios::trunc) << bytes;
    refused(again, "cannot restart from '" + state + "'", "E0823");
  };
  refused_with("");
  refused_with("something else\n");
  refused_with(whole.substr(0, 40));
  refused_with(whole.substr(0, whole.size() - 1));
  refused_with(whole + "x");
  for (const std::size_t at : {std::size_t{30}, whole.size() / 2, whole.size() - 9}) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    refused_with(changed);
  }
  std::filesystem::remove(state);
  refused(again, "there is no such file");
}

TEST_F(Driver, VtiFiles) {
  const std::string file = folder / "u.vti";
  const Outcome outcome = run_sample(step({"--out", "u=" + file, "--spacing", "0.5"}));
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const std::string text = contents(file);
  EXPECT_NE(text.find("Spacing=\"0.5 0.5 0.5\""), std::string::npos) << text.substr(0, 400);
  EXPECT_NE(text.find("Name=\"u\""), std::string::npos);
}

// A failure is the last line with --json, as an object.
TEST_F(Driver, FailuresAreJsonToo) {
  const auto last = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.status, 1);
    return nlohmann::json::parse(outcome.output, nullptr, false);
  };
  auto object = last(run_sample({"--entry", "quotient", "--set", "dt=1", "--shape", "1,1,1",
                                 "--set", "a=-7", "--set", "b=0", "--json"}));
  ASSERT_TRUE(object.is_object());
  EXPECT_EQ(object["errors"], 1);
  EXPECT_EQ(object["diagnostics"][0]["code"], "E0612");
  EXPECT_EQ(object["diagnostics"][0]["message"], "integer division by zero");
  object = last(run_sample({"--entry", "a\"b\\\n", "--json"}));
  EXPECT_EQ(object["diagnostics"][0]["code"], "E0801");
  EXPECT_NE(std::string(object["diagnostics"][0]["message"]).find("'a\"b\\\n'"), std::string::npos);
  object = last(run_sample(
      {"--entry", "outside", "--in", "u=" + (folder / "u.npy"), "--set", "dt=1", "--json"}, true));
  EXPECT_EQ(object["diagnostics"][0]["code"], "E0609");
  EXPECT_EQ(object["diagnostics"][0]["severity"], "error");
}

// Nobody can write where a folder stands; the results are written all the same.
TEST_F(Driver, ARunOutlivesItsCheckpoint) {
  const std::string state = folder / "state";
  std::filesystem::create_directory(state);
  const Outcome outcome =
      run_sample(step({"--repeat", "4", "--checkpoint", state, "--checkpoint-every", "1", "--json",
                       "--out", "u=" + (folder / "out.npy")}));
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(read("out.npy"), expected(4));
  EXPECT_NE(outcome.errors.find("warning[E0833]: no checkpoint of step 1: "), std::string::npos)
      << outcome.errors;
  EXPECT_EQ(outcome.errors.find("no checkpoint of step 2"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("error[E0833]: no checkpoint of step 4: "), std::string::npos)
      << outcome.errors;
  const auto object =
      nlohmann::json::parse(outcome.output.substr(outcome.output.find('{')), nullptr, false);
  EXPECT_EQ(object["steps"], 4);
  EXPECT_EQ(object["errors"], 1);
  EXPECT_EQ(object["diagnostics"].back()["code"], "E0833");
}

TEST_F(Driver, Help) {
  const Outcome outcome = run_sample({"--help"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.output.find("upd     u: array float32"), std::string::npos) << outcome.output;
}

}  // namespace
}  // namespace rhopsi::kokkos::test
