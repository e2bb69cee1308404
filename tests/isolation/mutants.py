"""Servers with broken promises, made by a proxy before a good one. The workloads that name one must notice it."""

import asyncio
import json

from proxy import Answer

OFTEN, SELDOM = 0.2, 0.03
GAP_SECONDS = 0.003  # what a store that does things one after another leaves between them


class Way:
    """Passes everything on."""

    def __init__(self, random):
        self.random = random

    async def handle(self, request, upstream):
        change = getattr(self, request.operation, None)
        answer = await change(request, upstream) if change else None
        return answer or await upstream.send(request)

    def happens(self, share):
        return self.random.random() < share


class StaleReads(Way):
    """GetItem is now and then answered from memory."""

    def __init__(self, random):
        super().__init__(random)
        self.remembered = {}

    async def GetItem(self, request, upstream):
        old = self.remembered.get(request.body)
        if old and self.happens(SELDOM):
            return old
        answer = await upstream.send(request)
        if old is None or self.happens(OFTEN):
            self.remembered[request.body] = answer
        return answer


class LostUpdates(Way):
    """An append is a read and then a write of the whole list."""

    async def UpdateItem(self, request, upstream):
        body = request.json()
        if "list_append" not in body["UpdateExpression"] or "ConditionExpression" in body or not self.happens(OFTEN):
            return None
        where = {"TableName": body["TableName"], "Key": body["Key"], "ConsistentRead": True}
        found = (await upstream.send(request.altered("GetItem", where))).json().get("Item", {})
        await asyncio.sleep(GAP_SECONDS)
        values = body["ExpressionAttributeValues"]
        whole = {"L": found.get("l", {"L": []})["L"] + values.pop(":new")["L"]}
        del values[":none"]
        body["UpdateExpression"], values[":whole"] = "SET wide = :w, l = :whole", whole
        return await upstream.send(request.altered("UpdateItem", body))


SINGLE = {"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem"}


def canceled(count, failed):
    reasons = [{"Code": "ConditionalCheckFailed" if n == failed else "None"} for n in range(count)]
    return Answer.made(400, {"__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                             "message": "Transaction cancelled", "CancellationReasons": reasons})


class TornTransactions(Way):
    """The writes of a transaction are done one after another, and stop at the first that fails."""

    async def TransactWriteItems(self, request, upstream):
        actions = request.json()["TransactItems"]
        if not self.happens(OFTEN) or any("ConditionCheck" in action for action in actions):
            return None
        for number, action in enumerate(actions):
            (kind, body), = action.items()
            if (await upstream.send(request.altered(SINGLE[kind], body))).status != 200:
                return canceled(len(actions), number)
            await asyncio.sleep(GAP_SECONDS)
        return Answer.made(200, {})


class WriteSkew(Way):
    """Transactions look at the items they write only: what they merely check is not locked."""

    async def TransactWriteItems(self, request, upstream):
        body = request.json()
        for check in [action["ConditionCheck"] for action in body["TransactItems"] if "ConditionCheck" in action]:
            check.pop("ExpressionAttributeValues", None)
            check["ConditionExpression"] = "attribute_exists(pk) OR attribute_not_exists(pk)"
        return await upstream.send(request.altered("TransactWriteItems", body))


class DuplicatedAppends(Way):
    """A request is now and then done twice, as by a retry that nobody asked for."""

    async def UpdateItem(self, request, upstream):
        if self.happens(SELDOM):
            await upstream.send(request)
        return None


class DirtyAborts(Way):
    """A refused transaction leaves its first write behind."""

    async def TransactWriteItems(self, request, upstream):
        answer = await upstream.send(request)
        if answer.status != 200 and self.happens(OFTEN):
            (kind, body), = request.json()["TransactItems"][-1].items()
            if kind in SINGLE:
                for name in ("ConditionExpression", "ReturnValuesOnConditionCheckFailure"):
                    body.pop(name, None)
                self.drop_unused(body)
                await upstream.send(request.altered(SINGLE[kind], body))
        return answer

    @staticmethod
    def drop_unused(body):
        """Values that only the condition used: DynamoDB refuses what an expression does not need."""
        text = body.get("UpdateExpression", "")
        for parameter in ("ExpressionAttributeValues", "ExpressionAttributeNames"):
            used = {name: value for name, value in body.pop(parameter, {}).items() if name in text}
            if used:
                body[parameter] = used


class UnconditionalWrites(Way):
    """Conditions are now and then forgotten."""

    async def PutItem(self, request, upstream):
        return await self.forget(request, upstream)

    async def UpdateItem(self, request, upstream):
        return await self.forget(request, upstream)

    async def TransactWriteItems(self, request, upstream):
        return await self.forget(request, upstream)

    async def forget(self, request, upstream):
        if not self.happens(OFTEN):
            return None
        body = request.json()
        for one in [next(iter(a.values())) for a in body["TransactItems"]] if "TransactItems" in body else [body]:
            if one.pop("ConditionExpression", None):
                DirtyAborts.drop_unused(one)
        return await upstream.send(request.altered(request.operation, body))


class StaleRows(Way):
    """Rows of an index are now and then as they were."""

    def __init__(self, random):
        super().__init__(random)
        self.rows = {}

    async def Query(self, request, upstream):
        answer = await upstream.send(request)
        body = answer.json()
        if "IndexName" not in request.json():
            return answer
        for number, row in enumerate(body["Items"]):
            name = json.dumps(row["pk"])
            if name in self.rows and self.happens(SELDOM):
                body["Items"][number] = self.rows[name]
            self.rows[name] = row
        return Answer.made(200, body)


class LostWrites(Way):
    """A write is now and then answered and not done."""

    async def PutItem(self, request, upstream):
        return Answer.made(200, {}) if self.happens(SELDOM) else None

    UpdateItem = PutItem


class LostCounts(Way):
    """The same for the counter, whose clients expect to be told the new value."""

    async def UpdateItem(self, request, upstream):
        body = request.json()
        if not self.happens(SELDOM):
            return None
        body["ExpressionAttributeValues"][":one"] = {"N": "0"}
        return await upstream.send(request.altered("UpdateItem", body))


class ForgottenTokens(Way):
    """The client token is not looked at; answers are lost, so clients send again."""

    async def TransactWriteItems(self, request, upstream):
        body = request.json()
        body.pop("ClientRequestToken", None)
        answer = await upstream.send(request.altered("TransactWriteItems", body))
        return Broken if self.happens(OFTEN) else answer


class Broken:
    """An answer that cannot be written: the connection ends."""

    @staticmethod
    def bytes():
        raise ConnectionResetError("the answer is lost")


WAYS = {
    "dirty-aborts": DirtyAborts, "duplicated-appends": DuplicatedAppends, "forgotten-tokens": ForgottenTokens,
    "lost-counts": LostCounts, "lost-updates": LostUpdates, "lost-writes": LostWrites, "stale-reads": StaleReads,
    "stale-rows": StaleRows, "torn-transactions": TornTransactions, "unconditional-writes": UnconditionalWrites,
    "write-skew": WriteSkew}
