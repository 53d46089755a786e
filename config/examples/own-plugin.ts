import { definePlugin, Stage, withBody, z } from "sluice";

export default definePlugin({
  name: "token-ceiling",
  summary: "Lowers the token limit of chat requests that ask for more, or for none.",
  options: z.strictObject({
    tokens: z.int().positive().describe("The most tokens an answer may have."),
  }),
  setup({ hooks }, { tokens }) {
    hooks.beforeRequest.tap({ name: "token-ceiling", stage: Stage.limit }, (request) => {
      if ("kind" in request || request.operation !== "chat") return request;
      const { body } = request;
      if (body.maxTokens !== undefined && body.maxTokens <= tokens) return request;
      return withBody(request, { ...body, maxTokens: tokens });
    });
  },
});
