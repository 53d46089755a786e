import { z } from "zod";
import { definePlugin, type Exchange, GatewayError, modelList } from "../../core/index.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * What is meant for the gateway and nobody else: logs, feedback, traces and figures (inference-api.md section 21,
 * observability.md), and management, which carries credentials. Where no plugin answers it, it is not a vendor's to have;
 * below `/v1/proxy` it is.
 */
const roots = [
  ...["otel", "logs", "feedback", "analytics", "saved-filters"],
  ...["admin", "api-keys", "audit-logs", "configs", "guardrails", "integrations", "policies", "secret-references"],
  "virtual-keys",
];
const own = new RegExp(`^(?:/v1)+/(?:${roots.join("|")})(?=[/?]|$)`);
const ownTraces = /^(?:\/v1)+\/traces(?=[/?]|$)/;

/** All but what vendors keep for their clients: an answer of these is the state of something (inference-api.md section 1). */
const cacheable = /^(?!(?:\/v1)+\/(?:assistants|threads|vector_stores)(?=[/?]|$))/;

function refuseOwn({ method, url }: Exchange): undefined {
  if (own.test(url) || (method === "GET" && ownTraces.test(url))) throw new GatewayError("not_found", "Not Found");
  return undefined;
}

export default definePlugin({
  name: "proxy",
  summary: "Passes every other path, and everything below /v1/proxy, to the provider as it is.",
  options: z.strictObject({}),
  setup({ endpoint }) {
    endpoint({
      type: "listModels",
      method: "GET",
      path: "/v1/models",
      // Where another plugin has a list of its own, that one is asked first.
      url: /\/models\/?(?:\?|$)/,
      rawBody: true,
      corrects: modelList,
      anyScope: ["completions.write", "virtual_keys.list", "models.list"],
    });
    for (const method of methods) {
      const raw = { type: "proxy", method, rawBody: true, ...(method === "POST" && { cacheable }) };
      endpoint({ ...raw, path: "/v1/*", serve: refuseOwn });
      endpoint({ ...raw, path: "/v1/proxy/*" });
    }
  },
});
