import { z } from "zod";
import { inTurn, movesOn, type Strategy, statusCodes, withoutShut } from "../../core/index.ts";

const schema = z.object({
  on_status_codes: statusCodes
    .optional()
    .describe("Final statuses of a target that make the next one be tried; without a list, everything but 2xx."),
});

type Options = z.output<typeof schema>;

/** In order, until a child does not end with something to move on from (routing-config.md 7.2). */
export const fallbackStrategy: Strategy = {
  mode: "fallback",
  schema,
  compile(options, children) {
    const goesOn = movesOn((options as Options).on_status_codes);
    return (walk) => inTurn(withoutShut(children, walk), goesOn, walk);
  },
};
