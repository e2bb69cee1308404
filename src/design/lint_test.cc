#include "design/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "design/starter.h"
#include "model/load.h"

namespace cairn::design {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// One expected finding: a bad line of testdata ends in "# <- CODE subject".
struct Expected {
  std::string code;
  uint32_t line = 0;
  std::string subject;
  friend auto operator<=>(const Expected&, const Expected&) = default;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.code << " at line " << expected.line << " about " << expected.subject;
}

// The compiler may name this file relative to the build folder, in which the test binary lies.
std::filesystem::path Folder() {
  const std::filesystem::path here = std::filesystem::path(__FILE__).parent_path();
  const std::filesystem::path base =
      here.is_absolute() ? here : std::filesystem::read_symlink("/proc/self/exe").parent_path() / here;
  return (base / "testdata" / "lint").lexically_normal();
}

std::multiset<Expected> MarksIn(const std::filesystem::path& file) {
  std::multiset<Expected> marks;
  std::ifstream in(file);
  std::string line;
  for (uint32_t number = 1; std::getline(in, line); ++number) {
    const size_t mark = line.find("# <- ");
    if (mark == std::string::npos) continue;
    const std::string text = line.substr(mark + 5);
    const size_t space = text.find(' ');
    marks.insert({text.substr(0, space), number, text.substr(space + 1)});
  }
  return marks;
}

std::multiset<Expected> OpenFindings(const model::Diagnostics& findings) {
  std::multiset<Expected> open;
  for (const model::Diagnostic& finding : findings) {
    if (finding.accepted_reason.empty()) open.insert({finding.code, finding.where.line, finding.subject});
  }
  return open;
}

model::ModelPtr Parse(const std::string& text) {
  auto model = model::ParseModel(text, "test.toml");
  if (model) return *model;
  for (const model::Diagnostic& diagnostic : model.error()) ADD_FAILURE() << model::ToString(diagnostic);
  return nullptr;
}

std::string Read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// A copy that a test may change; the loaded one stays alive because types point into it.
struct ChangedModel {
  explicit ChangedModel(const std::string& file) : loaded(Parse(Read(Folder() / file))), model(*loaded) {}
  model::ModelPtr loaded;
  model::Model model;
};

class LintFile : public testing::TestWithParam<std::string> {};

// Every file has its marked findings, at their lines, and no others.
TEST_P(LintFile, HasItsMarkedFindingsOnly) {
  const std::filesystem::path file = Folder() / (GetParam() + ".toml");
  const std::multiset<Expected> marks = MarksIn(file);
  const auto loaded = model::LoadModel(file.string());
  if (!marks.empty() && marks.begin()->code == "refused") {
    ASSERT_FALSE(loaded);
    ASSERT_EQ(loaded.error().size(), 1u);
    EXPECT_EQ(loaded.error()[0].where.line, marks.begin()->line);
    EXPECT_EQ(loaded.error()[0].subject, marks.begin()->subject);
    return;
  }
  if (!loaded) {
    for (const model::Diagnostic& diagnostic : loaded.error()) ADD_FAILURE() << model::ToString(diagnostic);
    return;
  }
  const model::Diagnostics findings = Lint(**loaded);
  EXPECT_EQ(OpenFindings(findings), marks);
  for (const model::Diagnostic& finding : findings) {
    EXPECT_EQ(finding.file, file.string());
    EXPECT_GT(finding.where.column, 0u) << model::ToString(finding);
    EXPECT_FALSE(finding.message.empty());
  }
}

std::vector<std::string> Files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(Folder()))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Testdata, LintFile, testing::ValuesIn(Files()), TestName);

TEST(Lint, EveryCodeHasABadModel) {
  for (const LintCode& code : LintCodes()) {
    EXPECT_TRUE(std::filesystem::exists(Folder() / (std::string(code.code) + ".toml"))) << code.code;
  }
}

