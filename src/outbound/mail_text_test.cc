#include "outbound/mail_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::outbound {
namespace {

using testing::HasSubstr;
using testing::Not;

Mail Example() {
  return {.id = "rem_1:2026-11-16T09:00:00Z",
          .to = "ada@example.org",
          .subject = "dentist",
          .body = "dentist\n",
          .date = std::chrono::sys_days(std::chrono::year(2026) / 11 / 16) + std::chrono::hours(9)};
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find("\r\n", begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end == std::string::npos ? text.size() : end + 2;
  }
  return lines;
}

TEST(MailText, HasWhatAMailNeeds) {
  EXPECT_EQ(MailText(Example(), "cairn@host.example").value_or(""),
            "From: Cairn <cairn@host.example>\r\n"
            "To: <ada@example.org>\r\n"
            "Subject: =?UTF-8?B?ZGVudGlzdA==?=\r\n"
            "Date: Mon, 16 Nov 2026 09:00:00 +0000\r\n"
            "Message-ID: <rem-1-2026-11-16T09-00-00Z@host.example>\r\n"
            "Auto-Submitted: auto-generated\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: base64\r\n"
            "\r\n"
            "ZGVudGlzdA0K\r\n");
}

TEST(MailText, NothingWrittenByPeopleBecomesAHeader) {
  Mail mail = Example();
  mail.subject = "a\r\nBcc: everybody@example.org\r\n\r\nbody\n.\r\n";
  mail.body = "\r\n.\r\nMAIL FROM:<x@y>\r\n";
  mail.id = "x>\r\nBcc: y";
  const std::string text = MailText(mail, "cairn@host.example").value_or("");
  EXPECT_THAT(text, Not(HasSubstr("Bcc: ")));
  EXPECT_THAT(text, Not(HasSubstr("MAIL")));
  for (const std::string& line : LinesOf(text)) EXPECT_NE(line, ".");
}

TEST(MailText, LongSubjectsAreCutBetweenCharacters) {
  Mail mail = Example();
  mail.subject.clear();
  for (int i = 0; i < 500; ++i) mail.subject += "\xE2\x82\xAC";  // euro signs
  const std::string text = MailText(mail, "cairn@host.example").value_or("");
  size_t words = 0;
  for (const std::string& line : LinesOf(text)) {
    EXPECT_LE(line.size(), 78u) << line;
    if (line.find("=?UTF-8?B?") != std::string::npos) ++words;
  }
  EXPECT_EQ(words, 5u);  // 198 bytes, 42 a word
  EXPECT_THAT(text, HasSubstr("Subject: =?UTF-8?B?4oKs4oKs4oKs"));
}

TEST(MailText, OtherAddressesAreRefused) {
  for (const char* address :
       {"", "ada", "@example.org", "ada@", "ada@example.org\r\nBcc: x@y.z", "a b@example.org", "<a@b>@c",
        "ada@example.org>", "\"a\"@b.c", "a@b.c,d@e.f", "\xC3\xA4@example.org"}) {
    Mail mail = Example();
    mail.to = address;
    EXPECT_FALSE(MailText(mail, "cairn@host.example")) << address;
    EXPECT_FALSE(MailText(Example(), address)) << address;
  }
}

}  // namespace
}  // namespace cairn::outbound
