// From the names of a model to those of C++: dueDate -> due_date, tasksByStatus -> TasksByStatus, IN_PROGRESS
// -> kInProgress. Pure; used by plan.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn::modelgen {

// The words of a name in lower case: "startUTC" and "start_utc" are start, utc; "URLPath" is url, path;
// "s3Path" is s3, path. What is no ASCII letter or digit only separates.
std::vector<std::string> Words(std::string_view name);

// Variables and members; a keyword of C++ gets a '_' behind it.
std::string SnakeCase(std::string_view name);
// Types and functions. A name that is in this form already stays as it is.
std::string PascalCase(std::string_view name);
// kNotStarted. `position` names a value that has no letter or digit: "+" as the second one is kValue2. What
// would hide a constant of the generated header (kModelName) gets a '_' behind it.
std::string EnumeratorName(std::string_view value, size_t position);
// Of a model and its files: personal-os -> personal_os.
std::string NamespaceName(std::string_view model_name);

}  // namespace cairn::modelgen
