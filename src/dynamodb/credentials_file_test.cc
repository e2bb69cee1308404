#include "dynamodb/credentials_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::dynamodb {
namespace {

using testing::HasSubstr;

// A file with one entry: an access key and further members, which begin with a comma.
std::string FileWith(std::string_view members) {
  return R"({"credentials":[{"accessKeyId":"a","secretAccessKey":"hidden")" + std::string(members) + "}]}";
}

std::string Refusal(std::string_view text) {
  const auto credentials = LoadCredentials(text, "keys.json");
  EXPECT_FALSE(credentials) << text;
  if (credentials) return "";
  EXPECT_THAT(credentials.error().message, testing::Not(HasSubstr("hidden")));
  return credentials.error().message;
}

TEST(LoadCredentials, ReadsTheFile) {
  const auto credentials = LoadCredentials(
      R"({"credentials":[{"accessKeyId":"a","secretAccessKey":"s1"},{"accessKeyId":"b","secretAccessKey":"s2"}]})",
      "keys.json");
  ASSERT_TRUE(credentials);
  ASSERT_EQ(credentials->size(), 2u);
  EXPECT_EQ(credentials->at("a").secret_access_key, "s1");
  EXPECT_EQ(credentials->at("b").secret_access_key, "s2");
  EXPECT_FALSE(credentials->at("a").limits) << "without leadingKeys an access key may do everything";
}

TEST(LoadCredentials, ErrorsNameTheFileAndNoSecret) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "credentials file keys.json: expected {\"credentials\": [...]}"},
      {R"({"credentials":[]})", "credentials file keys.json: has no credentials"},
      {R"({"credentials":["hidden"]})", "credentials file keys.json: credentials[0] is not an object"},
      {R"({"credentials":[{"secretAccessKey":"hidden"}]})",
       "credentials file keys.json: credentials[0] needs a non-empty string accessKeyId"},
      {R"({"credentials":[{"accessKeyId":"a"}]})",
       "credentials file keys.json: credentials[0] needs a non-empty string secretAccessKey"},
      {R"({"credentials":[{"accessKeyId":"a/b","secretAccessKey":"hidden"}]})",
       "credentials file keys.json: credentials[0]: an accessKeyId contains no slash, comma, equals sign or "
       "space"},
      {R"({"credentials":[{"accessKeyId":"a","secretAccessKey":"hidden"},{"accessKeyId":"a","secretAccessKey":"h"}]})",
       "credentials file keys.json: credentials[1]: accessKeyId a occurs twice"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(Refusal(text), message);
  EXPECT_THAT(Refusal("secret = hidden"), HasSubstr("credentials file keys.json: not JSON"));
}

