// The same read with the AWS command line, to be pasted into a shell.

import type { AttributeMap } from "./attribute_value";

/** The name of the partition key's attribute: that whose value is the partition. */
export function partitionKeyName(keys: AttributeMap | undefined, partition: string): string {
  return Object.keys(keys ?? {}).find((name) => keys?.[name]?.["S"] === partition) ?? "PK";
}

export function queryCommand(endpoint: string, table: string, keyName: string, partition: string): string {
  return command(endpoint, "query", table, [
    `--key-condition-expression ${quoted("#pk = :pk")}`,
    `--expression-attribute-names ${quoted(JSON.stringify({ "#pk": keyName }))}`,
    `--expression-attribute-values ${quoted(JSON.stringify({ ":pk": { S: partition } }))}`,
  ]);
}

export function getItemCommand(endpoint: string, table: string, keys: AttributeMap): string {
  return command(endpoint, "get-item", table, [`--key ${quoted(JSON.stringify(keys))}`]);
}

function command(endpoint: string, verb: string, table: string, more: string[]): string {
  return [`aws dynamodb ${verb} --endpoint-url ${endpoint} --region us-east-1`, `--table-name ${quoted(table)}`, ...more].join(" \\\n  ");
}

/** One word for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
