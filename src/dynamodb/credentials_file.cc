#include "dynamodb/credentials_file.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <utility>

#include "dynamodb/operation_table.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {
namespace {

namespace dom = simdjson::dom;

constexpr std::array<std::string_view, 8> kMembers = {
    "accessKeyId", "secretAccessKey", "user", "leadingKeys", "indexes", "tables", "access", "actions"};
constexpr std::string_view kActionPrefix = "dynamodb:";  // as IAM writes them

// One entry of the list. Failures name their place in the file; LoadCredentials adds which file it is.
class Entry {
 public:
  Entry(dom::element json, std::string place) : json_(json), place_(std::move(place)) {}

  Status CheckMembers() const;
  Result<std::string> AccessKeyId() const;
  Result<Credential> ReadCredential() const;

 private:
  bool Has(std::string_view member) const { return json_[member].error() == simdjson::SUCCESS; }
  std::unexpected<Error> Bad(const std::string& what) const { return Fail(Invalid(place_ + what)); }
  std::string PlaceIn(std::string_view member, size_t position) const {
    return "." + std::string(member) + "[" + std::to_string(position) + "] ";
  }

  Result<std::string> Text(std::string_view member) const;
  // The texts of a list that has at least one.
  Result<std::vector<std::string>> Texts(std::string_view member) const;
  Result<LeadingKeys> Limits() const;
  Result<std::vector<LeadingKeyPattern>> Patterns() const;
  // The texts of a list that are names as tables and indexes have them.
  Result<std::set<std::string, std::less<>>> Names(std::string_view member, std::string_view kind) const;
  Result<std::set<std::string, std::less<>>> Indexes() const;
  Result<Access> AccessOrWrite() const;
  Result<std::set<std::string, std::less<>>> Actions(const LeadingKeys& limits) const;

  dom::element json_;
  std::string place_;  // "credentials[3]"
};

Status Entry::CheckMembers() const {
  dom::object object;
  if (json_.get(object)) return Bad(" is not an object");
  std::set<std::string_view> seen;
  for (const auto& [name, value] : object) {
    if (std::ranges::find(kMembers, name) == kMembers.end()) {
      return Bad(" has an unknown member '" + std::string(name) +
                 "'; known are accessKeyId, secretAccessKey, user, leadingKeys, indexes, tables, access and "
                 "actions");
    }
    if (!seen.insert(name).second) return Bad(" has the member " + std::string(name) + " twice");
  }
  return {};
}

Result<std::string> Entry::Text(std::string_view member) const {
  std::string_view text;
  if (json_[member].get(text) || text.empty()) return Bad(" needs a non-empty string " + std::string(member));
  return std::string(text);
}

Result<std::string> Entry::AccessKeyId() const {
  ASSIGN_OR_RETURN(std::string key_id, Text("accessKeyId"));
  if (key_id.find_first_of("/,= ") != key_id.npos) {
    return Bad(": an accessKeyId contains no slash, comma, equals sign or space");
  }
  return key_id;
}

Result<std::vector<std::string>> Entry::Texts(std::string_view member) const {
  dom::array list;
  if (json_[member].get(list) || list.size() == 0) {
    return Bad(" needs " + std::string(member) + " that are a list of at least one string");
  }
  std::vector<std::string> texts;
  for (const dom::element element : list) {
    std::string_view text;
    if (element.get(text)) return Bad(PlaceIn(member, texts.size()) + "is not a string");
    texts.emplace_back(text);
  }
  return texts;
}

Result<std::vector<LeadingKeyPattern>> Entry::Patterns() const {
  ASSIGN_OR_RETURN(const std::vector<std::string> texts, Texts("leadingKeys"));
  std::string user;
  if (Has("user")) {
    ASSIGN_OR_RETURN(user, Text("user"));
  }
  std::vector<LeadingKeyPattern> patterns;
  bool names_the_user = false;
  for (const std::string& text : texts) {
    auto pattern = LeadingKeyPattern::Parse(text, user);
    names_the_user |= pattern && text.find("${user}") != text.npos;
    if (!pattern) {
      return Bad(PlaceIn("leadingKeys", patterns.size()) + "\"" + text + "\" " + pattern.error().message);
    }
    patterns.push_back(*std::move(pattern));
  }
  if (Has("user") && !names_the_user) return Bad(" has a user, and no leadingKeys with ${user} in them");
  return patterns;
}

Result<std::set<std::string, std::less<>>> Entry::Names(std::string_view member,
                                                        std::string_view kind) const {
  ASSIGN_OR_RETURN(std::vector<std::string> names, Texts(member));
  for (size_t i = 0; i < names.size(); ++i) {
    if (MatchesNamePattern(names[i])) continue;
    return Bad(PlaceIn(member, i) + "\"" + names[i] + "\" is no " + std::string(kind) +
               "'s name; there are no patterns here");
  }
  return std::set<std::string, std::less<>>(names.begin(), names.end());
}

Result<std::set<std::string, std::less<>>> Entry::Indexes() const {
  if (!Has("indexes")) return std::set<std::string, std::less<>>();
  if (!Has("leadingKeys"))
    return Bad(" has indexes without leadingKeys: all indexes of its tables are its already");
  return Names("indexes", "index");
}

Result<Access> Entry::AccessOrWrite() const {
  if (!Has("access")) return Access::kWrite;
  std::string_view text;
  if (!json_["access"].get(text) && text == "read") return Access::kRead;
  if (text == "write") return Access::kWrite;
  return Bad(".access must be \"read\" or \"write\"");
}

Result<std::set<std::string, std::less<>>> Entry::Actions(const LeadingKeys& limits) const {
  ASSIGN_OR_RETURN(const std::vector<std::string> texts, Texts("actions"));
  std::set<std::string, std::less<>> actions;
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string_view name = texts[i];
    if (name.starts_with(kActionPrefix)) name.remove_prefix(kActionPrefix.size());
    const auto operation = std::ranges::find(AllOperations(), name, &Operation::name);
    const std::string place = PlaceIn("actions", i) + "\"" + texts[i] + "\" ";
    if (operation == AllOperations().end()) return Bad(place + "is no operation; there are no patterns here");
    if (!MayCall(limits, *operation)) return Bad(place + "is not for limited access keys");
    actions.emplace(name);
  }
  return actions;
}

