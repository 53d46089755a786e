import type { PluginContext } from "./plugin.ts";

/** Tells from now on whether this generation is the one that answers, or has been: in `sluice check` and `explain` it never is. */
export function whetherServing(onServing: PluginContext["onServing"]): () => boolean {
  let serving = false;
  onServing(() => {
    serving = true;
  });
  return () => serving;
}
