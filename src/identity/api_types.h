// Requests and answers of /api/auth as they go over the wire (rest/fields.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/platform.h"
#include "rest/fields.h"

namespace cairn::identity {

inline constexpr rest::Rule kEmailField{.max = 254};
inline constexpr rest::Rule kPasswordField{.min = 1, .max = 1'000};
inline constexpr rest::Rule kMomentField{.kind = model::Kind::kInstantMs};

struct NoFields {};
template <class Fields>
void Describe(Fields&, NoFields&) {}

struct RegisterBody {
  std::string email, password;
  std::optional<std::string> display_name;
};
template <class Fields>
void Describe(Fields& fields, RegisterBody& body) {
  fields.Body("email", body.email, kEmailField);
  fields.Body("password", body.password, kPasswordField);
  fields.Body("displayName", body.display_name, {.max = 200, .form = rest::Form::kTitle});
}

struct RegisterAnswer {
  std::string email;
};
template <class Fields>
void Describe(Fields& fields, RegisterAnswer& answer) {
  fields.Name("Registered");
  fields.Body("email", answer.email, kEmailField);
}

struct LoginBody {
  std::string email, password;
  models::platform::SessionKind kind = models::platform::SessionKind::kProgram;
};
template <class Fields>
void Describe(Fields& fields, LoginBody& body) {
  fields.Body("email", body.email, kEmailField);
  fields.Body("password", body.password, kPasswordField);
  fields.Body("kind", body.kind, {.optional = true, .doc = "program (tokens, default) or browser (cookie)"});
}

struct RefreshBody {
  std::string refresh_token;
};
template <class Fields>
void Describe(Fields& fields, RefreshBody& body) {
  fields.Body("refreshToken", body.refresh_token, {.max = 2'000});
}

struct LogoutBody {
  bool everywhere = false;
};
template <class Fields>
void Describe(Fields& fields, LogoutBody& body) {
  fields.Body("everywhere", body.everywhere, {.optional = true, .doc = "End all sessions of the account."});
}

struct PasswordBody {
  std::string current, next;
};
template <class Fields>
void Describe(Fields& fields, PasswordBody& body) {
  fields.Body("currentPassword", body.current, kPasswordField);
  fields.Body("newPassword", body.next, kPasswordField);
}

struct DeleteBody {
  std::string password;
};
template <class Fields>
void Describe(Fields& fields, DeleteBody& body) {
  fields.Body("password", body.password, kPasswordField);
}

struct ForgotBody {
  std::string email;
};
template <class Fields>
void Describe(Fields& fields, ForgotBody& body) {
  fields.Body("email", body.email, kEmailField);
}

inline constexpr rest::Rule kMailTokenField{
    .min = 1, .max = 600, .doc = "What follows # in the link of the mail."};

struct ResetBody {
  std::string token, next;
  models::platform::SessionKind kind = models::platform::SessionKind::kProgram;
};
template <class Fields>
void Describe(Fields& fields, ResetBody& body) {
  fields.Body("token", body.token, kMailTokenField);
  fields.Body("newPassword", body.next, kPasswordField);
  fields.Body("kind", body.kind, {.optional = true, .doc = "program (tokens, default) or browser (cookie)"});
}

struct VerifyBody {
  std::string token;
};
template <class Fields>
void Describe(Fields& fields, VerifyBody& body) {
  fields.Body("token", body.token, kMailTokenField);
}

struct VerifyAnswer {
  std::string email;
};
template <class Fields>
void Describe(Fields& fields, VerifyAnswer& answer) {
  fields.Name("VerifiedEmail");
  fields.Body("email", answer.email, kEmailField);
}

struct EmailBody {
  std::string password, new_email;
};
template <class Fields>
void Describe(Fields& fields, EmailBody& body) {
  fields.Body("newEmail", body.new_email, kEmailField);
  fields.Body("password", body.password, kPasswordField);
}

struct EmailAnswer {
  std::string email;
  bool verified = false;
  std::optional<std::string> pending;
};
template <class Fields>
void Describe(Fields& fields, EmailAnswer& answer) {
  fields.Name("AccountEmail");
  fields.Body("email", answer.email, kEmailField);
  fields.Body("emailVerified", answer.verified);
  fields.Body("pendingEmail", answer.pending,
              {.max = 254, .doc = "Becomes the address when it is confirmed."});
}

struct SignInOptions {
  bool sends_mail = false;
};
template <class Fields>
void Describe(Fields& fields, SignInOptions& options) {
  fields.Name("SignInOptions");
  fields.Body("sendsMail", options.sends_mail,
              {.doc = "Passwords are recovered by e-mail, addresses verified."});
}

struct SessionRequest {
  std::string session_id;
};
template <class Fields>
void Describe(Fields& fields, SessionRequest& request) {
  fields.Path("sessionId", request.session_id, {.kind = model::Kind::kUlid});
}

// What a program gets: tokens. What a browser gets: a cookie, and the token that changes must show.
struct CredentialsAnswer {
  std::string user_id, expires_at;
  std::optional<std::string> access_token, token_type, refresh_token, csrf_token;
  std::optional<int64_t> expires_in;
};
template <class Fields>
void Describe(Fields& fields, CredentialsAnswer& answer) {
  fields.Name("Credentials");
  fields.Body("userId", answer.user_id, {.kind = model::Kind::kId});
  fields.Body("expiresAt", answer.expires_at, kMomentField);
  fields.Body("accessToken", answer.access_token, {.max = 10'000});
  fields.Body("tokenType", answer.token_type);
  fields.Body("expiresIn", answer.expires_in, {.doc = "Seconds the access token is good for."});
  fields.Body("refreshToken", answer.refresh_token, {.max = 10'000, .doc = "Good for one use."});
  fields.Body("csrfToken", answer.csrf_token, {.doc = "For the field X-CSRF-Token."});
}

struct MeAnswer {
  std::string user_id;
  std::optional<std::string> email, display_name, created_at, session_id, csrf_token;
  std::optional<bool> email_verified;  // of accounts
  std::optional<std::string> pending_email;
};
template <class Fields>
void Describe(Fields& fields, MeAnswer& me) {
  fields.Name("Me");
  fields.Body("userId", me.user_id, {.kind = model::Kind::kId});
  fields.Body("email", me.email, kEmailField);
  fields.Body("emailVerified", me.email_verified, {.doc = "Whether mail to the address was answered."});
  fields.Body("pendingEmail", me.pending_email,
              {.max = 254, .doc = "Becomes the address when it is confirmed."});
  fields.Body("displayName", me.display_name, {.max = 200});
  fields.Body("createdAt", me.created_at, kMomentField);
  fields.Body("sessionId", me.session_id);
  fields.Body("csrfToken", me.csrf_token);
}

struct SessionView {
  std::string session_id;
  models::platform::SessionKind kind{};
  bool current = false;
  std::optional<std::string> created_at, renewed_at, user_agent, address;
};
template <class Fields>
void Describe(Fields& fields, SessionView& session) {
  fields.Name("Session");
  fields.Body("sessionId", session.session_id);
  fields.Body("kind", session.kind);
  fields.Body("current", session.current);
  fields.Body("createdAt", session.created_at, kMomentField);
  fields.Body("renewedAt", session.renewed_at, kMomentField);
  fields.Body("userAgent", session.user_agent, {.max = 300});
  fields.Body("address", session.address, {.max = 64});
}

struct SessionList {
  std::vector<SessionView> items;
};
template <class Fields>
void Describe(Fields& fields, SessionList& list) {
  fields.Name("SessionList");
  fields.Body("items", list.items);
}

}  // namespace cairn::identity
