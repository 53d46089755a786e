import { CheckError, defineCheck, excerptOf, z } from "../../../../core/index.ts";
import { modelElsewhere, subjectOf } from "../../subject.ts";

export default defineCheck({
  id: "default.modelwhitelist",
  aliases: ["default.modelWhitelist"],
  summary: "Passes requests for one of the models.",
  parameters: z.object({
    models: z.array(z.string()).min(1).describe("Their names, as requests write them."),
    not: z.boolean().default(false).describe("Whether it must be another one."),
  }),
  targets: ["request"],
  run(input, { models, not }) {
    const subject = subjectOf(input);
    const { model } = subject;
    const elsewhere = modelElsewhere(subject);
    if (elsewhere !== undefined) return { verdict: false, data: { verdict: false, not, explanation: elsewhere } };
    if (model === undefined) throw new CheckError("The request names no model.");
    const listed = models.includes(model);
    const explanation = `The model ${model} is ${listed ? "" : "not "}in the list.`;
    const verdict = listed !== not;
    const data = { verdict, not, explanation, requestedModel: model, allowedModels: models };
    return { verdict, data: { ...data, textExcerpt: excerptOf(input.text) } };
  },
  table: {
    passes: [
      {
        parameters: { models: ["gpt-4o", "o3"] },
        subject: { model: "o3" },
        data: { verdict: true, not: false, requestedModel: "o3", allowedModels: ["gpt-4o", "o3"] },
      },
      { parameters: { models: ["gpt-4o"], not: true }, subject: { model: "o3" } },
    ],
    fails: [
      { parameters: { models: ["gpt-4o"] }, subject: { model: "GPT-4o" } },
      { parameters: { models: ["gpt-4o"], not: true }, subject: { model: "gpt-4o" } },
      { parameters: { models: ["gpt-4o"] }, subject: {}, error: "names no model" },
      {
        parameters: { models: ["gpt-4o"], not: true },
        subject: { requestType: "createModelResponse" },
        data: { verdict: false, not: true, explanation: "The request names no model: what the vendor keeps has one." },
      },
      { parameters: { models: ["gpt-4o"] }, text: "hi", error: "on its own" },
    ],
  },
});
