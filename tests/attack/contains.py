"""contains() of a long text in a longer one, in filters and in conditions that the one writer has to judge."""

import json

from attack import Attack, end

TEXT_BYTES, PART_BYTES = 390_000, 190_000


def operation(attack, name, body):
    return attack.stranger().send("POST", "/", body, **{
        "Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": f"DynamoDB_20120810.{name}",
        "Authorization": "AWS4-HMAC-SHA256 Credential=AKIACAIRNTESTKEY0001/20260101/us-east-1/dynamodb/aws4_request, "
                         "SignedHeaders=host, Signature=" + "0" * 64, "X-Amz-Date": "20260101T000000Z"})


with Attack("contains") as attack:
    status, _, told = operation(attack, "CreateTable", {
        "TableName": "attacked", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
    assert status == 200, told
    text, part = "a" * TEXT_BYTES, "a" * PART_BYTES + "b"
    operation(attack, "PutItem", {"TableName": "attacked", "Item": {"pk": {"S": "x"}, "s": {"S": text}}})
    condition = {"TableName": "attacked", "Key": {"pk": {"S": "x"}}, "ConditionExpression": "contains(s, :p)",
                 "ExpressionAttributeValues": {":p": {"S": part}}}
    search = {"TableName": "attacked", "FilterExpression": "contains(s, :p)", "ExpressionAttributeValues": {":p": {"S": part}}}
    statuses = []
    with attack.under_way():
        attack.at_once(8, lambda n: [statuses.append(operation(attack, *(("DeleteItem", condition) if n % 2 else ("Scan", search)))[0])
                                     for _ in range(3)])
    attack.check("all 24 were answered", len(statuses) == 24, json.dumps(statuses))
end()
