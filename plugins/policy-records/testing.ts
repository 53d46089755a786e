import { definePlugin, Policies, type PolicyEntity, z } from "../../core/index.ts";

/** For tests: counts what it is told to, and shows the policies in force. */
export default definePlugin({
  name: "counters",
  summary: "Counts for policies; for tests.",
  options: z.strictObject({ counts: z.boolean().default(true) }),
  needs: [Policies],
  setup({ service, endpoint }, { counts }) {
    const policies = service(Policies);
    const counted = new Map<string, PolicyEntity[]>();
    if (counts)
      policies.countedBy({
        entities: async (_organisation, policy) => counted.get(policy) ?? [],
        edited: async () => undefined,
        async reset(_organisation, policy, entity) {
          const before = counted.get(policy) ?? [];
          counted.set(
            policy,
            before.map((one) => (one.id === entity ? { ...one, currentUsage: 0, status: "active" } : one)),
          );
          return before.some(({ id }) => id === entity);
        },
      });
    endpoint({
      type: "count",
      method: "POST",
      path: "/v1/test/count",
      rawBody: true,
      errors: "management",
      serve({ request }) {
        const { policy, ...entity } = (request?.json ?? {}) as PolicyEntity & { policy: string };
        counted.set(policy, [...(counted.get(policy) ?? []), entity]);
        return { status: 200 };
      },
    });
    endpoint({
      type: "in-force",
      method: "GET",
      path: "/v1/test/policies",
      rawBody: true,
      errors: "management",
      async serve({ principal }) {
        const usage = policies.usage(principal?.organisation, principal?.workspace);
        const rates = policies.rates(principal?.organisation, principal?.workspace);
        const waited = usage instanceof Promise || rates instanceof Promise;
        const [budgets, limits] = await Promise.all([usage, rates]);
        return { status: 200, body: { waited, usage: budgets, rates: limits } };
      },
    });
  },
});
