#include "load_request.h"

#include <algorithm>
#include <array>

namespace bench {
namespace {

// Marks of the variable parts, one byte repeated to the part's width; none of them occurs in JSON.
constexpr char kKeyMark = '\1', kTextMark = '\2', kVersionMark = '\3', kNextVersionMark = '\4';
constexpr size_t kKeyWidth = 8, kTextWidth = 130, kVersionWidth = 7;

std::string Key() { return std::string(kKeyWidth, kKeyMark); }

std::string ItemKey() { return R"("pk":{"S":"item#)" + Key() + R"("},"sk":{"S":"detail"})"; }

// About 300 bytes by DynamoDB's count: names, text, numbers, a flag, a list and a map.
std::string Attributes() {
  return R"("version":{"N":")" + std::to_string(kFirstVersion) +
         R"("},"kind":{"S":"order"},"customer":{"S":"customer-0042")"
         R"(},"created":{"S":"2024-05-01T12:34:56Z"},"total":{"N":"129.95"},"paid":{"BOOL":true},)"
         R"("tags":{"L":[{"S":"gift"},{"S":"express"}]},"address":{"M":{"city":{"S":"Utrecht"},"zip":{"S":"3511"}}},)"
         R"("note":{"S":")" +
         std::string(kTextWidth, kTextMark) + "\"}";
}

std::string Item() { return "{" + ItemKey() + "," + Attributes() + "}"; }

std::string Message(std::string_view target, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: "
         "DynamoDB_20120810." +
         std::string(target) +
         "\r\nX-Amz-Date: 20240501T123456Z\r\nAuthorization: AWS4-HMAC-SHA256 "
         "Credential=bench/20240501/us-east-1/dynamodb/aws4_request, "
         "SignedHeaders=content-type;host;x-amz-date;x-amz-target, "
         "Signature=0000000000000000000000000000000000000000000000000000000000000000\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string GetFile() { return "GET /item HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"; }

std::string GetItem() { return Message("GetItem", R"({"TableName":"Bench","Key":{)" + ItemKey() + "}}"); }

std::string Query() {
  return Message("Query", R"({"TableName":"Bench","KeyConditionExpression":"pk = :p",)"
                          R"("ExpressionAttributeValues":{":p":{"S":"part#)" +
                              Key() + R"("}}})");
}

std::string BeginsWith() {
  return Message("Query",
                 R"j({"TableName":"Bench","KeyConditionExpression":"pk = :p AND begins_with(sk, :s)",)j"
                 R"("ExpressionAttributeValues":{":p":{"S":"part#)" +
                     Key() + R"("},":s":{"S":"order#"}}})");
}

std::string PutItem() { return Message("PutItem", R"({"TableName":"Bench","Item":)" + Item() + "}"); }

std::string UpdateItem() {
  return Message(
      "UpdateItem",
      R"({"TableName":"Bench","Key":{)" + ItemKey() +
          R"(},"UpdateExpression":"SET version = :next, note = :note","ConditionExpression":"version = :seen",)"
          R"("ExpressionAttributeValues":{":seen":{"N":")" +
          std::string(kVersionWidth, kVersionMark) + R"("},":next":{"N":")" +
          std::string(kVersionWidth, kNextVersionMark) + R"("},":note":{"S":")" +
          std::string(kTextWidth, kTextMark) + R"("}}})");
}

// Three items written, one of them on condition, and one updated.
std::string TransactWrite() {
  const std::string put = R"({"Put":{"TableName":"Bench","Item":)" + Item() + "}}";
  const std::string put_if =
      R"j({"Put":{"TableName":"Bench","ConditionExpression":"attribute_exists(pk)","Item":)j" + Item() + "}}";
  const std::string update =
      R"({"Update":{"TableName":"Bench","Key":{)" + ItemKey() +
      R"(},"UpdateExpression":"ADD visits :one","ExpressionAttributeValues":{":one":{"N":"1"}}}})";
  return Message("TransactWriteItems",
                 R"({"TransactItems":[)" + put + "," + put + "," + put_if + "," + update + "]}");
}