TEST(Lint, CodesAreUniqueAndExplained) {
  std::set<std::string_view> seen;
  for (const LintCode& code : LintCodes()) {
    EXPECT_TRUE(seen.insert(code.code).second) << code.code;
    EXPECT_FALSE(code.meaning.empty());
    EXPECT_FALSE(code.repair.empty());
    EXPECT_EQ(FindLintCode(code.code), &code);
  }
  EXPECT_EQ(FindLintCode("ISO-9"), nullptr);
}

TEST(Lint, StarterModelIsClean) {
  const model::ModelPtr model = Parse(std::string(StarterModel()));
  ASSERT_TRUE(model);
  EXPECT_THAT(OpenFindings(Lint(*model)), IsEmpty());
}

// The loader refuses what TTL-1 and half of IDX-1 are about; the rules hold for models that come another way.
TEST(Lint, TimeToLiveThatIsNoNumberIsFound) {
  ChangedModel changed("clean.toml");
  changed.model.tables[0].ttl_attribute = "dueOn";
  EXPECT_THAT(OpenFindings(Lint(changed.model)),
              Contains(Expected{"TTL-1", changed.model.entities[0].Find("dueOn")->where.line, "Task.dueOn"}));
}

TEST(Lint, IndexWithoutSortKeyTemplateIsFound) {
  ChangedModel changed("clean.toml");
  model::EntityIndex& index = changed.model.entities[0].indexes[0];
  index.sk = {};
  EXPECT_THAT(OpenFindings(Lint(changed.model)), Contains(Expected{"IDX-1", index.where.line, "Task.GSI1"}));
}

TEST(Lint, AcceptedFindingCarriesItsReason) {
  const std::string text = Read(Folder() / "PAT-3.toml") +
                           "\n[[accept]]\ncode = \"PAT-3\"\nat = \"Note\"\nreason = \"read by a job\"\n";
  const model::ModelPtr model = Parse(text);
  ASSERT_TRUE(model);
  const model::Diagnostics findings = Lint(*model);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].accepted_reason, "read by a job");
}

TEST(Lint, StarAcceptsAllOfACode) {
  const std::string text = Read(Folder() / "LIM-1.toml") +
                           "\n[[accept]]\ncode = \"LIM-1\"\nat = \"*\"\nreason = \"small in practice\"\n";
  const model::ModelPtr model = Parse(text);
  ASSERT_TRUE(model);
  EXPECT_THAT(OpenFindings(Lint(*model)), IsEmpty());
}

TEST(Lint, AcceptOfAnotherSubjectNamesTheNearOne) {
  const std::string text =
      Read(Folder() / "PAT-3.toml") + "\n[[accept]]\ncode = \"PAT-3\"\nat = \"Notes\"\nreason = \"x\"\n";
  const model::ModelPtr model = Parse(text);
  ASSERT_TRUE(model);
  const model::Diagnostics findings = Lint(*model);
  EXPECT_THAT(findings, Contains(AllOf(testing::Field(&model::Diagnostic::code, "ACC-1"),
                                       testing::Field(&model::Diagnostic::message, HasSubstr("\"Note\"")))));
}

// Fixed-width ids cannot be the beginning of longer ones, so such a prefix needs no '#'.
TEST(Lint, PrefixThatEndsInAFixedWidthIsClosed) {
  std::string text = Read(Folder() / "PRE-1.toml");
  const size_t at = text.find("orderId = \"id!\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 15, "orderId = \"ulid!\"");
  const model::ModelPtr model = Parse(text);
  ASSERT_TRUE(model);
  EXPECT_THAT(OpenFindings(Lint(*model)), IsEmpty());
}

TEST(Lint, FindingsAreInTheOrderOfTheFile) {
  const model::ModelPtr model = Parse(Read(Folder() / "ASM-1.toml"));
  ASSERT_TRUE(model);
  const model::Diagnostics findings = Lint(*model);
  EXPECT_TRUE(std::is_sorted(findings.begin(), findings.end(),
                             [](const auto& a, const auto& b) { return a.where < b.where; }));
}

}  // namespace
}  // namespace cairn::design
