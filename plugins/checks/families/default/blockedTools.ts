import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { subjectOf } from "../../subject.ts";
import { conflictsOf, refusedTools, toolRules } from "../../tools-asked-for.ts";

export default defineCheck({
  id: "default.blockedTools",
  summary: "Passes requests that offer no tool but those allowed; default.requestParametersCheck does more.",
  parameters: z.object(toolRules),
  targets: ["request"],
  run(input, rules) {
    const conflicts = conflictsOf(rules);
    if (conflicts.length > 0) throw new CheckError(`Allowed and blocked at once: ${conflicts.join(", ")}.`);
    const blockedToolsFound = refusedTools(subjectOf(input).request.json, rules);
    const names = blockedToolsFound.map(({ name }) => name).join(", ");
    const explanation = names === "" ? "All tools may be offered." : `Not to be offered: ${names}.`;
    return { verdict: blockedToolsFound.length === 0, data: { blockedToolsFound, explanation } };
  },
  table: {
    passes: [
      { parameters: { blockedTypes: ["web_search"] }, subject: { request: { tools: [{ name: "find" }] } } },
      { parameters: { allowedFunctionNames: ["find"] }, subject: { request: {} }, data: { blockedToolsFound: [] } },
    ],
    fails: [
      {
        parameters: { blockedFunctionNames: ["drop"] },
        subject: { request: { tools: [{ type: "function", function: { name: "drop" } }] } },
        data: { blockedToolsFound: [{ type: "function", name: "drop", reasons: ["name_blocked"] }] },
      },
      { parameters: { blockedTypes: ["a"], allowedTypes: ["a"] }, subject: { request: {} }, error: "at once: a" },
    ],
  },
});
