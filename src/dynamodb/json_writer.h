// JsonWriter, under the name the operations know it by.
#pragma once

#include "base/json_writer.h"

namespace cairn::dynamodb {

using cairn::JsonWriter;

}  // namespace cairn::dynamodb
