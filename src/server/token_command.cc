// cairn token: a token for a user, signed with the key of a data directory. Works beside a running server: it
// touches the key file only.
#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "base/clock.h"
#include "base/random.h"
#include "base/utf8.h"
#include "identity/signing_key.h"
#include "identity/token.h"
#include "server/command.h"

namespace cairn::server {
namespace {

constexpr std::chrono::seconds kLifetimeMax = std::chrono::days(30);

struct TokenSettings {
  std::string subject;
  std::vector<std::string> claims;
  std::string lifetime = "1h";
  std::string data = "./data";
};

// "90s", "15m", "1h", "7d"; more than nothing and at most 30 days.
std::optional<std::chrono::seconds> ParseLifetime(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int64_t count = 0;
  const char* unit = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(text.data(), unit, count);
  if (error != std::errc() || end != unit || count < 1 || count > kLifetimeMax.count()) return std::nullopt;
  std::chrono::seconds lifetime{0};
  switch (*unit) {
    case 's':
      lifetime = std::chrono::seconds(count);
      break;
    case 'm':
      lifetime = std::chrono::minutes(count);
      break;
    case 'h':
      lifetime = std::chrono::hours(count);
      break;
    case 'd':
      lifetime = std::chrono::days(count);
      break;
    default:
      return std::nullopt;
  }
  if (lifetime > kLifetimeMax) return std::nullopt;
  return lifetime;
}

// "tenantId=acme" into the claims.
Status AddClaim(const std::string& text, identity::Claims& claims) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == text.npos || name.empty())
    return Fail(Invalid("--claim must be name=value, not '" + text + "'"));
  if (identity::IsReservedClaim(name))
    return Fail(Invalid("the claim " + name + " cannot be given with --claim"));
  if (!IsUtf8(text)) return Fail(Invalid("--claim must be UTF-8"));
  if (!claims.others.emplace(name, text.substr(equals + 1)).second) {
    return Fail(Invalid("the claim " + name + " is given twice"));
  }
  return {};
}

int PrintToken(const TokenSettings& settings) {
  identity::Claims claims;
  claims.subject = settings.subject;
  if (claims.subject.empty() || !IsUtf8(claims.subject)) return Complain("--sub must be a text", kExitUsage);
  for (const std::string& claim : settings.claims) {
    if (auto added = AddClaim(claim, claims); !added) return Complain(added.error().message, kExitUsage);
  }
  const auto lifetime = ParseLifetime(settings.lifetime);
  if (!lifetime) return Complain("--for must be a time such as 15m, 1h or 7d, at most 30d", kExitUsage);
  if (!std::filesystem::is_directory(settings.data)) {
    return Complain(settings.data + " is no data directory yet: cairn serve makes it");
  }
  SystemRandom random;
  const auto key = identity::LoadOrCreateSigningKey(settings.data, random);
  if (!key) return Complain(key.error().message);
  const Time now = SystemClock().Now();
  claims.expires = now + *lifetime;
  claims.id = NewUuid(random);
  const std::string token = identity::IssueToken(*key, claims, now);
  if (token.size() > identity::kTokenBytesMax)
    return Complain("the claims are too long for a token", kExitUsage);
  std::printf("%s\n", token.c_str());
  return kExitOk;
}

}  // namespace

Command AddToken(CLI::App& program) {
  auto* command = program.add_subcommand("token", "Print a token for the REST interface of models");
  auto settings = std::make_shared<TokenSettings>();
  command->add_option("--sub", settings->subject, "Who it is for: the claim 'sub'")->required();
  command->add_option("--claim", settings->claims, "A further claim, name=value; may be repeated")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--for", settings->lifetime, "How long it is good: 15m, 1h, 7d; at most 30d")
      ->capture_default_str();
  command->add_option("--data", settings->data, "Data directory of the server that takes it")
      ->capture_default_str();
  return [settings] { return PrintToken(*settings); };
}

}  // namespace cairn::server
