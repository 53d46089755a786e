import { z } from "zod";
import { definePlugin, Routing } from "../../core/index.ts";
import { type RetryPolicy, retryPolicy } from "./policy.ts";
import { retrying } from "./retrying.ts";

export default definePlugin({
  name: "retry",
  summary: "Adds retries to the routing config: what is tried again, how often, and after how long.",
  options: z.strictObject({}),
  needs: [Routing],
  setup({ service }) {
    const routing = service(Routing);
    routing.field({ name: "retry", schema: retryPolicy, inherit: "nearest" });
    routing.calls((target, { fields }, walk, inner) => {
      const policy = fields.retry as RetryPolicy | undefined;
      return policy ? retrying(target, policy, walk, inner) : inner(target);
    });
  },
});
