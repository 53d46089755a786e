import { definePlugin, z } from "../../core/index.ts";

/** For tests: answers with who the caller was found to be. */
export default definePlugin({
  name: "whoami",
  summary: "Says who is asking; for tests.",
  options: z.strictObject({}),
  setup({ endpoint }) {
    for (const scopes of [["completions.write"], ["prompts.render"]])
      endpoint({
        type: "whoami",
        method: "GET",
        path: `/v1/whoami/${scopes}`,
        scopes,
        serve: ({ principal, metadata }) => ({ status: 200, body: { ...principal, metadata } }),
      });
  },
});
