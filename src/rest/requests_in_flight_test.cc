#include "rest/requests_in_flight.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace cairn::rest {
namespace {

TEST(RequestsInFlight, AUserHasSoManyAtOnceAndOthersHaveTheirs) {
  RequestsInFlight requests;
  const auto ann = http::Account::OfUser("ann"), bob = http::Account::OfUser("bob");
  std::vector<std::unique_ptr<RequestsInFlight::Place>> places;
  for (size_t i = 0; i < RequestsInFlight::kAtOnceMax; ++i) {
    places.push_back(std::make_unique<RequestsInFlight::Place>(requests, ann));
    EXPECT_TRUE(places.back()->is_taken());
  }
  EXPECT_FALSE(RequestsInFlight::Place(requests, ann).is_taken());
  EXPECT_TRUE(RequestsInFlight::Place(requests, bob).is_taken());
  places.pop_back();
  EXPECT_TRUE(RequestsInFlight::Place(requests, ann).is_taken());
  EXPECT_TRUE(RequestsInFlight::Place(requests, ann).is_taken()) << "the one before was given back";
}

}  // namespace
}  // namespace cairn::rest
