import { GatewayError } from "../../errors/gateway-error.ts";
import type { Foresight } from "../../hooks.ts";
import type { Attempt } from "../../model/attempt.ts";
import type { Ending } from "../../model/exchange.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Target } from "../../model/route.ts";
import type { LeavingTime, SocketMoment, SocketSession } from "../../model/socket.ts";
import type { ExchangeState } from "../exchange-state.ts";
import { deathOf, outcomeOf } from "../reply/outcome.ts";
import { wireRequest } from "../request/wire-request.ts";
import type { Road } from "../road.ts";
import { settle } from "../settle.ts";
import { refusedByNow } from "./refused-by-now.ts";

/** A socket as the hooks see it: what happens on it rings the cost hook like a request of its own. */
export class Session implements SocketSession {
  readonly watched: boolean;
  readonly #road: Road;
  readonly #exchange: ExchangeState;
  readonly #target: Target;
  readonly #pending = new Set<Promise<void>>();

  constructor(road: Road, exchange: ExchangeState, target: Target) {
    this.#road = road;
    this.#exchange = exchange;
    this.#target = target;
    this.watched = road.used.cost;
  }

  elapsed(): number {
    return this.#exchange.elapsed();
  }

  onLeaving(listener: (when: LeavingTime) => void): () => void {
    return this.#road.leaving.add(listener);
  }

  record(moment: SocketMoment): Promise<void> {
    const recording = this.#settled(moment).finally(() => this.#pending.delete(recording));
    this.#pending.add(recording);
    return recording;
  }

  async #settled(moment: SocketMoment): Promise<void> {
    try {
      await settle(this.#road, this.#turnOf(moment));
    } catch (error) {
      this.#road.log.error("what happened on a socket is not recorded", { request: this.#exchange.id, error });
    }
  }

  /** Resolves when all that has happened is recorded. */
  async recorded(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async exhausted(): Promise<GatewayError | undefined> {
    const { hooks, log } = this.#road;
    const imagined = this.#exchange.turn("", this.elapsed());
    imagined.role = "imagined";
    const asked = imagined.request as GatewayRequest | undefined;
    try {
      for (const { foresee } of hooks.routeSelect.taps as readonly Foresight[]) await untilSpent(foresee?.(imagined));
      imagined.attempt = { target: this.#target, startedAt: 0 };
      for (const { foresee } of hooks.beforeRequest.taps as readonly Foresight[])
        await untilSpent(foresee?.(imagined, asked));
    } catch (error) {
      if (error instanceof GatewayError) return error;
      log.error("the budgets of a socket could not be asked", { request: this.#exchange.id, error });
    }
    return undefined;
  }

  refused(): Promise<GatewayError | undefined> {
    return refusedByNow(this.#road, this.#exchange);
  }

  #turnOf(moment: SocketMoment): ExchangeState {
    const { event, startedAt, status, brokeOffBy, model: other, request, response, usage } = moment;
    const session = this.#exchange;
    const turn = session.turn(event, startedAt ?? session.elapsed());
    const received = Buffer.from(JSON.stringify(response));
    if (request !== undefined) {
      const model = this.#target.model ?? session.request?.model;
      const asked = wireRequest(Buffer.from(JSON.stringify(request)), undefined);
      turn.request = model === undefined ? asked : asked.withModel(model);
    }
    const attempt: Attempt = {
      target: other === undefined ? this.#target : { ...this.#target, model: other },
      startedAt: 0,
      endedAt: turn.elapsed(),
      outcome: brokeOffBy === "vendor" ? brokenOff : outcomeOf(status),
      received,
      answered: received,
      ...(session.attempt?.call && { call: session.attempt.call }),
      ...(usage && { usage }),
    };
    turn.attempts.push(attempt);
    turn.attempt = attempt;
    turn.status = status;
    turn.ending = endingOf(moment);
    turn.endedAt = turn.elapsed();
    return turn;
  }
}

function endingOf({ status, brokeOffBy }: SocketMoment): Ending {
  if (brokeOffBy) return brokeOffBy === "client" ? "client-gone" : "truncated";
  return outcomeOf(status).ok ? "complete" : "error";
}

/** As of a stream that its vendor ends before it is finished. */
const brokenOff = deathOf(new GatewayError("upstream_truncated", "The answer broke off."), outcomeOf(200));

/** What a session is not let go on with: that its rates are used up now says nothing, since it was let in. */
async function untilSpent(foreseen: Promise<void> | undefined): Promise<void> {
  try {
    await foreseen;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === "budget_exhausted") throw error;
  }
}
