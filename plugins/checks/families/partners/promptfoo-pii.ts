import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { forEachText, replacing } from "../../partners/parts.ts";
import { askPromptfoo, errors } from "../../partners/promptfoo.ts";
import { withFindings } from "../../partners/spans.ts";

const phone = {
  flagged: true,
  categories: { pii: true },
  payload: { pii: [{ entity_type: "phone_number", start: 5, end: 8, pii: "555" }] },
};

export default defineCheck({
  id: "promptfoo.pii",
  summary: "Passes text in which Promptfoo finds no personal data, or replaces it.",
  parameters: z.object({
    redact: z.boolean().default(false).describe("Whether what is found is replaced and passes."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ texts }, { redact }, tools) {
    const found = await forEachText(
      texts,
      (text) => askPromptfoo(tools, "pii", text),
      ({ flagged }) => flagged && !redact,
    );
    const flagged = found.find((one) => one?.flagged);
    const data = flagged ?? found.find((one) => one !== null) ?? null;
    if (!flagged || !redact) return { verdict: !flagged, data };
    const replaced = found.map((one, at) => {
      if (!one?.flagged) return null;
      const entities = one.payload?.pii ?? [];
      if (entities.length === 0)
        throw new CheckError("The service does not say where what it found is.", { verdict: false });
      const text = withFindings(
        texts[at] ?? "",
        entities.map(({ entity_type, pii: words, ...span }) => ({
          ...span,
          words,
          token: `[${entity_type.toUpperCase()}]`,
        })),
      );
      if (text === undefined) throw new CheckError("What the service found is not in the text.", { verdict: false });
      return text;
    });
    return { verdict: true, data, ...replacing(replaced) };
  },
  table: {
    passes: [
      {
        text: "hello",
        asks: [
          {
            url: "https://api.promptfoo.dev/v1/pii",
            body: { input: "hello" },
            answer: { results: [{ flagged: false, payload: { pii: [] } }] },
          },
        ],
        data: { flagged: false, payload: { pii: [] } },
      },
      {
        parameters: { redact: true },
        texts: ["", "call 555!"],
        asks: [{ body: { input: "call 555!" }, answer: { results: [phone] } }],
        becomes: [null, "call [PHONE_NUMBER]!"],
        data: phone,
      },
      {
        parameters: { redact: true },
        text: "😀 call 555!",
        asks: [{ answer: { results: [phone] } }],
        becomes: "😀 call [PHONE_NUMBER]!",
      },
      ...errors,
    ],
    fails: [
      { text: "call 555", asks: [{ answer: { results: [phone] } }], data: phone },
      { texts: ["hello", "call 555"], asks: [{ status: 500 }, { answer: { results: [phone] } }], data: phone },
      { parameters: { redact: true }, text: "a", asks: [{ answer: { results: [{ flagged: true }] } }], error: "where" },
      { parameters: { redact: true }, text: "a", asks: [{ answer: { results: [phone] } }], error: "not in the text" },
    ],
  },
});
