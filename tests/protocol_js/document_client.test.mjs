// The document client: plain JavaScript values in and out. The first test is the README's example.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand, BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, ExecuteStatementCommand, GetCommand,
  PutCommand, QueryCommand, ScanCommand, TransactGetCommand, TransactWriteCommand, UpdateCommand,
  paginateQuery,
} from "@aws-sdk/lib-dynamodb";
import { settings, startServer } from "./server.mjs";

let server, client, documents;
const table = `documents-${process.pid}`;

before(async () => {
  server = await startServer();
  client = new DynamoDBClient(settings(server.url));
  documents = DynamoDBDocumentClient.from(client);
  await client.send(new CreateTableCommand({
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" }, { AttributeName: "sk", AttributeType: "N" },
      { AttributeName: "owner", AttributeType: "S" },
    ],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }, { AttributeName: "sk", KeyType: "RANGE" }],
    GlobalSecondaryIndexes: [{
      IndexName: "by-owner", KeySchema: [{ AttributeName: "owner", KeyType: "HASH" }],
      Projection: { ProjectionType: "ALL" },
    }],
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: table });
});

after(async () => {
  client.destroy();
  await server.stop();
});

test("an item that was put is found", async () => {
  await documents.send(new PutCommand({ TableName: table, Item: { pk: "hello", sk: 1, text: "world" } }));
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { pk: "hello", sk: 1 } }));
  assert.deepEqual(Item, { pk: "hello", sk: 1, text: "world" });
});

test("every type survives the round trip", async () => {
  const item = {
    pk: "types", sk: 1, text: "grün 😀", empty: "", number: -12.5, yes: true, nothing: null,
    list: [1, "two", { three: [3] }], map: { deep: { er: [] } }, bytes: new Uint8Array([0, 255]),
    set: new Set(["a", "b"]), numbers: new Set([1, 2]),
  };
  await documents.send(new PutCommand({ TableName: table, Item: item }));
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { pk: "types", sk: 1 } }));
  assert.deepEqual({ ...Item, bytes: [...Item.bytes] }, { ...item, bytes: [0, 255] });
});

test("a failed condition is its own exception with the item", async () => {
  await documents.send(new PutCommand({ TableName: table, Item: { pk: "lock", sk: 1, by: "first" } }));
  await assert.rejects(
    documents.send(new PutCommand({
      TableName: table, Item: { pk: "lock", sk: 1, by: "second" }, ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    })),
    (error) => error.name === "ConditionalCheckFailedException" && error.Item.by.S === "first",
  );
});

test("updates return what was asked for and deletes what there was", async () => {
  const key = { pk: "counter", sk: 1 };
  const update = (ReturnValues) => documents.send(new UpdateCommand({
    TableName: table, Key: key, UpdateExpression: "ADD #n :one SET seen = list_append(if_not_exists(seen, :none), :me)",
    ExpressionAttributeNames: { "#n": "n" }, ExpressionAttributeValues: { ":one": 1, ":none": [], ":me": ["x"] },
    ReturnValues,
  }));
  assert.deepEqual((await update("UPDATED_NEW")).Attributes, { n: 1, seen: ["x"] });
  assert.deepEqual((await update("ALL_NEW")).Attributes, { ...key, n: 2, seen: ["x", "x"] });
  const { Attributes } = await documents.send(new DeleteCommand({ TableName: table, Key: key, ReturnValues: "ALL_OLD" }));
  assert.equal(Attributes.n, 2);
});

test("queries page through a partition in order, forwards and backwards", async () => {
  const items = Array.from({ length: 25 }, (_, n) => ({ pk: "pages", sk: n - 12, owner: "o" }));
  await documents.send(new BatchWriteCommand({
    RequestItems: { [table]: items.map((Item) => ({ PutRequest: { Item } })) },
  }));
  const read = async (ScanIndexForward) => {
    const found = [];
    const pages = paginateQuery({ client: documents, pageSize: 4 }, {
      TableName: table, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: { ":p": "pages" }, ScanIndexForward,
    });
    for await (const page of pages) found.push(...page.Items.map((item) => item.sk));
    return found;
  };
  assert.deepEqual(await read(true), items.map((item) => item.sk));
  assert.deepEqual(await read(false), items.map((item) => item.sk).reverse());
  const indexed = await documents.send(new QueryCommand({
    TableName: table, IndexName: "by-owner", KeyConditionExpression: "#o = :o", ExpressionAttributeNames: { "#o": "owner" },
    ExpressionAttributeValues: { ":o": "o" }, Select: "COUNT",
  }));
  assert.equal(indexed.Count, 25);
});

test("scans filter, batches get", async () => {
  await documents.send(new PutCommand({ TableName: table, Item: { pk: "needle", sk: 7, hay: false } }));
  const { Items } = await documents.send(new ScanCommand({
    TableName: table, FilterExpression: "hay = :no", ExpressionAttributeValues: { ":no": false },
  }));
  assert.deepEqual(Items, [{ pk: "needle", sk: 7, hay: false }]);
  const { Responses } = await documents.send(new BatchGetCommand({
    RequestItems: { [table]: { Keys: [{ pk: "needle", sk: 7 }, { pk: "nobody", sk: 1 }] } },
  }));
  assert.equal(Responses[table].length, 1);
});

test("a transaction is all or nothing and says why", async () => {
  const put = (sk, more) => ({ Put: { TableName: table, Item: { pk: "txn", sk }, ...more } });
  await documents.send(new TransactWriteCommand({ TransactItems: [put(1), put(2)] }));
  await assert.rejects(
    documents.send(new TransactWriteCommand({
      TransactItems: [put(3), put(1, { ConditionExpression: "attribute_not_exists(pk)" })],
    })),
    (error) => error.name === "TransactionCanceledException" &&
      error.CancellationReasons.map((reason) => reason.Code).join() === "None,ConditionalCheckFailed",
  );
  const { Responses } = await documents.send(new TransactGetCommand({
    TransactItems: [1, 2, 3].map((sk) => ({ Get: { TableName: table, Key: { pk: "txn", sk } } })),
  }));
  assert.deepEqual(Responses.map((response) => response.Item?.sk), [1, 2, undefined]);
});

test("PartiQL statements take parameters", async () => {
  await documents.send(new ExecuteStatementCommand({
    Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?, 'v': ?}`, Parameters: ["sql", 1, { deep: [true] }],
  }));
  const { Items } = await documents.send(new ExecuteStatementCommand({
    Statement: `SELECT * FROM "${table}" WHERE pk = ? AND sk = ?`, Parameters: ["sql", 1],
  }));
  assert.deepEqual(Items, [{ pk: "sql", sk: 1, v: { deep: [true] } }]);
});
