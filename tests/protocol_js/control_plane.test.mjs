// Tables, indexes, streams, tags and time to live through the plain clients.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  CreateTableCommand, DeleteTableCommand, DescribeTableCommand, DescribeTimeToLiveCommand, DynamoDBClient,
  ListTablesCommand, ListTagsOfResourceCommand, PutItemCommand, TagResourceCommand, UpdateTableCommand,
  UpdateTimeToLiveCommand, waitUntilTableExists, waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand, DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand, ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";
import { settings, startServer } from "./server.mjs";

let server, client, streams;
const table = `control-${process.pid}`;

before(async () => {
  server = await startServer();
  client = new DynamoDBClient(settings(server.url));
  streams = new DynamoDBStreamsClient(settings(server.url));
  await client.send(new CreateTableCommand({
    TableName: table,
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: table });
});

after(async () => {
  client.destroy();
  streams.destroy();
  await server.stop();
});

const describe = async () => (await client.send(new DescribeTableCommand({ TableName: table }))).Table;

test("the table is listed and described", async () => {
  const { TableNames } = await client.send(new ListTablesCommand({}));
  assert.ok(TableNames.includes(table));
  const description = await describe();
  assert.equal(description.TableStatus, "ACTIVE");
  assert.ok(description.CreationDateTime instanceof Date);
});

test("a stream gives the changes in order", async () => {
  for (const n of ["1", "2"]) {
    await client.send(new PutItemCommand({ TableName: table, Item: { pk: { S: "a" }, n: { N: n } } }));
  }
  const { Streams } = await streams.send(new ListStreamsCommand({ TableName: table }));
  const StreamArn = Streams[0].StreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const { ShardIterator } = await streams.send(new GetShardIteratorCommand({
    StreamArn, ShardId: StreamDescription.Shards[0].ShardId, ShardIteratorType: "TRIM_HORIZON",
  }));
  const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
  assert.deepEqual(Records.map((record) => record.eventName), ["INSERT", "MODIFY"]);
  assert.deepEqual(Records[1].dynamodb.OldImage.n, { N: "1" });
  assert.deepEqual(Records[1].dynamodb.NewImage.n, { N: "2" });
});

test("an index can be added to a living table", async () => {
  await client.send(new UpdateTableCommand({
    TableName: table,
    AttributeDefinitions: [{ AttributeName: "n", AttributeType: "N" }],
    GlobalSecondaryIndexUpdates: [{ Create: {
      IndexName: "by-n", KeySchema: [{ AttributeName: "n", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" },
    } }],
  }));
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: table });
  assert.equal((await describe()).GlobalSecondaryIndexes[0].IndexName, "by-n");
});

test("tags and time to live are kept", async () => {
  const { TableArn } = await describe();
  await client.send(new TagResourceCommand({ ResourceArn: TableArn, Tags: [{ Key: "k", Value: "v" }] }));
  const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: TableArn }));
  assert.deepEqual(Tags, [{ Key: "k", Value: "v" }]);
  await client.send(new UpdateTimeToLiveCommand({
    TableName: table, TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" },
  }));
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: table }));
  assert.equal(TimeToLiveDescription.AttributeName, "expires");
});

test("errors have DynamoDB's names", async () => {
  const rejects = (command, name) => assert.rejects(client.send(command), (error) => error.name === name);
  await rejects(new DescribeTableCommand({ TableName: "no-such-table" }), "ResourceNotFoundException");
  await rejects(new PutItemCommand({ TableName: table, Item: { other: { S: "x" } } }), "ValidationException");
});

test("a deleted table is gone", async () => {
  await client.send(new DeleteTableCommand({ TableName: table }));
  await waitUntilTableNotExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: table });
});
