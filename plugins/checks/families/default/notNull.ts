import { type CheckSubject, defineCheck, z } from "../../../../core/index.ts";

export default defineCheck({
  id: "default.notNull",
  summary: "Passes answers that say something, or call a tool.",
  parameters: z.object({ not: z.boolean().default(false).describe("Whether it has to say nothing instead.") }),
  targets: ["response"],
  measures: true,
  run({ texts, subject }, { not }) {
    const calls = subject !== undefined && callsTool(subject);
    const isNull = texts.every((text) => text.trim() === "");
    const verdict = calls || isNull === not;
    const data = {
      isNull: isNull && !calls,
      contentType: texts.length === 0 ? "null" : texts.length === 1 ? "string" : "object",
      textArrayLength: texts.length,
      explanation: calls ? "The answer calls a tool." : `The answer says ${isNull ? "nothing" : "something"}.`,
      verdict: verdict ? "passed" : "failed",
    };
    return { verdict, data };
  },
  table: {
    passes: [
      { text: "hello", data: { isNull: false, contentType: "string", textArrayLength: 1, verdict: "passed" } },
      { texts: ["", "hello"] },
      { parameters: { not: true }, text: " \n" },
      { texts: [], subject: { response: { choices: [{ message: { tool_calls: [{ id: "1" }] } }] } } },
      { texts: [], subject: { response: { content: [{ type: "tool_use", id: "1" }] } } },
      { texts: [], subject: { response: { output: [{ type: "function_call" }] } } },
    ],
    fails: [
      { texts: [], data: { isNull: true, contentType: "null", textArrayLength: 0, verdict: "failed" } },
      { text: " \n" },
      { texts: ["", " "] },
      { texts: [""], subject: { response: { choices: [{ message: { tool_calls: [] } }] } } },
      { parameters: { not: true }, text: "hello" },
    ],
  },
});

/** Whether the first choice asks for a tool, in the formats clients speak. */
function callsTool({ response }: CheckSubject): boolean {
  const read = shapes.safeParse(response?.json);
  if (!read.success) return false;
  const { choices, content, output } = read.data;
  const calls = choices?.[0]?.message?.tool_calls ?? [];
  const parts = [...(content ?? []), ...(output ?? [])];
  return calls.length > 0 || parts.some(({ type }) => type === "tool_use" || type === "function_call");
}

const parts = z
  .array(z.object({ type: z.string() }))
  .nullish()
  .catch(undefined);
const shapes = z.object({
  choices: z
    .array(z.object({ message: z.object({ tool_calls: z.array(z.unknown()).nullish() }).nullish() }))
    .nullish()
    .catch(undefined),
  content: parts,
  output: parts,
});
