#include "identity/credentials.h"

#include <algorithm>

#include "base/check.h"
#include "identity/session_token.h"
#include "identity/token.h"

namespace cairn::identity {

Credentials MakeCredentials(std::string_view signing_key, const platform::Session& session, Time now,
                            Random& random) {
  CHECK(session.user_id && session.session_id, "a session that was written has a name");
  Credentials credentials{.user_id = *session.user_id,
                          .session_id = *session.session_id,
                          .kind = session.kind,
                          .expires = Time(std::chrono::seconds(session.expires_at))};
  const SessionToken token{
      .user_id = credentials.user_id, .session_id = credentials.session_id, .generation = session.generation};
  if (session.kind == platform::SessionKind::kBrowser) {
    credentials.cookie = SealSessionToken(signing_key, SessionTokenPurpose::kCookie, token);
    credentials.csrf_token = CsrfToken(signing_key, token.user_id, token.session_id);
    return credentials;
  }
  credentials.refresh_token = SealSessionToken(signing_key, SessionTokenPurpose::kRefresh, token);
  credentials.access_expires = std::min(now + kAccessTokenLifetime, credentials.expires);
  const Claims claims{.subject = credentials.user_id,
                      .others = {},
                      .expires = credentials.access_expires,
                      .id = NewUuid(random),
                      .session_id = credentials.session_id};
  credentials.access_token = IssueToken(signing_key, claims, now);
  return credentials;
}

}  // namespace cairn::identity
