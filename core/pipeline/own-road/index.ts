import { account } from "./account.ts";
import type { Places } from "./own-exchange.ts";
import type { OwnRoad } from "./own-road.ts";
import { rehearse } from "./rehearse.ts";
import { send } from "./send.ts";

/** The road of a generation for the gateway's own requests. */
export const ownRoad = (places: Places, began: () => void, ended: () => void): OwnRoad => ({
  send: (request) => send(places, request, began, ended),
  rehearse: (request) => rehearse(places, request),
  account: (work) => account(places, work),
});
