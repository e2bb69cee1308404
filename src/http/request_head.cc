#include "http/request_head.h"

#include <algorithm>
#include <array>
#include <boost/beast/http/basic_parser.hpp>
#include <charconv>
#include <cstring>
#include <optional>

namespace cairn::http {
namespace {

namespace beast = boost::beast;

std::string_view ToView(beast::string_view text) { return {text.data(), text.size()}; }

// Visible ASCII only. Answers repeat the Host, so it must be text.
bool IsVisible(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

// Fields that say who is asking, from where, or on what condition. Of two, one reader would take the first
// and another the last, so a request has each at most once. Host and those of the body's framing have rules
// of their own. Cookie may be repeated by what stands between; cookies.h takes no name twice.
constexpr auto kSingleFields =
    std::to_array<std::string_view>({"Authorization", "Origin", "Content-Type", "If-Match", "Idempotency-Key",
                                     "X-CSRF-Token", "Sec-Fetch-Site"});

// Beast splits lines and checks characters; everything that decides where a request ends is decided here.
class HeadParser final : public beast::http::basic_parser<true> {
 public:
  explicit HeadParser(Request& request) : request_(request) {
    request_.headers.clear();
    request_.repeated_field = {};
    header_limit(UINT32_MAX);  // the caller has measured the head
    body_limit(boost::none);
  }

  Result<Framing, Fault> Parse(std::string_view head) {
    beast::error_code error;
    const size_t consumed = put(boost::asio::const_buffer(head.data(), head.size()), error);
    if (fault_) return std::unexpected(*fault_);
    if (error || consumed != head.size() || !is_header_done()) {
      return std::unexpected(Fault{400, "The request head is not well formed."});
    }
    return Finish();
  }

 private:
  using error_code = beast::error_code;
  using string_view = beast::string_view;
  using field = beast::http::field;

  void on_request_impl(beast::http::verb, string_view method, string_view target, int version,
                       error_code& error) override {
    request_.method = ToView(method);
    request_.target = ToView(target);
    request_.http_1_0 = framing_.http_1_0 = version == 10;
    if (target.size() > kTargetBytesMax) Refuse(Fault{414, "The request target is too long."}, error);
  }

  void on_field_impl(field id, string_view name, string_view value, error_code& error) override {
    request_.headers.push_back({ToView(name), ToView(value)});
    switch (id) {
      case field::content_length:
        return OnContentLength(ToView(value), error);
      case field::transfer_encoding:
        return OnTransferEncoding(ToView(value), error);
      case field::host:
        if (has_host_) Refuse(Fault{400, "The Host field occurs more than once."}, error);
        if (!IsVisible(ToView(value))) Refuse(Fault{400, "The Host field is not well formed."}, error);
        has_host_ = true;
        framing_.host = ToView(value);
        return;
      case field::expect:
        if (!EqualsIgnoreCase(ToView(value), "100-continue")) {
          return Refuse(Fault{417, "The expectation is not supported."}, error);
        }
        framing_.expects_continue = true;
        return;
      case field::content_encoding:
        // Two fields are a list; a list is two codings, which nothing here decodes.
        framing_.content_encoding = framing_.content_encoding.empty() ? ToView(value) : "multiple";
        return;
      case field::accept_encoding:
        framing_.accept_encoding = ToView(value);
        return;
      default:
        return NoteSingleField(ToView(name));
    }
  }

  void NoteSingleField(std::string_view name) {
    for (size_t i = 0; i < kSingleFields.size(); ++i) {
      const std::string_view single = kSingleFields[i];
      if (name.size() != single.size() || !EqualsIgnoreCase(name, single)) continue;
      if ((seen_ & (1u << i)) != 0) request_.repeated_field = single;
      seen_ |= 1u << i;
      return;
    }
  }

  void OnContentLength(std::string_view value, error_code& error) {
    uint64_t length = 0;
    const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), length);
    const bool is_number = status == std::errc() && end == value.data() + value.size();
    if (has_content_length_ || !is_number) {
      return Refuse(Fault{400, "The Content-Length is not one decimal number."}, error);
    }
    has_content_length_ = true;
    framing_.content_length = length;
  }

  void OnTransferEncoding(std::string_view value, error_code& error) {
    if (framing_.chunked || framing_.http_1_0 || !EqualsIgnoreCase(value, "chunked")) {
      return Refuse(Fault{400, "The Transfer-Encoding is not supported."}, error);
    }
    framing_.chunked = true;
  }

  Result<Framing, Fault> Finish() {
    if (framing_.chunked && has_content_length_) {
      return std::unexpected(Fault{400, "Content-Length and Transfer-Encoding exclude each other."});
    }
    if (!has_host_ && !framing_.http_1_0) return std::unexpected(Fault{400, "The Host field is missing."});
    framing_.expects_continue = framing_.expects_continue && !framing_.http_1_0;
    framing_.keep_alive = keep_alive();
    return framing_;
  }

  void Refuse(Fault fault, error_code& error) {
    fault_ = fault;
    error = beast::http::error::bad_value;
  }

  void on_header_impl(error_code&) override {}
  // The parser never sees a body.
  void on_body_init_impl(boost::optional<uint64_t> const&, error_code&) override {}
  size_t on_body_impl(string_view body, error_code&) override { return body.size(); }
  void on_chunk_header_impl(uint64_t, string_view, error_code&) override {}
  size_t on_chunk_body_impl(uint64_t, string_view body, error_code&) override { return body.size(); }
  void on_finish_impl(error_code&) override {}
  void on_response_impl(int, string_view, int, error_code&) override {}

  Request& request_;
  Framing framing_;
  std::optional<Fault> fault_;
  bool has_content_length_ = false;
  bool has_host_ = false;
  unsigned seen_ = 0;  // of kSingleFields, a bit each
};

}  // namespace

HeadScanner::Outcome HeadScanner::Scan(std::string_view input) {
  while (const void* found = std::memchr(input.data() + scanned_, '\n', input.size() - scanned_)) {
    const size_t newline = static_cast<size_t>(static_cast<const char*>(found) - input.data());
    if (newline == line_start_ || input[newline - 1] != '\r') return Outcome::kBroken;
    const bool is_continuation = input[line_start_] == ' ' || input[line_start_] == '\t';
    if (is_continuation) return Outcome::kBroken;
    const bool is_empty_line = newline == line_start_ + 1;
    scanned_ = line_start_ = newline + 1;
    if (is_empty_line) return Outcome::kComplete;
  }
  scanned_ = input.size();
  return Outcome::kIncomplete;
}

Result<Framing, Fault> ParseHead(std::string_view head, Request& request) {
  return HeadParser(request).Parse(head);
}

}  // namespace cairn::http
