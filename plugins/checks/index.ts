import { broughtCheck, Checks, definePlugin, z } from "../../core/index.ts";
import { builtInChecks } from "./built-in.ts";
import { CheckRegistry } from "./registry.ts";

export default definePlugin({
  name: "checks",
  summary: "The checks guardrails are made of, and what those among them need that ask somebody else.",
  options: z.strictObject({
    credentials: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .default({})
      .describe("By family of checks (`azure`): the credentials of its service, where a guardrail brings none."),
    timeout: z
      .int()
      .min(1)
      .optional()
      .describe("Milliseconds a service may take where neither the guardrail nor the check says; 5000 unless said."),
  }),
  provides: [Checks],
  brings: async () => (await builtInChecks()).map(broughtCheck),
  async setup({ provide, ask, call, log }, { credentials, timeout }) {
    const registry = new CheckRegistry({ ask, call, log, credentials, timeout });
    for (const check of await builtInChecks()) registry.add(check);
    provide(Checks, registry);
  },
});
