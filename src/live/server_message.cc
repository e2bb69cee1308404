#include "live/server_message.h"

#include "base/json_writer.h"
#include "base/time_text.h"

namespace cairn::live {
namespace {

JsonWriter Begin(std::string_view type) {
  JsonWriter json;
  json.BeginObject().Member("type", type);
  return json;
}

std::string End(JsonWriter& json) {
  json.EndObject();
  return json.Take();
}

}  // namespace

std::string WelcomeMessage(std::string_view user_id, Time expires) {
  JsonWriter json = Begin("welcome");
  json.Member("userId", user_id).Member("expiresAt", FormatIsoMilliseconds(expires));
  return End(json);
}

std::string SubscribedMessage(std::string_view room, std::string_view cursor) {
  JsonWriter json = Begin("subscribed");
  json.Member("room", room).Member("cursor", cursor);
  return End(json);
}

std::string UnsubscribedMessage(std::string_view room) {
  JsonWriter json = Begin("unsubscribed");
  json.Member("room", room);
  return End(json);
}

std::string EventMessage(const Event& event, std::string_view cursor) {
  JsonWriter json = Begin("event");
  json.Member("room", event.room).Member("event", event.name).Key("data").RawValue() += event.data_json;
  json.Member("cursor", cursor);
  return End(json);
}

std::string ResetMessage(std::string_view room, std::string_view cursor) {
  JsonWriter json = Begin("reset");
  json.Member("room", room).Member("cursor", cursor);
  return End(json);
}

std::string PongMessage() {
  JsonWriter json = Begin("pong");
  return End(json);
}

std::string ErrorMessage(std::string_view code, std::string_view detail, std::string_view room) {
  JsonWriter json = Begin("error");
  json.Member("code", code).Member("detail", detail);
  if (!room.empty()) json.Member("room", room);
  return End(json);
}

}  // namespace cairn::live
