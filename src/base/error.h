// Error: what went wrong, as a closed set of codes plus a sentence for a person.
//
// Codes know nothing of HTTP or of DynamoDB's exception names; the edges translate them with tables.
#pragma once

#include <string>
#include <string_view>

namespace cairn {

enum class Code {
  kInvalidArgument,        // the request breaks a rule; nothing was changed
  kMalformed,              // the request is not even well formed (JSON, types of fields)
  kUnknownOperation,       // no such operation
  kUnauthenticated,        // no credentials in the request
  kIncompleteSignature,    // credentials present, but not well formed
  kInvalidSignature,       // the signature does not match the request, or its time has passed
  kUnknownCredential,      // no such access key
  kAccessDenied,           // known caller, not allowed
  kConditionFailed,        // a condition evaluated to false
  kTransactionCanceled,    // a transaction was refused as a whole; reasons per action go along
  kTransactionConflict,    // another transaction touches the same item
  kTransactionInProgress,  // the same client token is being worked on
  kIdempotencyMismatch,    // the same client token came with other parameters
  kResourceNotFound,       // table, index or stream
  kResourceInUse,          // table exists already, or is being changed
  kTableNotFound,          // the name DynamoDB's backup operations use for a missing table
  kTableInUse,
  kTableExists,  // restore target exists
  kIndexNotFound,
  kBackupNotFound,
  kBackupInUse,
  kLimitExceeded,       // too many of something
  kCollectionTooLarge,  // item collection of a table with local indexes above its limit
  kDuplicateItem,       // PartiQL INSERT of an existing item
  kTrimmedData,         // stream records no longer kept
  kExpiredIterator,
  kTooLarge,     // the request body is above the limit
  kOverloaded,   // try again later
  kStorageFull,  // the disk is full; reads go on
  kReadOnly,     // a write failed on disk, so the store takes no more writes until restart
  kDamaged,      // stored bytes do not pass their checks
  kUnavailable,
  kInternal,
};

std::string_view CodeName(Code code);

struct Error {
  Code code = Code::kInternal;
  std::string message;
};

// The most frequent one: a request that breaks a rule.
Error Invalid(std::string message);

}  // namespace cairn