TEST(LoadCredentials, ReadsLimits) {
  const auto credentials = LoadCredentials(
      FileWith(R"(,"leadingKeys":["U#alice","U#alice#*"],"tables":["App","Log"],"access":"read")"), "k");
  ASSERT_TRUE(credentials) << credentials.error().message;
  const auto& limits = credentials->at("a").limits;
  ASSERT_TRUE(limits);
  EXPECT_TRUE(limits->Match("U#alice"));
  EXPECT_TRUE(limits->Match("U#alice#lists"));
  EXPECT_FALSE(limits->Match("U#alice2"));
  EXPECT_THAT(limits->tables, testing::ElementsAre("App", "Log"));
  EXPECT_EQ(limits->access, Access::kRead);
}

TEST(LoadCredentials, PatternsNameTheUser) {
  const auto credentials = LoadCredentials(
      FileWith(
          R"(,"user":"ab","leadingKeys":["U#${user}","U#${user}#*","T#${user}/${user}"],"tables":["App"])"),
      "k");
  ASSERT_TRUE(credentials) << credentials.error().message;
  const auto& limits = credentials->at("a").limits;
  ASSERT_TRUE(limits);
  for (const char* own : {"U#ab", "U#ab#lists", "T#ab/ab"}) EXPECT_TRUE(limits->Match(own)) << own;
  for (const char* other : {"U#abc", "U#abc#lists", "U#a", "U#${user}", "T#ab/abc"}) {
    EXPECT_FALSE(limits->Match(other)) << other;
  }
}

TEST(LoadCredentials, ReadsIndexes) {
  const auto credentials =
      LoadCredentials(FileWith(R"(,"leadingKeys":["U#a"],"tables":["App"],"indexes":["GSI1","GSI3"])"), "k");
  ASSERT_TRUE(credentials) << credentials.error().message;
  EXPECT_THAT(credentials->at("a").limits->indexes, testing::ElementsAre("GSI1", "GSI3"));
}

TEST(LoadCredentials, ActionsAreNamesOfOperationsWithOrWithoutIamsPrefix) {
  const auto credentials =
      LoadCredentials(FileWith(R"(,"tables":["App"],"actions":["dynamodb:GetItem","Scan"])"), "k");
  ASSERT_TRUE(credentials) << credentials.error().message;
  const auto& limits = credentials->at("a").limits;
  EXPECT_TRUE(limits->whole_tables());
  EXPECT_TRUE(limits->Permits("GetItem") && limits->Permits("Scan"));
  EXPECT_FALSE(limits->Permits("PutItem"));
}

TEST(LoadCredentials, AccessIsWriteUnlessSaid) {
  for (const char* access : {"", R"(,"access":"write")"}) {
    const auto credentials =
        LoadCredentials(FileWith(R"(,"leadingKeys":["U#a"],"tables":["App"])" + std::string(access)), "k");
    ASSERT_TRUE(credentials) << credentials.error().message;
    EXPECT_EQ(credentials->at("a").limits->access, Access::kWrite);
  }
}

// What would otherwise make an access key that may do more than its author meant.
TEST(LoadCredentials, AnythingDoubtfulAboutLimitsIsRefusedWithItsPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(,"leadingkeys":["U#a"],"tables":["App"])", "credentials[0] has an unknown member 'leadingkeys'"},
      {R"(,"leadingKeys":["U#a"],"leadingKeys":["U#b"],"tables":["App"])",
       "credentials[0] has the member leadingKeys twice"},
      {R"(,"access":"read")", "credentials[0] is limited and needs tables"},
      {R"(,"actions":["GetItem"])", "credentials[0] is limited and needs tables"},
      {R"(,"leadingKeys":["U#a"])", "credentials[0] is limited and needs tables"},
      {R"(,"leadingKeys":[],"tables":["App"])",
       "credentials[0] needs leadingKeys that are a list of at least one"},
      {R"(,"tables":["App"],"actions":[])", "credentials[0] needs actions that are a list of at least one"},
      {R"(,"tables":["App"],"actions":["Get*"])", "credentials[0].actions[0] \"Get*\" is no operation"},
      {R"(,"tables":["App"],"actions":["Query","CreateTable"])",
       "credentials[0].actions[1] \"CreateTable\" is not for limited access keys"},
      {R"(,"leadingKeys":["U#a"],"tables":["App"],"actions":["Scan"])",
       "credentials[0].actions[0] \"Scan\" is not for limited access keys"},
      {R"(,"leadingKeys":[],"tables":["App"])",
       "credentials[0] needs leadingKeys that are a list of at least"},
      {R"(,"leadingKeys":null,"tables":["App"])",
       "credentials[0] needs leadingKeys that are a list of at least"},
      {R"(,"leadingKeys":"U#a","tables":["App"])",
       "credentials[0] needs leadingKeys that are a list of at least"},
      {R"(,"leadingKeys":["U#a",7],"tables":["App"])", "credentials[0].leadingKeys[1] is not a string"},
      {R"(,"leadingKeys":["U#a",""],"tables":["App"])", "credentials[0].leadingKeys[1] \"\" is empty"},
      {R"(,"leadingKeys":["U#a"],"tables":[])",
       "credentials[0] needs tables that are a list of at least one"},
      {R"(,"leadingKeys":["U#a"],"tables":["App","*"])", "credentials[0].tables[1] \"*\" is no table's name"},
      {R"(,"leadingKeys":["U#${user}"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${user}\" needs a user"},
      {R"(,"user":"a","leadingKeys":["U#${usr}"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${usr}\" has a ${ that does not begin ${user}"},
      {R"(,"user":"a","leadingKeys":["U#a","U#a#*"],"tables":["App"])",
       "credentials[0] has a user, and no leadingKeys with ${user} in them"},
      {R"(,"user":"a","tables":["App"])",
       "credentials[0] has a user, and no leadingKeys with ${user} in them"},
      {R"(,"user":"a")", "credentials[0] has a user, and no leadingKeys with ${user} in them"},
      {R"(,"user":"","leadingKeys":["U#${user}"],"tables":["App"])",
       "credentials[0] needs a non-empty string user"},
      {R"(,"user":"a#b","leadingKeys":["U#${user}#*"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${user}#*\" does not keep the user apart from others: \"a#b\" has "
       "a #"},
      {R"(,"user":"a-*","leadingKeys":["U#${user}"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${user}\" needs a user without *, ? and $"},
      {R"(,"user":"a","leadingKeys":["U#${user}*"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${user}*\" would also match U#a2"},
      {R"(,"user":"a-","leadingKeys":["U#${user}*"],"tables":["App"])",
       "credentials[0].leadingKeys[0] \"U#${user}*\" would also match U#a-2"},
      {R"(,"leadingKeys":["U#a"],"tables":["App"],"indexes":["GSI*"])",
       "credentials[0].indexes[0] \"GSI*\" is no index's name"},
      {R"(,"tables":["App"],"indexes":["GSI1"])", "credentials[0] has indexes without leadingKeys"},
      {R"(,"leadingKeys":["U#a"],"tables":["App"],"access":"admin")",
       "credentials[0].access must be \"read\" or \"write\""},
      {R"(,"leadingKeys":["U#a"],"tables":["App"],"access":true)",
       "credentials[0].access must be \"read\" or \"write\""},
  };
  for (const auto& [members, message] : cases) {
    EXPECT_THAT(Refusal(FileWith(members)), HasSubstr(std::string("credentials file keys.json: ") + message));
  }
}

TEST(LoadCredentials, APatternThatWouldMatchStrangersSaysWhyAndWhatToWrite) {
  EXPECT_EQ(
      Refusal(FileWith(R"(,"leadingKeys":["U#alice*"],"tables":["App"])")),
      "credentials file keys.json: credentials[0].leadingKeys[0] \"U#alice*\" would also match U#alice2, a "
      "key of someone else; write two patterns instead: \"U#alice\" and \"U#alice#*\" (with the separator "
      "of your keys for #)");
}

}  // namespace
}  // namespace cairn::dynamodb
