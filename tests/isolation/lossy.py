"""A network that loses answers: the request was done, the client never learns it."""

REQUESTS_LOST = 0.05
ANSWERS_LOST = 0.30


class DropAnswers:
    def __init__(self, random):
        self.random = random

    async def handle(self, request, upstream):
        if self.random.random() < REQUESTS_LOST:
            return None
        answer = await upstream.send(request)
        return None if self.random.random() < ANSWERS_LOST else answer


WAYS = {"drop-answers": DropAnswers}
