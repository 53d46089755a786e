import type { Route } from "../../model/route.ts";
import type { ExchangeState } from "../exchange-state.ts";
import type { Result } from "../reply/result.ts";
import type { ClientBody, ClientConnection, Road } from "../road.ts";

/** What a walk is for. Without a client its streams begin, and are left to whoever asked for the walk. */
export interface Errand {
  readonly road: Road;
  readonly body: ClientBody;
  readonly client?: ClientConnection;
  /** Called before a target is asked again: what waits for it to fail need not wait any longer. */
  readonly again?: () => void;
}

/** What is done beside a target: no client of its own, and walks to make. */
export interface LanesErrand extends Omit<Errand, "client"> {
  readonly walk: (errand: Errand, exchange: ExchangeState, route: Route) => Promise<Result>;
}
