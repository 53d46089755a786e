import { defineCheck, z } from "../../../../core/index.ts";
import { holds } from "../../any-all-none.ts";
import { subjectOf } from "../../subject.ts";

export default defineCheck({
  id: "default.requiredMetadataKeys",
  summary: "Passes requests whose metadata have all, any or none of the keys.",
  parameters: z.object({
    metadataKeys: z.array(z.string()).min(1).describe("The keys."),
    operator: z.enum(["all", "any", "none"]).default("all").describe("Which of them have to be there."),
  }),
  targets: ["request"],
  verdictOnError: true,
  run(input, { metadataKeys, operator }) {
    const { metadata } = subjectOf(input);
    const found = metadataKeys.filter((key) => Object.hasOwn(metadata, key));
    const missing = metadataKeys.filter((key) => !Object.hasOwn(metadata, key));
    const explanation = `${found.length} of ${metadataKeys.length} keys are there; ${operator} must be.`;
    return {
      verdict: holds(operator, found.length, missing.length),
      data: { explanation, missing_metadata_keys: missing, found_metadata_keys: found, operator },
    };
  },
  table: {
    passes: [
      {
        parameters: { metadataKeys: ["team"] },
        subject: { metadata: { team: "" } },
        data: { missing_metadata_keys: [], found_metadata_keys: ["team"], operator: "all" },
      },
      { parameters: { metadataKeys: ["team", "app"], operator: "any" }, subject: { metadata: { app: "x" } } },
      { parameters: { metadataKeys: ["team"], operator: "none" }, subject: {} },
      { parameters: { metadataKeys: ["team"] }, text: "hi", error: "on its own" },
    ],
    fails: [
      {
        parameters: { metadataKeys: ["team", "app"] },
        subject: { metadata: { app: "x" } },
        data: { missing_metadata_keys: ["team"] },
      },
      { parameters: { metadataKeys: ["team"], operator: "any" }, subject: {} },
      { parameters: { metadataKeys: ["app", "team"], operator: "none" }, subject: { metadata: { app: "x" } } },
      { parameters: { metadataKeys: ["toString"] }, subject: {} },
    ],
  },
});
