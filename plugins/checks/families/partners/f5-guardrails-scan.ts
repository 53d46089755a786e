import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { baseOf } from "../../partners/address.ts";
import { forEachText, replacing } from "../../partners/parts.ts";

const result = z.looseObject({ outcome: z.enum(["cleared", "flagged", "redacted", "blocked"]) });
const answer = z.object({ result, redactedInput: z.string().nullish() });

interface Scanned {
  readonly outcome: z.output<typeof result>["outcome"];
  readonly redactedInput: string | null;
  readonly result: z.output<typeof result>;
}

export default defineCheck({
  id: "f5-guardrails.scan",
  summary: "Passes text that a project of F5 AI Guardrails clears or redacts.",
  parameters: z.object({
    projectId: z.string().min(1).describe("The project that says what is scanned for."),
    redact: z.boolean().default(false).describe("Whether what it redacts is replaced and passes."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ texts }, { projectId, redact }, tools) {
    const { apiKey, calypsoUrl } = credentialsOf(tools, {
      apiKey: z.string(),
      calypsoUrl: z.url().default("https://us1.calypsoai.app"),
    });
    const fails = ({ outcome }: Scanned) => outcome === "flagged" || outcome === "blocked";
    const data = await forEachText(
      texts,
      async (input): Promise<Scanned> => {
        const { json } = await tools.ask({
          url: `${baseOf(calypsoUrl)}/backend/v1/scans`,
          headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
          body: { input, project: projectId },
        });
        const { result, redactedInput = null } = answerAs(answer, json);
        if (redact && result.outcome === "redacted" && redactedInput === null)
          throw new CheckError("The service says that it rewrote something, and does not send it.", { verdict: false });
        return { outcome: result.outcome, redactedInput, result };
      },
      fails,
    );
    const scanned = data.filter((one) => one !== null);
    const replaced = data.map((one) => (redact && one?.outcome === "redacted" ? one.redactedInput : null));
    return { verdict: !scanned.some(fails), data: scanned, ...replacing(replaced) };
  },
  table: {
    passes: [
      {
        parameters: { projectId: "p-1" },
        text: "hello",
        credentials: { apiKey: "k" },
        asks: [
          {
            url: "https://us1.calypsoai.app/backend/v1/scans",
            headers: { authorization: "Bearer k" },
            body: { input: "hello", project: "p-1" },
            answer: { result: { outcome: "cleared" } },
          },
        ],
      },
      {
        parameters: { projectId: "p-1", redact: true },
        texts: ["", "call 555-0100"],
        credentials: { apiKey: "k", calypsoUrl: "https://f5.example/" },
        asks: [
          {
            url: "https://f5.example/backend/v1/scans",
            answer: { result: { outcome: "redacted" }, redactedInput: "call ***" },
          },
        ],
        becomes: [null, "call ***"],
      },
      { parameters: { projectId: "p-1" }, text: "hello", error: "apiKey" },
      {
        parameters: { projectId: "p-1" },
        text: "hello",
        credentials: { apiKey: "k" },
        asks: [{ status: 500 }],
        error: "500",
      },
      {
        parameters: { projectId: "p-1" },
        text: "hello",
        credentials: { apiKey: "k" },
        asks: [{ answer: { result: { outcome: "unsure" } } }],
        error: "outcome",
      },
    ],
    fails: [
      {
        parameters: { projectId: "p-1" },
        texts: ["hello", "bad"],
        credentials: { apiKey: "k" },
        asks: [{ status: 500 }, { answer: { result: { outcome: "blocked" } } }],
        data: [{ outcome: "blocked", redactedInput: null, result: { outcome: "blocked" } }],
      },
      {
        parameters: { projectId: "p-1", redact: true },
        text: "call 555",
        credentials: { apiKey: "k" },
        asks: [{ answer: { result: { outcome: "redacted" } } }],
        error: "does not send it",
      },
      {
        parameters: { projectId: "p-1" },
        text: "bad",
        credentials: { apiKey: "k" },
        asks: [{ answer: { result: { outcome: "flagged" } } }],
      },
    ],
  },
});
