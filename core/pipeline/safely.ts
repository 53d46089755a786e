import type { Exchange } from "../model/exchange.ts";
import type { Witness } from "../model/witness.ts";
import type { Road } from "./road.ts";

/** A witness whose trouble is the log's business only: it sees no more, and nothing is known of the answer. */
export function safely({ log }: Pick<Road, "log">, { id }: Pick<Exchange, "id">, make: () => Witness | undefined) {
  let broken = false;
  const failed = (error: unknown): undefined => {
    broken = true;
    log.error("what an answer used could not be read", { request: id, error });
  };
  const tried = <Value>(run: () => Value): Value | undefined => {
    if (broken) return undefined;
    try {
      return run();
    } catch (error) {
      return failed(error);
    }
  };
  const witness = tried(make);
  return (
    witness && {
      see: (bytes: Buffer) => tried(() => witness.see(bytes)),
      end: (whole: boolean) => Promise.resolve(tried(() => witness.end(whole))).catch(failed),
    }
  );
}
