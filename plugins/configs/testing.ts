import { definePlugin, Management, Routing, Sealing, z } from "../../core/index.ts";

/**
 * For tests: the neighbours of configs. Fields that name guardrails and prompts, one of each and a stored provider to be
 * named, and a cipher that is none but knows for whom a text was sealed.
 */
export default definePlugin({
  name: "neighbours",
  summary: "Stands in for the plugins that configs refer to; for tests.",
  options: z.strictObject({ workspace: z.string().optional() }),
  needs: [Management, Routing],
  provides: [Sealing],
  setup({ service, provide }) {
    const routing = service(Routing);
    const list = z.array(z.union([z.string(), z.record(z.string(), z.unknown())]));
    const hook = z.looseObject({}).transform((one) => (one.checks === undefined ? one.id : one));
    const lists = { input_guardrails: list, output_guardrails: list, before_request_hooks: z.array(hook) };
    for (const [name, schema] of Object.entries(lists))
      routing.field({ name, schema, inherit: "nearest", opaque: true });
    routing.field({ name: "prompt_id", schema: z.string(), inherit: "none" });
    const known = { providers: "kept-openai", guardrails: "pg-kept-000000", prompts: "pp-kept-000000" } as const;
    for (const kind of ["providers", "guardrails", "prompts"] as const)
      service(Management).keeps(kind, async (_organisation, _workspace, ref) =>
        ref === known[kind] ? { id: ref, slug: ref, workspace: null } : undefined,
      );
    const sealed = (...parts: readonly string[]) => `v1:${Buffer.from(parts.join("\n")).toString("base64")}`;
    provide(Sealing, {
      seal: async (organisation, record, text) => sealed(organisation, record, text),
      async open(organisation, record, text) {
        const [forWhom, which, ...inside] = Buffer.from(text.slice(3), "base64").toString().split("\n");
        if (forWhom !== organisation || which !== record) throw new Error("sealed for another record");
        return inside.join("\n");
      },
    });
  },
});
