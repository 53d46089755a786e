import { defineCheck, z } from "../../../../core/index.ts";
import { bothSides, credentials, failed, mode, passed, qualified, url } from "../../partners/qualifire.ts";

const parameters = { policies: ["be kind"] };

export default defineCheck({
  id: "qualifire.policy",
  summary: "Passes text that keeps to all policies, as Qualifire judges it.",
  parameters: z.object({
    policies: z.array(z.string()).min(1).describe("What has to hold, a sentence each."),
    policy_target: z.enum(["input", "output", "both"]).default("both").describe("Which side they are for."),
    mode,
  }),
  needsText: true,
  async run(input, { policies, policy_target: of, mode }, tools) {
    const sides = bothSides(input);
    const judged = {
      ...(of !== "output" && { input: sides.input }),
      ...(of !== "input" && sides.output !== undefined && { output: sides.output }),
    };
    if (Object.keys(judged).length === 0) return { verdict: true, data: null };
    return qualified(tools, { ...judged, assertions: policies, assertions_mode: mode });
  },
  table: {
    passes: [
      {
        parameters: { ...parameters, mode: "quality" },
        text: "hello",
        credentials,
        asks: [
          {
            url,
            headers: { "x-qualifire-api-key": "k" },
            body: { input: "hello", assertions: ["be kind"], assertions_mode: "quality" },
            answer: passed,
          },
        ],
        data: passed.evaluationResults,
      },
      {
        parameters: { ...parameters, policy_target: "output" },
        text: "hello",
        target: "response",
        credentials,
        asks: [{ body: { output: "hello", assertions: ["be kind"] }, answer: passed }],
      },
      { parameters: { ...parameters, policy_target: "output" }, text: "hello", credentials },
    ],
    fails: [
      { parameters, text: "bad", credentials, asks: [{ answer: { status: "failed" } }] },
      {
        parameters,
        text: "bad",
        target: "response",
        credentials,
        asks: [{ body: { input: "", output: "bad" }, answer: failed }],
      },
      { parameters, text: "hello", error: "apiKey" },
      { parameters, text: "hello", credentials, asks: [{ silent: true }], error: "timed out" },
    ],
  },
});
