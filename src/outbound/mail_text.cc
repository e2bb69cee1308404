#include "outbound/mail_text.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/temporal_text.h"
#include "base/utf8.h"

namespace cairn::outbound {
namespace {

constexpr size_t kSubjectBytesMax = 200;
constexpr size_t kWordBytesMax = 42;  // 56 characters of base64: with its frame and "Subject: " 77 of 78
constexpr size_t kLineBytes = 57;     // 76 characters of base64
constexpr size_t kAddressBytesMax = 254;

std::string Base64(std::string_view bytes) {
  static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (size_t j = 0; j < 4; ++j) text += j <= count ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// One line whatever it was, in words of their own lines.
std::string EncodedSubject(std::string subject) {
  for (char& c : subject) {
    if (IsControl(c)) c = ' ';
  }
  std::string_view rest = CutUtf8(subject, kSubjectBytesMax);
  std::string encoded;
  while (!rest.empty()) {
    const std::string_view word = CutUtf8(rest, kWordBytesMax);
    if (!encoded.empty()) encoded += "\r\n ";
    encoded += "=?UTF-8?B?" + Base64(word) + "?=";
    rest.remove_prefix(word.size());
  }
  return encoded;
}

// "Mon, 16 Nov 2026 09:00:00 +0000"
std::string DateText(Time time) {
  static constexpr const char* kWeekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  std::string iso;
  AppendInstant(iso, time);
  std::string text = kWeekdays[std::chrono::weekday(day).c_encoding()];
  text += ", " + iso.substr(8, 2) + " " + kMonths[static_cast<unsigned>(date.month()) - 1] + " ";
  return text + iso.substr(0, 4) + " " + iso.substr(11, 8) + " +0000";
}

std::string MessageId(const std::string& id, const std::string& from) {
  std::string local = id;
  for (char& c : local) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!is_plain) c = '-';
  }
  return "<" + local + from.substr(from.rfind('@')) + ">";
}

std::string EncodedBody(const std::string& body) {
  std::string lines;  // a text's line ends are CRLF, also inside base64
  for (const char c : body) {
    if (c == '\r') continue;
    if (c == '\n') lines += '\r';
    lines += c;
  }
  std::string encoded;
  for (size_t i = 0; i < lines.size(); i += kLineBytes)
    encoded += Base64(std::string_view(lines).substr(i, kLineBytes)) + "\r\n";
  return encoded;
}

}  // namespace

bool IsPlainMailAddress(const std::string& address) {
  const size_t at = address.rfind('@');
  if (address.size() > kAddressBytesMax || at == std::string::npos || at == 0 || at + 1 == address.size())
    return false;
  return std::ranges::all_of(address, [](char c) {
    const bool is_printable = c > 0x20 && c < 0x7F;
    return is_printable && c != '<' && c != '>' && c != '"' && c != ',' && c != ';' && c != '\\';
  });
}

Result<std::string> MailText(const Mail& mail, const std::string& from) {
  if (!IsPlainMailAddress(mail.to)) return Fail(Invalid("the address cannot be written to"));
  if (!IsPlainMailAddress(from)) return Fail(Invalid("the sender is no address"));
  std::string text = "From: Cairn <" + from + ">\r\n";
  text += "To: <" + mail.to + ">\r\n";
  text += "Subject: " + EncodedSubject(mail.subject) + "\r\n";
  text += "Date: " + DateText(mail.date) + "\r\n";
  text += "Message-ID: " + MessageId(mail.id, from) + "\r\n";
  text += "Auto-Submitted: auto-generated\r\n";
  text += "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n";
  text += "Content-Transfer-Encoding: base64\r\n\r\n";
  return text + EncodedBody(mail.body);
}

}  // namespace cairn::outbound