std::string PutRequest(const std::string& item) { return R"({"PutRequest":{"Item":)" + item + "}}"; }

std::string BatchOf(const std::string& requests) {
  return Message("BatchWriteItem", R"({"RequestItems":{"Bench":[)" + requests + "]}}");
}

std::string BatchWrite() {
  std::string requests = PutRequest(Item());
  for (int i = 1; i < 25; ++i) requests += "," + PutRequest(Item());
  return BatchOf(requests);
}

std::string LoadPartition() {
  std::string requests;
  for (int i = 0; i < 20; ++i) {
    const std::string sort_key = (i < 10 ? "event#0" : "order#") + std::to_string(i);
    requests += (i == 0 ? "" : ",") + PutRequest(R"({"pk":{"S":"part#)" + Key() + R"("},"sk":{"S":")" +
                                                 sort_key + "\"}," + Attributes() + "}");
  }
  return BatchOf(requests);
}

using enum Operation::Keys;
constexpr std::array kOperations = {
    Operation{"file", kNone, "", 300, GetFile},
    Operation{"replay", kNone, "", 2, GetFile},
    Operation{"get", kItems, R"("Item")", 300, GetItem},
    Operation{"query", kPartitions, R"("Count":20)", 6000, Query},
    Operation{"begins", kPartitions, R"("Count":10)", 3000, BeginsWith},
    Operation{"put", kItems, "{", 2, PutItem},
    Operation{"update", kItemsOfConnection, "{", 2, UpdateItem},
    Operation{"transact", kItems, "{", 2, TransactWrite},
    Operation{"batch", kItems, R"("UnprocessedItems":{})", 2, BatchWrite},
    Operation{"load-items", kItemsInOrder, R"("UnprocessedItems":{})", 2, BatchWrite},
    Operation{"load-partitions", kPartitionsInOrder, R"("UnprocessedItems":{})", 2, LoadPartition},
};

// Where runs of `mark` begin, and the first digit in their place so that every message is valid as it stands.
std::vector<size_t> TakeMarks(std::string& bytes, char mark, size_t width) {
  std::vector<size_t> places;
  for (size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at)) {
    places.push_back(at);
    bytes.replace(at, width, width, '0');
  }
  return places;
}

void WriteNumber(char* to, size_t width, uint64_t number) {
  for (size_t i = width; i-- > 0; number /= 10) to[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

const Operation* FindOperation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &Operation::name);
  return found == kOperations.end() ? nullptr : &*found;
}

std::string OperationNames() {
  std::string names;
  for (const Operation& operation : kOperations)
    names += (names.empty() ? "" : " ") + std::string(operation.name);
  return names;
}

LoadRequest::LoadRequest(const Operation& operation) : bytes_(operation.message()) {
  texts_ = TakeMarks(bytes_, kTextMark, kTextWidth);
  keys_ = TakeMarks(bytes_, kKeyMark, kKeyWidth);
  versions_ = TakeMarks(bytes_, kVersionMark, kVersionWidth);
  next_versions_ = TakeMarks(bytes_, kNextVersionMark, kVersionWidth);
}

void LoadRequest::SetKeys(uint64_t base, uint64_t first, uint64_t stride, uint64_t keys) {
  uint64_t number = first;
  for (const size_t at : keys_) {
    WriteNumber(&bytes_[at], kKeyWidth, base + number % keys);
    number += stride;
  }
}

void LoadRequest::SetVersion(uint64_t version) {
  for (const size_t at : versions_) WriteNumber(&bytes_[at], kVersionWidth, version);
  for (const size_t at : next_versions_) WriteNumber(&bytes_[at], kVersionWidth, version + 1);
}

void LoadRequest::FillTexts(Random& random) {
  // 64 letters: six random bits each, so that the texts compress about as badly as real ones.
  static constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const size_t at : texts_) {
    uint64_t bits = 0;
    for (size_t i = 0; i < kTextWidth; ++i) {
      if (i % 10 == 0) bits = random.Next();
      bytes_[at + i] = kLetters[bits & 63];
      bits >>= 6;
    }
  }
}

}  // namespace bench
