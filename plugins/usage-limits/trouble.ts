import { type Logger, RecordError } from "../../core/index.ts";

/** Says in the log what went wrong while budgets were counted or kept; what is tried again is of no interest to anybody. */
export const troubleIn =
  (log: Logger) =>
  (error: unknown): void => {
    if (error instanceof RecordError && error.reason !== "down")
      log.error("what was used could not be kept", { error });
    else if (error instanceof RangeError) log.error("what was used could not be counted", { error });
    else log.debug("what was used is told later", { error });
  };
