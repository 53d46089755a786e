import { definePlugin, GuardrailRecords, z } from "../../core/index.ts";

/** For tests: shows guardrails as whoever runs them finds them. */
export default definePlugin({
  name: "finder",
  summary: "Shows what is found of guardrails; for tests.",
  options: z.strictObject({}),
  needs: [GuardrailRecords],
  setup({ service, endpoint }) {
    const guardrails = service(GuardrailRecords);
    endpoint({
      type: "find",
      method: "GET",
      path: "/v1/test/guardrails/:ref",
      rawBody: true,
      errors: "management",
      async serve({ url, principal }) {
        const ref = url.split("/").at(-1) ?? "";
        const found = guardrails.find(principal?.organisation, principal?.workspace, ref);
        return { status: 200, body: { waited: found instanceof Promise, found: (await found) ?? null } };
      },
    });
  },
});