Result<LeadingKeys> Entry::Limits() const {
  LeadingKeys limits;
  if (Has("leadingKeys")) {
    ASSIGN_OR_RETURN(limits.patterns, Patterns());
  } else if (Has("user")) {
    return Bad(" has a user, and no leadingKeys with ${user} in them");
  }
  ASSIGN_OR_RETURN(limits.indexes, Indexes());
  if (!Has("tables")) return Bad(" is limited and needs tables: the names of the tables it may use");
  ASSIGN_OR_RETURN(limits.tables, Names("tables", "table"));
  ASSIGN_OR_RETURN(limits.access, AccessOrWrite());
  if (Has("actions")) {
    ASSIGN_OR_RETURN(limits.actions, Actions(limits));
  }
  return limits;
}

Result<Credential> Entry::ReadCredential() const {
  Credential credential;
  ASSIGN_OR_RETURN(credential.secret_access_key, Text("secretAccessKey"));
  // Any of them makes a limited key; none of them one that may do everything.
  constexpr std::array kLimits = {"user", "leadingKeys", "indexes", "tables", "access", "actions"};
  if (std::ranges::any_of(kLimits, [this](const char* member) { return Has(member); })) {
    ASSIGN_OR_RETURN(credential.limits, Limits());
  }
  return credential;
}

Status ReadEntry(dom::element json, const std::string& place, Credentials& credentials) {
  const Entry entry(json, place);
  RETURN_IF_ERROR(entry.CheckMembers());
  ASSIGN_OR_RETURN(std::string key_id, entry.AccessKeyId());
  ASSIGN_OR_RETURN(Credential credential, entry.ReadCredential());
  if (credentials.contains(key_id)) {
    return Fail(Invalid(place + ": accessKeyId " + key_id + " occurs twice"));
  }
  credentials.emplace(std::move(key_id), std::move(credential));
  return {};
}

Result<Credentials> ReadCredentials(std::string_view text) {
  dom::parser parser;
  dom::element root;
  if (const auto error = parser.parse(text.data(), text.size()).get(root)) {
    return Fail(Invalid(std::string("not JSON: ") + simdjson::error_message(error)));
  }
  dom::array list;
  if (root["credentials"].get(list)) return Fail(Invalid("expected {\"credentials\": [...]}"));
  Credentials credentials;
  size_t position = 0;
  for (const dom::element json : list) {
    RETURN_IF_ERROR(ReadEntry(json, "credentials[" + std::to_string(position++) + "]", credentials));
  }
  if (credentials.empty()) return Fail(Invalid("has no credentials"));
  return credentials;
}

}  // namespace

Result<Credentials> LoadCredentials(std::string_view text, std::string_view source) {
  auto credentials = ReadCredentials(text);
  if (!credentials) {
    return Fail(Invalid("credentials file " + std::string(source) + ": " + credentials.error().message));
  }
  return credentials;
}

}  // namespace cairn::dynamodb
