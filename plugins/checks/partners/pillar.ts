import { CheckError, type CheckTarget, defineCheck, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";

const scanners = ["prompt_injection", "pii", "secrets", "toxic_language", "invisible_characters"] as const;

const tried = { parameters: { scanners: ["pii" as const, "secrets" as const] }, credentials: { apiKey: "k" } };

/** Pillar's scan of one side of an exchange (guardrails.md section 13.19). */
export const pillarScan = (target: CheckTarget) => {
  const what = target === "request" ? "prompt" : "response";
  return defineCheck({
    id: target === "request" ? "pillar.scanPrompt" : "pillar.scanResponse",
    summary: `Passes ${what}s in which none of Pillar's scanners finds anything.`,
    parameters: z.object({ scanners: z.array(z.enum(scanners)).describe("What is looked for.") }),
    targets: [target],
    needsText: true,
    async run({ text }, { scanners }, tools) {
      if (scanners.length === 0) throw new CheckError("No scanner is named.", { verdict: true });
      const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
      const { json } = await tools.ask({
        url: `https://api.pillarseclabs.com/api/v1/scan/${what}`,
        headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
        body: { message: text, scanners: Object.fromEntries(scanners.map((name) => [name, true])) },
      });
      const data = answerAs(z.record(z.string(), z.unknown()), json);
      if (!scanners.some((name) => Object.hasOwn(data, name)))
        throw new CheckError("The service answered for none of the scanners.", { data });
      const found = scanners.some((name) => data[name] !== undefined && data[name] !== null && data[name] !== false);
      return { verdict: !found, data };
    },
    table: {
      passes: [
        {
          ...tried,
          text: "hello",
          asks: [
            {
              url: `https://api.pillarseclabs.com/api/v1/scan/${what}`,
              headers: { authorization: "Bearer k" },
              body: { message: "hello", scanners: { pii: true, secrets: true } },
              answer: { pii: null, secrets: false, toxic_language: true },
            },
          ],
          data: { pii: null, secrets: false, toxic_language: true },
        },
        { ...tried, parameters: { scanners: [] }, text: "hello", error: "No scanner" },
      ],
      fails: [
        { ...tried, text: "bad", asks: [{ answer: { pii: [{ type: "email" }] } }] },
        { ...tried, text: "bad", asks: [{ answer: { secrets: true } }] },
        { ...tried, credentials: {}, text: "hello", error: "apiKey" },
        { ...tried, text: "hello", asks: [{ status: 500 }], error: "500" },
        { ...tried, text: "hello", asks: [{ answer: "no" }], error: "something else" },
        { ...tried, text: "hello", asks: [{ answer: { message: "no quota" } }], error: "none of the scanners" },
      ],
    },
  });
};
