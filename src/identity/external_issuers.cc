#include "identity/external_issuers.h"

#include "identity/jwt_parts.h"
#include "outbound/fetch_document.h"

namespace cairn::identity {
namespace {

Status CheckConfiguration(const ExternalIssuer& issuer) {
  if (issuer.issuer.empty() || issuer.issuer == kIssuer) {
    return Fail(Invalid("An external issuer needs a name, and it cannot be " + std::string(kIssuer) + "."));
  }
  if (issuer.audience.empty()) return Fail(Invalid("The issuer " + issuer.issuer + " needs an audience."));
  if (issuer.jwks_file.empty() == issuer.jwks_url.empty()) {
    return Fail(
        Invalid("The issuer " + issuer.issuer + " needs its keys from a file or from an address, not both."));
  }
  return issuer.jwks_url.empty() ? Status() : outbound::CheckDocumentUrl(issuer.jwks_url);
}

IssuerKeys::Source SourceOf(const ExternalIssuer& issuer) {
  if (!issuer.jwks_url.empty()) return [url = issuer.jwks_url] { return outbound::FetchDocument(url); };
  return [path = issuer.jwks_file] { return outbound::ReadDocument(path); };
}

}  // namespace

struct ExternalIssuers::Trusted {
  Trusted(const ExternalIssuer& whom, const Clock& clock)
      : issuer(whom), keys(whom.issuer, SourceOf(whom), clock) {}

  ExternalIssuer issuer;
  IssuerKeys keys;
};

ExternalIssuers::ExternalIssuers(const Clock& clock) : clock_(clock) {}
ExternalIssuers::~ExternalIssuers() = default;

Result<std::unique_ptr<ExternalIssuers>> ExternalIssuers::Create(const std::vector<ExternalIssuer>& issuers,
                                                                 const Clock& clock) {
  std::unique_ptr<ExternalIssuers> created(new ExternalIssuers(clock));
  for (const ExternalIssuer& issuer : issuers) {
    RETURN_IF_ERROR(CheckConfiguration(issuer));
    auto trusted = std::make_unique<Trusted>(issuer, clock);
    if (!created->by_issuer_.emplace(issuer.issuer, std::move(trusted)).second) {
      return Fail(Invalid("The issuer " + issuer.issuer + " is given twice."));
    }
  }
  return created;
}

Task<Result<std::optional<Claims>>> ExternalIssuers::Verify(std::string token) {
  if (by_issuer_.empty()) co_return std::nullopt;
  CO_ASSIGN_OR_RETURN(const UnverifiedToken unverified, ReadExternalToken(token));
  const auto found = by_issuer_.find(unverified.issuer);
  if (found == by_issuer_.end()) co_return std::nullopt;
  Trusted& trusted = *found->second;
  const std::optional<PublicKey> key = co_await trusted.keys.Find(unverified.key_id);
  if (!key) co_return RefuseToken("its key is not known");
  CO_ASSIGN_OR_RETURN(Claims claims, VerifyExternalToken(unverified, trusted.issuer, *key, clock_.Now()));
  co_return std::optional(std::move(claims));
}

}  // namespace cairn::identity
