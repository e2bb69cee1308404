// The wire's names for the store's enums, in the order in which DynamoDB's messages list them. Reading uses
// RequestReader::Enum, printing NameOf.
#pragma once

#include <string_view>

#include "base/check.h"
#include "dynamodb/request_reader.h"
#include "item/attribute_value.h"
#include "store/stream_requests.h"
#include "store/table.h"

namespace cairn::dynamodb {

enum class KeyRole { kHash, kRange };
enum class TableClass { kStandard, kInfrequentAccess };
enum class SseType { kAes256, kKms };

inline constexpr EnumName<KeyRole> kKeyRoles[] = {{"HASH", KeyRole::kHash}, {"RANGE", KeyRole::kRange}};
inline constexpr EnumName<item::Type> kKeyTypes[] = {
    {"B", item::Type::kBinary}, {"N", item::Type::kNumber}, {"S", item::Type::kString}};
inline constexpr EnumName<store::BillingMode> kBillingModes[] = {
    {"PROVISIONED", store::BillingMode::kProvisioned},
    {"PAY_PER_REQUEST", store::BillingMode::kPayPerRequest}};
inline constexpr EnumName<store::ProjectionType> kProjectionTypes[] = {
    {"ALL", store::ProjectionType::kAll},
    {"INCLUDE", store::ProjectionType::kInclude},
    {"KEYS_ONLY", store::ProjectionType::kKeysOnly}};
inline constexpr EnumName<store::StreamView> kStreamViews[] = {
    {"NEW_IMAGE", store::StreamView::kNewImage},
    {"OLD_IMAGE", store::StreamView::kOldImage},
    {"NEW_AND_OLD_IMAGES", store::StreamView::kNewAndOldImages},
    {"KEYS_ONLY", store::StreamView::kKeysOnly}};
inline constexpr EnumName<store::IteratorType> kIteratorTypes[] = {
    {"TRIM_HORIZON", store::IteratorType::kTrimHorizon},
    {"LATEST", store::IteratorType::kLatest},
    {"AT_SEQUENCE_NUMBER", store::IteratorType::kAtSequence},
    {"AFTER_SEQUENCE_NUMBER", store::IteratorType::kAfterSequence}};
inline constexpr EnumName<TableClass> kTableClasses[] = {
    {"STANDARD", TableClass::kStandard}, {"STANDARD_INFREQUENT_ACCESS", TableClass::kInfrequentAccess}};
inline constexpr EnumName<SseType> kSseTypes[] = {{"AES256", SseType::kAes256}, {"KMS", SseType::kKms}};
inline constexpr EnumName<store::TableStatus> kTableStatuses[] = {{"CREATING", store::TableStatus::kCreating},
                                                                  {"UPDATING", store::TableStatus::kUpdating},
                                                                  {"DELETING", store::TableStatus::kDeleting},
                                                                  {"ACTIVE", store::TableStatus::kActive}};
inline constexpr EnumName<store::IndexStatus> kIndexStatuses[] = {{"CREATING", store::IndexStatus::kCreating},
                                                                  {"UPDATING", store::IndexStatus::kUpdating},
                                                                  {"DELETING", store::IndexStatus::kDeleting},
                                                                  {"ACTIVE", store::IndexStatus::kActive}};
inline constexpr EnumName<store::StreamStatus> kStreamStatuses[] = {
    {"ENABLED", store::StreamStatus::kEnabled}, {"DISABLED", store::StreamStatus::kDisabled}};
inline constexpr EnumName<store::StreamEvent> kStreamEvents[] = {{"INSERT", store::StreamEvent::kInsert},
                                                                 {"MODIFY", store::StreamEvent::kModify},
                                                                 {"REMOVE", store::StreamEvent::kRemove}};

template <class E, size_t N>
std::string_view NameOf(const EnumName<E> (&names)[N], E value) {
  for (const EnumName<E>& entry : names) {
    if (entry.value == value) return entry.name;
  }
  CHECK(false, "every enumerator has a name on the wire");
}

}  // namespace cairn::dynamodb
