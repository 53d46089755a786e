import { definePlugin, type Limited, type Plugin, Stage, z } from "../../../core/index.ts";
import { deferred } from "../../support/raw-upstream.ts";

/** One that was set up, and what it was told. */
export interface Instance {
  readonly as: string;
  closed: number;
  /** Records that came when it was closed already. */
  late: number;
}

/** Sees what becomes of generations, and of the requests of each. */
export class Witness {
  readonly instances: Instance[] = [];
  /** Whose records there are of a request, by what the client calls it. */
  readonly records = new Map<string, string[]>();
  #gate = deferred<void>();

  /** Lets those go on that wait in their setup. */
  proceed(): void {
    this.#gate.resolve();
    this.#gate = deferred<void>();
  }

  get open(): readonly Instance[] {
    return this.instances.filter(({ closed }) => closed === 0);
  }

  readonly plugin: Plugin = definePlugin({
    name: "witness",
    summary: "Says what happens to it.",
    options: z.strictObject({
      as: z.string(),
      limit: z.int(),
      waits: z.boolean(),
      fails: z.enum(["setup", "ready"]).optional(),
    }),
    setup: async ({ hooks, onClose, onReady }, { as, limit, waits, fails }) => {
      const instance: Instance = { as, closed: 0, late: 0 };
      const clock = setInterval(() => undefined, 60_000);
      this.instances.push(instance);
      onClose(() => {
        clearInterval(clock);
        instance.closed++;
      });
      if (waits) await this.#gate.promise;
      if (fails === "setup") throw new Error("no luck today");
      onReady(() => {
        if (fails === "ready") throw new Error("no luck today");
      });
      hooks.auth.tap("witness", ({ headers }) => ({
        id: "somebody",
        scopes: ["completions.write"],
        ...(headers["x-limited"] !== undefined && { limits: limitedTo(limit) }),
      }));
      hooks.cost.tapPromise({ name: "witness", stage: Stage.record }, async ({ headers }) => {
        await new Promise(setImmediate);
        const asked = String(headers["x-ask"]);
        this.records.set(asked, [...(this.records.get(asked) ?? []), as]);
        if (instance.closed > 0) instance.late++;
      });
    },
  });
}

const limitedTo = (value: number): Limited => ({
  level: "api_key",
  id: "limited",
  subject: "somebody",
  usage: [],
  rate: [{ type: "requests", unit: "rpd", value }],
});
