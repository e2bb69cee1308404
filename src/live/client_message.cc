#include "live/client_message.h"

#include <algorithm>
#include <initializer_list>

#include "rest/json_object.h"

namespace cairn::live {
namespace {

using Parsed = Result<ClientMessage, MessageFault>;

std::unexpected<MessageFault> Malformed(std::string detail) {
  return std::unexpected(MessageFault{"malformed", std::move(detail)});
}

Result<void, MessageFault> AllowOnly(const item::Item& members,
                                     std::initializer_list<std::string_view> names) {
  for (const item::Attribute& member : members) {
    if (member.name == "type" || std::ranges::find(names, member.name) != names.end()) continue;
    return Malformed("This message has no member '" + rest::Shown(member.name) + "'; leave it out.");
  }
  return {};
}

Result<std::string, MessageFault> Text(const item::Item& members, std::string_view name) {
  const item::AttributeValue* value = members.Find(name);
  if (value == nullptr || !value->is(item::Type::kString)) {
    return Malformed("This message needs a text as '" + std::string(name) + "'.");
  }
  return value->string();
}

Result<std::optional<std::string>, MessageFault> OptionalText(const item::Item& members,
                                                              std::string_view name) {
  const item::AttributeValue* value = members.Find(name);
  if (value == nullptr || value->is(item::Type::kNull)) return std::nullopt;
  ASSIGN_OR_RETURN(std::string text, Text(members, name));
  return text;
}

Parsed ReadAuthenticate(const item::Item& members) {
  RETURN_IF_ERROR(AllowOnly(members, {"token"}));
  ASSIGN_OR_RETURN(std::string token, Text(members, "token"));
  return Authenticate{std::move(token)};
}

Parsed ReadSubscribe(const item::Item& members) {
  RETURN_IF_ERROR(AllowOnly(members, {"room", "cursor"}));
  ASSIGN_OR_RETURN(std::string room, Text(members, "room"));
  ASSIGN_OR_RETURN(std::optional<std::string> cursor, OptionalText(members, "cursor"));
  return Subscribe{std::move(room), std::move(cursor)};
}

Parsed ReadUnsubscribe(const item::Item& members) {
  RETURN_IF_ERROR(AllowOnly(members, {"room"}));
  ASSIGN_OR_RETURN(std::string room, Text(members, "room"));
  return Unsubscribe{std::move(room)};
}

}  // namespace

Parsed ParseClientMessage(std::string_view text) {
  const auto members = rest::ParseJsonObject(text);
  if (!members) return Malformed("A message is one JSON object in which no member occurs twice.");
  ASSIGN_OR_RETURN(const std::string type, Text(*members, "type"));
  if (type == "auth") return ReadAuthenticate(*members);
  if (type == "subscribe") return ReadSubscribe(*members);
  if (type == "unsubscribe") return ReadUnsubscribe(*members);
  if (type == "ping") {
    RETURN_IF_ERROR(AllowOnly(*members, {}));
    return Ping{};
  }
  return std::unexpected(
      MessageFault{"unknown-type", "There is no message of the type '" + rest::Shown(type) +
                                       "'; there are 'auth', 'subscribe', 'unsubscribe' and 'ping'."});
}

}  // namespace cairn::live
