import type { Dialect, Reply } from "./dialect.ts";
import { openAiErrors } from "./openai-errors.ts";
import { Refusal, textIn, type Wire } from "./wire.ts";

/** What may be found: a text is flagged for those it names. */
const categories = [
  "hate",
  "hate/threatening",
  "harassment",
  "harassment/threatening",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
] as const;

export const moderations: Dialect = { format: "openai-moderations", reply, ...openAiErrors };

function reply(wire: Wire, digest: string): Reply {
  const { input } = wire;
  if (input === undefined || input === null) throw new Refusal(400, "input is required.");
  const texts = [input].flat().map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const model = textIn(wire.model) || "text-moderation-latest";
  return { whole: { id: `modr-${digest.slice(0, 24)}`, model, results: texts.map(resultFor) } };
}

function resultFor(text: string) {
  const said = text.toLowerCase();
  const found = categories.map((category) => [category, said.includes(category)] as const);
  return {
    flagged: found.some(([, isFound]) => isFound),
    categories: Object.fromEntries(found),
    category_scores: Object.fromEntries(found.map(([category, isFound]) => [category, isFound ? 0.99 : 0.01])),
  };
}
