import { GatewayError } from "../../errors/gateway-error.ts";
import type { Lane, Target } from "../../model/route.ts";
import { timerFor } from "../../time/longest-timer.ts";
import { deliver } from "../deliver.ts";
import type { ExchangeState, InBackground } from "../exchange-state.ts";
import { shuttingDown } from "../leaving.ts";
import { failedAttempt } from "../reply/refusals.ts";
import type { Result } from "../reply/result.ts";
import type { ClientConnection } from "../road.ts";
import { settle } from "../settle.ts";
import type { LanesErrand } from "./errand.ts";

/** What stands beside a copy: the target that answers the client, and where the copy goes. */
interface Copied {
  readonly target: Target;
  readonly route: Lane["route"];
}

/**
 * A copy of the request whose answer is read to its end and recorded, and seen by nobody. No client ever leaves it: an answer
 * that flows on when the client has its own has as long as a whole attempt may take (`server.clocks.total`).
 */
export class Shadow implements InBackground {
  readonly done: Promise<void>;
  readonly #errand: LanesErrand;
  readonly #exchange: ExchangeState;
  readonly #copied: Copied;
  readonly #branch: ExchangeState;
  /** Ends an answer that flows; absent while there is none, which the clocks of the call see to. Those of a file have no total. */
  #end: ((why: GatewayError) => void) | undefined;
  #isAlone = false;
  #clock: NodeJS.Timeout | undefined;

  constructor(errand: LanesErrand, exchange: ExchangeState, copied: Copied) {
    this.#errand = errand;
    this.#exchange = exchange;
    this.#copied = copied;
    this.#branch = exchange.branch("shadow");
    if (exchange.endpoint.procedure?.transfers) this.#end = cancelling(this.#branch);
    this.done = this.#run();
  }

  leftAlone(): void {
    this.#isAlone = true;
    this.#limit();
  }

  #limit(): void {
    if (!this.#end || !this.#isAlone || this.#clock) return;
    // The operator's: what targets and requests narrow it to is meant for the time until a stream begins.
    const { total = 0 } = this.#errand.road.settings.clocks;
    if (total === 0) return;
    const late = `The copy still went on ${total} ms after the answer.`;
    this.#clock = setTimeout(() => this.#end?.(new GatewayError("request_timeout", late)), timerFor(total));
  }

  async #run(): Promise<void> {
    const { road } = this.#errand;
    const branch = this.#branch;
    // Nobody waits for its answer, and nothing is to wait for it that ends.
    const stay = road.leaving.atTheEnd(() => branch.cancellation.cancel(shuttingDown()));
    try {
      const result = await this.#errand.walk(this.#errand, branch, this.#copied.route(branch));
      // A stream says by itself that it was ended.
      if (result.kind === "stream") stay();
      // Where the copy is a race itself, who answered is the branch that won.
      const answering = result.branch ?? branch;
      this.#flows(result, answering);
      if (result.kind === "whole" && result.answer) answering.answer = result.answer;
      await deliver(road, answering, result, nobody);
      if (result.branch) branch.join(result.branch);
    } catch (error) {
      const { cancelled, reason } = branch.cancellation;
      branch.ending = cancelled && reason.code === "client_gone" ? "client-gone" : "error";
      branch.status = failedAttempt(road, branch, this.#copied.target, cancelled ? reason : error).outcome.status;
      road.log.debug("shadow target failed", { request: this.#exchange.id, error });
    }
    stay();
    this.#end = undefined;
    clearTimeout(this.#clock);
    branch.endedAt = branch.elapsed();
    await settle(road, branch);
  }

  #flows(result: Result, answering: ExchangeState): void {
    if (result.kind === "stream") this.#end = (why) => result.delivery.giveUp(why);
    if (result.kind === "relay") this.#end = (why) => result.reply.conversation.cancel(why);
    if (result.kind === "piped") this.#end = cancelling(answering);
    this.#limit();
  }
}

/** What is made of several calls, or of bytes on their way, hears it of its exchange. */
const cancelling =
  ({ cancellation }: ExchangeState) =>
  (why: GatewayError): void =>
    cancellation.cancel(why);

/** Stands where a client would be. */
const nobody: ClientConnection = {
  head: ignore,
  write: () => true,
  end: ignore,
  onDrain: ignore,
  mayBeSent: ignore,
  destroy: ignore,
  headSent: false,
};

function ignore(): void {}
