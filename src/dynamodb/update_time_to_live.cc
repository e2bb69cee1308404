#include "dynamodb/json_writer.h"
#include "dynamodb/operations.h"
#include "dynamodb/request_reader.h"

namespace cairn::dynamodb {

Task<Answer> UpdateTimeToLive(const OperationContext& context, const RequestReader& request) {
  store::UpdateTimeToLiveRequest update;
  update.table = request.TableName(TableNameKind::kControl);
  const auto specification =
      request.Object("TimeToLiveSpecification", "TimeToLiveSpecification", Presence::kRequired);
  if (specification) {
    update.setting.enabled = specification->Boolean("Enabled", Presence::kRequired).value_or(false);
    update.setting.attribute =
        specification
            ->String("AttributeName", {.presence = Presence::kRequired, .length_min = 1, .length_max = 255})
            .value_or("");
  }
  CO_RETURN_IF_ERROR(request.Check());
  auto setting = co_await context.store.UpdateTimeToLive(std::move(update));
  if (!setting) co_return std::unexpected(std::move(setting).error());

  JsonWriter json;
  json.BeginObject().Key("TimeToLiveSpecification").BeginObject();
  json.Member("AttributeName", setting->attribute).Member("Enabled", setting->enabled);
  json.EndObject().EndObject();
  co_return json.Take();
}

}  // namespace cairn::dynamodb
