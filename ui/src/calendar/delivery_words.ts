// What became of the last reminder that went elsewhere, in words. Pure.

import { sentence } from "../api/problem";
import { relativeText } from "../parts/time";
import type { NexusSettings } from "./calendar_types";

export type Delivery = NonNullable<NexusSettings["lastWebhook"]>;

/** "The last reminder was delivered 5 minutes ago, at the third attempt." */
export function deliveryWords({ at, outcome, reason = "", attempts }: Delivery, now: Date): string {
  const when = relativeText(new Date(at), now);
  const why = reason === "" ? "" : ` ${sentence(reason)}`;
  switch (outcome) {
    case "DELIVERED":
      return `The last reminder was delivered ${when}${attempts > 1 ? `, at attempt ${attempts}` : ""}.`;
    case "RETRYING":
      return `The last reminder could not be delivered ${when}.${why} ${triedWords(attempts)}; Cairn keeps trying for up to a day.`;
    case "GIVEN_UP":
      return `The last reminder was given up ${when}.${why} ${triedWords(attempts)}.`;
  }
}

function triedWords(attempts: number): string {
  return attempts === 1 ? "It was tried once" : `It was tried ${attempts} times`;
}
