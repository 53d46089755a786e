import { z } from "zod";
import { defineProvider, raise } from "../core/provider-kit/index.ts";

/** A model is written `base` or `base:adapter/version`: the base is part of the path, the adapter is the body's model. */
const baseOf = (model: string) => model.split(":", 1)[0] ?? "";
const adapterOf = (model: string) => model.slice(baseOf(model).length + 1);

const host = "https://serving.app.predibase.com";

/** Where no tenant is configured, the request says whose deployments are meant (providers.md section 13.17). */
function below({ user }: { readonly user?: unknown } = {}): string {
  if (typeof user === "string" && !/^\.*$/.test(user)) return `/${encodeURIComponent(user)}`;
  return raise(
    "invalid_request",
    "predibase needs to know whose deployments are meant: tenant in the config file, or user in the request, the id of a tenant.",
    { param: "user" },
  );
}

export default defineProvider({
  name: "predibase",
  summary: "Predibase: open models with adapters of your own.",
  baseUrl: ({ tenant }) => (tenant === undefined ? host : `${host}/${encodeURIComponent(tenant)}`),
  options: z.strictObject({
    tenant: z
      .string()
      .min(1)
      .exactOptional()
      .describe("The user or tenant id the deployments belong to; absent, it is the `user` of each request."),
  }),
  operations: ({ tenant }) => ({
    chat: {
      format: "openai-chat",
      path: ({ model, body }) =>
        `${tenant === undefined ? below(body) : ""}/deployments/v2/llms/${encodeURIComponent(baseOf(model))}/v1/chat/completions`,
      clamps: { temperature: [0, 1] },
      rewrite: { when: ['"model"'], apply: (wire) => ({ ...wire, model: adapterOf(String(wire.model)) }) },
    },
  }),
});
