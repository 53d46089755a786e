import { Sealing } from "../../services/sealing.ts";
import { type CommandResult, failed, succeeded } from "../command-result.ts";
import type { Surroundings } from "../with-config.ts";
import { withGeneration } from "../with-generation.ts";

export interface RotateOptions {
  /** New data keys besides, for what is encrypted from now on. */
  readonly renew?: boolean;
}

/** `sluice encryption rotate FILE`: all data keys under the master key in use, so that older ones may be taken away. */
export const rotate = (
  file: string,
  { renew = false }: RotateOptions,
  surroundings: Surroundings = {},
): Promise<CommandResult> =>
  withGeneration(file, surroundings, async ({ kernel }) => {
    const sealing = kernel.offered(Sealing);
    if (!sealing?.rotate) return failed(`${file}: no plugin in it encrypts records; add "encryption"`);
    const { rewrapped, unchanged, renewed, failures } = await sealing.rotate({ renew });
    const told = [
      `${rewrapped} data key${rewrapped === 1 ? "" : "s"} encrypted anew, ${unchanged} as before`,
      ...(renew ? [`${renewed} new`] : []),
    ].join(", ");
    if (failures.length === 0) return succeeded(told);
    return failed(
      [...failures, "Keep the older master keys until this command has nothing to complain about."].join("\n"),
      told,
    );
  });
