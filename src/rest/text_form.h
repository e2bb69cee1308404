// Forms of texts that people and programs give to what they make: titles, ids. Pure.
#pragma once

#include <string_view>

#include "rest/rule.h"

namespace cairn::rest {

// What is wrong with a text of this form, as the end of a sentence ("must not be blank"); empty when nothing
// is. Precondition: UTF-8.
std::string_view FormFault(Form form, std::string_view text);

}  // namespace cairn::rest
