#include "http/response_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

#include "base/json_text.h"

namespace cairn::http {
namespace {

struct Status {
  int code;
  std::string_view phrase;
};

std::string_view ReasonPhrase(int status) {
  static constexpr auto kStatuses = std::to_array<Status>({
      {100, "Continue"},
      {101, "Switching Protocols"},
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {206, "Partial Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {412, "Precondition Failed"},
      {413, "Content Too Large"},
      {414, "URI Too Long"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {421, "Misdirected Request"},
      {422, "Unprocessable Content"},
      {426, "Upgrade Required"},
      {428, "Precondition Required"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
  });
  const auto found = std::ranges::find(kStatuses, status, &Status::code);
  return found == kStatuses.end() ? "Status" : found->phrase;
}

void AppendNumber(std::string& out, uint64_t number) {
  char digits[20];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

bool BreaksLine(char c) { return c == '\r' || c == '\n' || c == '\0'; }

bool BelongsToServer(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"content-length", "transfer-encoding", "connection", "keep-alive", "date", "content-type"});
  return std::ranges::any_of(kNames, [&](std::string_view own) { return EqualsIgnoreCase(name, own); });
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  out += name;
  out += ": ";
  if (std::ranges::any_of(value, BreaksLine)) {
    std::ranges::copy_if(value, std::back_inserter(out), [](char c) { return !BreaksLine(c); });
  } else {
    out += value;
  }
  out += "\r\n";
}

void AppendStatusLine(std::string& out, int status) {
  if (status == 200) {
    out += "HTTP/1.1 200 OK\r\n";
    return;
  }
  out += "HTTP/1.1 ";
  AppendNumber(out, static_cast<uint64_t>(std::clamp(status, 100, 999)));
  out += ' ';
  out += ReasonPhrase(status);
  out += "\r\n";
}

}  // namespace

void WriteResponseHead(const Response& response, const ResponseFraming& framing, std::string& out) {
  out.clear();
  AppendStatusLine(out, response.status);
  if (HasBody(response.status)) {
    if (!response.content_type.empty()) AppendField(out, "Content-Type", response.content_type);
    if (framing.chunked) {
      out += "Transfer-Encoding: chunked\r\n";
    } else if (!framing.until_close) {
      out += "Content-Length: ";
      AppendNumber(out, framing.content_length);
      out += "\r\n";
    }
  }
  AppendField(out, "Date", framing.date);
  for (const auto& [name, value] : response.headers) {
    if (IsToken(name) && !BelongsToServer(name)) AppendField(out, name, value);
  }
  if (framing.gzip) out += "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
  if (framing.crc32) {
    out += "x-amz-crc32: ";
    AppendNumber(out, *framing.crc32);
    out += "\r\n";
  }
  if (response.status == 426) out += "Connection: Upgrade\r\n";  // the handler's Upgrade is for this hop
  if (framing.persistence == Persistence::kUpgrade) out += "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  if (framing.persistence == Persistence::kClose) out += "Connection: close\r\n";
  if (framing.persistence == Persistence::kKeepAliveAnnounced) out += "Connection: keep-alive\r\n";
  out += "\r\n";
}

bool HasBody(int status) { return status >= 200 && status != 204 && status != 304; }

Response FaultResponse(Fault fault) {
  Response response;
  response.status = fault.status;
  if (fault.status == 503) response.headers.emplace_back("Retry-After", "1");
  response.body = R"({"message":)";
  AppendJsonString(response.body, fault.message);
  response.body += '}';
  return response;
}

std::string FormatHttpDate(int64_t epoch_seconds) {
  const time_t seconds = epoch_seconds;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  // Not strftime's %a and %b: they follow the process's locale.
  static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                            "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  char rest[32];
  std::string date = std::string(kDays[parts.tm_wday]) + ", ";
  date.append(rest, std::strftime(rest, sizeof rest, "%d ", &parts));
  date += kMonths[parts.tm_mon];
  date.append(rest, std::strftime(rest, sizeof rest, " %Y %H:%M:%S GMT", &parts));
  return date;
}

}  // namespace cairn::http
