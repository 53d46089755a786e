import { z } from "zod";
import { defineProvider } from "../core/provider-kit/index.ts";

/** A model is written `base` or `base:adapter/version`: the base is part of the path, the adapter is the body's model. */
const baseOf = (model: string) => model.split(":", 1)[0] ?? "";
const adapterOf = (model: string) => model.slice(baseOf(model).length + 1);

export default defineProvider({
  name: "predibase",
  summary: "Predibase: open models with adapters of your own.",
  baseUrl: ({ tenant }) => `https://serving.app.predibase.com/${encodeURIComponent(tenant)}`,
  options: z.strictObject({
    tenant: z.string().min(1).describe("The user or tenant id the deployments belong to."),
  }),
  operations: {
    chat: {
      format: "openai-chat",
      path: ({ model }) => `/deployments/v2/llms/${encodeURIComponent(baseOf(model))}/v1/chat/completions`,
      clamps: { temperature: [0, 1] },
      rewrite: { when: ['"model"'], apply: (wire) => ({ ...wire, model: adapterOf(String(wire.model)) }) },
    },
  },
});
