import type { CountersService } from "../services/counters.ts";

/** Why a process that does not serve, and only looks, does not know what is counted; undefined where it does. */
export function whyKnownElsewhere({
  shared,
  available,
}: Pick<CountersService, "shared" | "available">): string | undefined {
  if (shared !== "deployment")
    return "it is in the memory of the gateway that runs; counters of a whole deployment would tell";
  return available ? undefined : "the store of the counters cannot be asked";
}
