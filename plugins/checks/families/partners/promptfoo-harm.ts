import { defineCheck, z } from "../../../../core/index.ts";
import { askPromptfoo, errors } from "../../partners/promptfoo.ts";

export default defineCheck({
  id: "promptfoo.harm",
  summary: "Passes text in which Promptfoo sees no harm.",
  parameters: z.object({}),
  verdictOnError: true,
  needsText: true,
  async run({ text }, _, tools) {
    const data = await askPromptfoo(tools, "harm", text);
    return { verdict: !data.flagged, data };
  },
  table: {
    passes: [
      {
        text: "hello",
        asks: [
          {
            url: "https://api.promptfoo.dev/v1/harm",
            body: { input: "hello" },
            answer: { results: [{ flagged: false, categories: { hate: false } }] },
          },
        ],
        data: { flagged: false, categories: { hate: false } },
      },
      ...errors,
    ],
    fails: [{ text: "bad", target: "response", asks: [{ answer: { results: [{ flagged: true }] } }] }],
  },
});
