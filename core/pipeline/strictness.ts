import type { Exchange } from "../model/exchange.ts";
import type { Target } from "../model/route.ts";

/** Whether a client gets and asks for nothing but what its format has: a target may let it be lenient, and not make it strict. */
export const isStrictAt = (
  { strict }: Pick<Exchange, "strict">,
  target: { readonly strict?: Target["strict"] | undefined } | undefined,
): boolean => strict && target?.strict !== false;
