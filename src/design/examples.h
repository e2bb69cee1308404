// Made-up values and items for documents and exports: the same ones every time, shaped by the declared types.
// They show what keys look like; nothing is stored.
#pragma once

#include <string>

#include "item/attribute_value.h"
#include "model/definition.h"

namespace cairn::design {

// The attributes of the n-th example (n = 0, 1, ...) under their stored names, those told by the key only
// included.
item::Item ExampleValues(const model::Model& model, const model::Entity& entity, int n);
// As stored: with keys, index keys and type. Where no example fits a key (a pattern that only the model's
// author can satisfy), the key is the template's own text.
item::Item ExampleItem(const model::Model& model, const model::Entity& entity, int n);
// A key for the eye: "USER#user-1#2026"; the template's text when no example fits.
std::string ExampleKey(const model::Model& model, const model::Entity& entity, const model::Template& key,
                       int n);

}  // namespace cairn::design
