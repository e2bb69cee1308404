"""Reads a table's whole stream through the four Streams operations."""


def read_stream(streams, arn, iterator_type="TRIM_HORIZON", limit=None):
    """All records there are now, in shard order."""
    records = []
    for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
        iterator = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"],
                                              ShardIteratorType=iterator_type)["ShardIterator"]
        records += drain(streams, iterator, limit)
    return records


def drain(streams, iterator, limit=None):
    records = []
    more = {"Limit": limit} if limit else {}
    while iterator:
        answer = streams.get_records(ShardIterator=iterator, **more)
        if not answer["Records"]:
            break
        records += answer["Records"]
        iterator = answer.get("NextShardIterator")
    return records
