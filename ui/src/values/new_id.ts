// Ids of nodes that are made here: ULIDs, whose order is that in which they were made. Drivers stand in it.

const kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
let lastMs = 0;

export function newId(nowMs = Date.now(), random: (count: number) => Uint8Array = randomBytes): string {
  // Two in the same millisecond: the second is a millisecond later.
  lastMs = Math.max(nowMs, lastMs + 1);
  let time = "";
  for (let rest = lastMs, digit = 0; digit < 10; ++digit, rest = Math.floor(rest / 32)) time = kDigits[rest % 32]! + time;
  return time + Array.from(random(16), (byte) => kDigits[byte % 32]).join("");
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}
