import { defineCheck, redactedTexts, z } from "../../../../core/index.ts";
import { numbering } from "../../pii/recogniser.ts";
import { longKinds, secretKinds, secrets } from "../../pii/secrets.ts";

const redactorFor = (kinds: readonly string[] = secretKinds) =>
  numbering(secrets.filter(({ kind }) => kinds.includes(kind)));

export default defineCheck({
  id: "gateway.secrets",
  summary:
    "Passes text without API keys, passwords and other secrets, or, with redact, replaces them by numbered tokens.",
  parameters: z.object({
    kinds: z
      .array(z.enum(secretKinds))
      .min(1)
      .optional()
      .describe(
        `Which ones; all unless said. ${longKinds.join(" and ")} are long: with them streams are held back by 4000 characters.`,
      ),
    redact: z.boolean().default(false).describe("Whether they are replaced and pass: `{{AWS_ACCESS_KEY_1}}`."),
  }),
  needsText: true,
  redactor: ({ kinds, redact }) => (redact ? redactorFor(kinds) : undefined),
  run({ texts }, { kinds, redact }) {
    const counting = redactorFor(kinds);
    const { texts: replaced, found } = redactedTexts(texts, () => counting);
    const detectedKinds = [...new Set(found.map(({ kind }) => kind))];
    const verdict = redact || found.length === 0;
    const explanation =
      found.length === 0 ? "No secrets were found." : `${found.length} found${redact ? " and replaced" : ""}.`;
    const data = { verdict, explanation, detectedKinds, count: found.length };
    return { verdict, data, ...(redact && found.length > 0 && { texts: replaced }) };
  },
  table: {
    passes: [
      { text: "the password is required", data: { verdict: true, detectedKinds: [], count: 0 } },
      { text: "password= 😀12345678", data: { verdict: true, detectedKinds: [], count: 0 } },
      { parameters: { kinds: ["JWT"] }, text: "password=Tr0ub4dor7" },
      {
        parameters: { redact: true },
        text: "id AKIAIOSFODNN7EXAMPLE, again AKIAIOSFODNN7EXAMPLE; password: Tr0ub4dor7",
        becomes: "id {{AWS_ACCESS_KEY_1}}, again {{AWS_ACCESS_KEY_1}}; password: {{ASSIGNED_SECRET_1}}",
        data: { detectedKinds: ["AWS_ACCESS_KEY", "ASSIGNED_SECRET"], count: 3 },
      },
    ],
    fails: [
      { text: "redis://u:hunter22@db", data: { detectedKinds: ["URL_PASSWORD"], count: 1 } },
      { text: "", error: "empty" },
    ],
  },
});
