import { type Exchange, isSecretName, Secret, workersMark } from "../../core/index.ts";
import type { Planned } from "./plan.ts";

/**
 * Tells caches what an answer depends on besides the request: what is done about it by those who are waited for, and the
 * headers of the client that their checks pass on to whoever says so, once it is known what becomes of these.
 */
export function dependOn(output: readonly Planned[], exchange: Exchange): void {
  const { attempt } = exchange;
  const waited = output.filter(({ hook }) => !hook.async);
  if (!attempt || waited.length === 0) return;
  const all = waited.map(({ hook }) => hook.digest);
  const { headers: sent, checkedHeaders: headers = sent } = exchange;
  for (const { hook } of waited)
    for (const name of hook.passesOn) {
      const value = headers[name];
      if (value !== undefined) all.push(JSON.stringify([name, shown(name, [value].flat().join())]));
    }
  attempt.dependsOn = all.join("\n");
}

/** Keys go to a shared cache, and a short credential could be guessed from them. */
const shown = (name: string, value: string): unknown => (isSecretName(name) ? workersMark([new Secret(value)]) : value);
