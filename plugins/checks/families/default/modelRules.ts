import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { modelElsewhere, subjectOf } from "../../subject.ts";
import { listInMetadata } from "../../words.ts";

const models = z.array(z.string());

export default defineCheck({
  id: "default.modelRules",
  summary: "Passes requests for a model that their metadata allow, or else one of the defaults.",
  parameters: z.object({
    rules: z
      .object({
        defaults: models.default([]).describe("Where no rule fits."),
        metadata: z.record(z.string(), z.record(z.string(), models)).default({}).describe("By key, then by value."),
      })
      .describe("Models by what metadata say: a name, `*`, or the beginning of names with `*` behind it."),
    not: z.boolean().default(false).describe("Whether it must be another one."),
  }),
  targets: ["request"],
  run(input, { rules: { defaults, metadata: byKey }, not }) {
    const subject = subjectOf(input);
    const { model, metadata } = subject;
    const elsewhere = modelElsewhere(subject);
    if (elsewhere !== undefined) return { verdict: false, data: { explanation: elsewhere } };
    if (model === undefined) throw new CheckError("The request names no model.");
    const matched: string[] = [];
    const allowed = new Set<string>();
    for (const [key, byValue] of Object.entries(byKey)) {
      const given = metadata[key];
      for (const value of new Set(given === undefined ? [] : [given, ...listInMetadata(given)])) {
        if (!Object.hasOwn(byValue, value)) continue;
        matched.push(`${key}:${value}`);
        for (const name of byValue[value] ?? []) allowed.add(name);
      }
    }
    const list = allowed.size > 0 ? [...allowed] : defaults;
    if (list.length === 0) throw new CheckError("No rule fits the request, and there are no defaults.");
    const fits = list.some((name) => covers(name, model));
    const why = allowed.size > 0 ? `the rules for ${matched.join(", ")}` : "the defaults";
    return {
      verdict: fits !== not,
      data: { explanation: `The model ${model} is ${fits ? "" : "not "}among those of ${why}.` },
    };
  },
  table: {
    passes: [
      {
        parameters: teams(),
        subject: { model: "gpt-4o", metadata: { team: "ml" } },
        data: says("is among", "team:ml"),
      },
      { parameters: teams(), subject: { model: "o3-mini", metadata: { team: "ml" } } },
      { parameters: teams(), subject: { model: "small", metadata: { team: "web" } }, data: says("is among", "") },
      {
        parameters: teams(),
        subject: { model: "anything", metadata: { team: "web,all" } },
        data: says("is among", "team:all"),
      },
      { parameters: teams(true), subject: { model: "gpt-4o" } },
    ],
    fails: [
      {
        parameters: teams(),
        subject: { model: "small", metadata: { team: "ml" } },
        data: says("is not among", "team:ml"),
      },
      { parameters: teams(), subject: { model: "gpt-4o" } },
      { parameters: { rules: {} }, subject: { model: "gpt-4o" }, error: "no defaults" },
      { parameters: teams(), subject: {}, error: "names no model" },
      {
        parameters: teams(true),
        subject: { requestType: "createModelResponse", metadata: { team: "all" } },
        data: { explanation: "The request names no model: what the vendor keeps has one." },
      },
    ],
  },
});

const covers = (rule: string, model: string): boolean =>
  rule.endsWith("*") ? model.startsWith(rule.slice(0, -1)) : rule === model;

function teams(not = false) {
  return { not, rules: { defaults: ["small"], metadata: { team: { ml: ["gpt-4o", "o3*"], all: ["*"] } } } };
}

function says(how: string, rules: string) {
  const model = { "team:ml": how === "is among" ? "gpt-4o" : "small", "team:all": "anything" }[rules] ?? "small";
  const why = rules === "" ? "the defaults" : `the rules for ${rules}`;
  return { explanation: `The model ${model} ${how} those of ${why}.` };
}
