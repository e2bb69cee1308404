// Sessions of a shipped model, for its generated functions.
#pragma once

#include "session_fixture.h"

namespace cairn::models {

// A test of the model with this namespace: using TaskTest = ModelTest<&personal_os::LoadModel>.
template <auto kLoadModel>
class ModelTest : public model::SessionTest {
 protected:
  void SetUp() override { Start(kLoadModel()); }

  model::Session SessionOf(std::string user) { return {*database_, As(std::move(user))}; }
  model::Session SystemSession() { return {*database_, model::Caller::System()}; }

  static model::Committed Commit(model::Session& session) {
    auto committed = SyncWait(session.Commit());
    EXPECT_TRUE(committed) << (committed ? "" : committed.error().error.message);
    return committed ? *std::move(committed) : model::Committed();
  }
};

// The value, or a failed test and an empty value.
template <class T>
T Value(model::Outcome<T> outcome) {
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().error.message);
  return outcome ? *std::move(outcome) : T();
}
template <class T>
T Value(Task<model::Outcome<T>> task) {
  return Value(SyncWait(std::move(task)));
}
inline void Staged(const model::Outcome<void>& outcome) {
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().error.message);
}

}  // namespace cairn::models
