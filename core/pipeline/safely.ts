import type { Exchange } from "../model/exchange.ts";
import type { Witness } from "../model/witness.ts";
import type { Road } from "./road.ts";

type Logs = Pick<Road, "log">;
type Named = Pick<Exchange, "id">;

/** A witness whose trouble is the log's business only: it sees no more, and nothing is known of the answer. */
export function safely(road: Logs, exchange: Named, make: () => Witness | undefined): Witness | undefined {
  try {
    const witness = make();
    return witness && new SafeWitness(road, exchange, witness);
  } catch (error) {
    tell(road, exchange, error);
    return undefined;
  }
}

/** A class, because a closure to try each piece in would be made for every piece. */
class SafeWitness implements Witness {
  readonly #road: Logs;
  readonly #exchange: Named;
  readonly #witness: Witness;
  #broken = false;

  constructor(road: Logs, exchange: Named, witness: Witness) {
    this.#road = road;
    this.#exchange = exchange;
    this.#witness = witness;
  }

  see(bytes: Buffer): void {
    if (this.#broken) return;
    try {
      this.#witness.see(bytes);
    } catch (error) {
      this.#failed(error);
    }
  }

  async end(whole: boolean): Promise<void> {
    if (this.#broken) return;
    try {
      await this.#witness.end(whole);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#broken = true;
    tell(this.#road, this.#exchange, error);
  }
}

const tell = ({ log }: Logs, { id }: Named, error: unknown): void =>
  log.error("an answer that passed could not be looked at", { request: id, error });
