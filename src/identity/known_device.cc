#include "identity/known_device.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/base64url.h"
#include "rest/hmac.h"

namespace cairn::identity {
namespace {

constexpr char kSeparator = '~';
constexpr size_t kEntriesMax = 5;
constexpr size_t kEntryBytesMax = 128;
constexpr size_t kCookieBytesMax = kEntriesMax * (kEntryBytesMax + 1);

std::string Mac(std::string_view key, std::string_view email, std::string_view device) {
  std::string text("cairn known device");
  text.append(1, '\0').append(email).append(1, '\0').append(device);
  return rest::HmacSha256(key, text);
}

bool IsEntryCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

// What looks like entries; whose they are only their MACs tell.
std::vector<std::string_view> EntriesOf(std::string_view cookie) {
  std::vector<std::string_view> entries;
  if (cookie.size() > kCookieBytesMax) return entries;
  while (!cookie.empty() && entries.size() < kEntriesMax) {
    const size_t end = std::min(cookie.find(kSeparator), cookie.size());
    const std::string_view entry = cookie.substr(0, end);
    if (!entry.empty() && entry.size() <= kEntryBytesMax && std::ranges::all_of(entry, IsEntryCharacter)) {
      entries.push_back(entry);
    }
    cookie.remove_prefix(std::min(end + 1, cookie.size()));
  }
  return entries;
}

// Nothing unless the entry is this account's, and not too old.
std::optional<std::string> DeviceOf(std::string_view key, std::string_view entry, std::string_view email,
                                    Time now) {
  const size_t second = entry.rfind('.');
  if (second == entry.npos) return std::nullopt;
  const std::string_view device = entry.substr(0, second);  // with its seconds
  const auto mac = DecodeBase64Url(entry.substr(second + 1));
  if (!mac || !rest::EqualInConstantTime(*mac, Mac(key, email, device))) return std::nullopt;
  const size_t first = device.find('.');
  if (first == device.npos) return std::nullopt;
  int64_t since = 0;
  std::from_chars(device.data() + first + 1, device.data() + device.size(), since);
  if (now >= Time(std::chrono::seconds(since)) + kDeviceLifetime) return std::nullopt;
  return std::string(device.substr(0, first));
}

std::string NewDeviceId(Random& random) {
  std::string bytes;
  for (int i = 0; i < 2; ++i) {
    const uint64_t word = random.Next();
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift);
  }
  return EncodeBase64Url(bytes);
}

}  // namespace

std::optional<std::string> FindKnownDevice(std::string_view key, std::string_view cookie,
                                           std::string_view email, Time now) {
  for (const std::string_view entry : EntriesOf(cookie)) {
    if (auto device = DeviceOf(key, entry, email, now)) return device;
  }
  return std::nullopt;
}

std::string RememberDevice(std::string_view key, std::string_view cookie, std::string_view email, Time now,
                           Random& random) {
  // The same id for as long as the browser is known: a login does not make a new device of it.
  std::string device = FindKnownDevice(key, cookie, email, now).value_or("");
  if (device.empty()) device = NewDeviceId(random);
  device += "." + std::to_string(std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count());
  std::string text = device + "." + EncodeBase64Url(Mac(key, email, device));
  size_t count = 1;
  for (const std::string_view entry : EntriesOf(cookie)) {
    if (count == kEntriesMax || DeviceOf(key, entry, email, now)) continue;
    text.append(1, kSeparator).append(entry);
    ++count;
  }
  return text;
}

}  // namespace cairn::identity
