// A mail as the bytes that go to a mail server (RFC 5322, MIME). Nothing that a person wrote can become a
// header: the subject is encoded (RFC 2047) and cut, the body is base64, addresses are checked. Pure.
#pragma once

#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace cairn::outbound {

struct Mail {
  std::string id;             // the same for the same mail, however often it is sent: its Message-ID
  std::string to;             // an address
  std::string subject, body;  // UTF-8; line ends of the body are LF
  Time date;
};

// Whether it can stand in a header and in the conversation with a mail server: name@host in printable ASCII
// without spaces, quotes and angle brackets.
bool IsPlainMailAddress(const std::string& address);

// Fails with kInvalidArgument when one of the addresses is no plain one.
Result<std::string> MailText(const Mail& mail, const std::string& from);

}  // namespace cairn::outbound
