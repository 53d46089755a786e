import { defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { askBedrock } from "../../partners/bedrock.ts";
import { applied, type Judgement, judgementOf } from "../../partners/bedrock-assessment.ts";
import { forEachText, replacing } from "../../partners/parts.ts";

const credentials = { awsAccessKeyId: "AKIA1", awsSecretAccessKey: "s", awsRegion: "eu-west-1" };
const parameters = { guardrailId: "g-1", guardrailVersion: 1 };
const tried = { parameters, credentials };
const redacting = { credentials, parameters: { ...parameters, redact: true } };
const clear = { action: "NONE", outputs: [], assessments: [] };
const intervened = (assessment: object, text = "No.") => ({
  action: "GUARDRAIL_INTERVENED",
  outputs: [{ text }],
  assessments: [assessment],
});
const personal = (action: string) => ({
  sensitiveInformationPolicy: { piiEntities: [{ type: "PHONE", match: "555", action }], regexes: [] },
});
const topic = { topicPolicy: { topics: [{ name: "money", action: "BLOCKED" }] } };

export default defineCheck({
  id: "bedrock.guard",
  summary: "Passes text that a guardrail of Amazon Bedrock does not block.",
  parameters: z.object({
    guardrailId: z.string().min(1).describe("The guardrail, by its id or ARN."),
    guardrailVersion: z.union([z.string().min(1), z.int()]).describe("Its version: a number, or DRAFT."),
    redact: z.boolean().default(false).describe("Whether personal data is replaced and passes."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ texts, target }, { guardrailId, guardrailVersion, redact }, tools) {
    const [id, version] = [guardrailId, String(guardrailVersion)].map(encodeURIComponent);
    const source = target === "request" ? "INPUT" : "OUTPUT";
    const path = `/guardrail/${id}/version/${version}/apply`;
    const fails = ({ blocks, blocksElse }: Judgement) => (redact ? blocksElse : blocks);
    const judged = await forEachText(
      texts,
      async (text) => {
        const answer = answerAs(applied, await askBedrock(tools, path, { content: [{ text: { text } }], source }));
        return { ...judgementOf(text, answer), answer };
      },
      fails,
    );
    const verdict = !judged.some((one) => one !== null && fails(one));
    const intervening = judged.find((one) => one?.answer.action === "GUARDRAIL_INTERVENED");
    return {
      verdict,
      data: intervening?.answer ?? null,
      ...(redact && verdict ? replacing(judged.map((one) => one?.redacted ?? null)) : {}),
    };
  },
  table: {
    passes: [
      {
        ...tried,
        text: "hello",
        asks: [
          {
            url: "https://bedrock-runtime.eu-west-1.amazonaws.com/guardrail/g-1/version/1/apply",
            headers: { "content-type": "application/json" },
            body: '{"content":[{"text":{"text":"hello"}}],"source":"INPUT"}',
            answer: clear,
          },
        ],
      },
      {
        parameters: { guardrailId: "arn:aws:x/y", guardrailVersion: "DRAFT" },
        credentials: { accessKeyId: "A", accessKeySecret: "s", region: "cn-north-1", customHost: "bedrock.example" },
        text: "hello",
        target: "response",
        asks: [
          {
            url: "https://bedrock.example/guardrail/arn%3Aaws%3Ax%2Fy/version/DRAFT/apply",
            body: '"source":"OUTPUT"',
            answer: clear,
          },
        ],
      },
      { ...tried, text: "555", asks: [{ answer: intervened(personal("ANONYMIZED"), "{PHONE}") }] },
      {
        ...tried,
        text: "a bet",
        asks: [{ answer: intervened({ topicPolicy: { topics: [{ name: "money", action: "NONE" }] } }) }],
      },
      {
        ...redacting,
        texts: ["", "call 555"],
        asks: [{ answer: intervened(personal("ANONYMIZED"), "call {PHONE}") }],
        becomes: [null, "call {PHONE}"],
      },
      {
        ...redacting,
        text: "call 555",
        asks: [{ answer: intervened(personal("BLOCKED"), "No.") }],
        becomes: "call {PHONE}",
      },
      {
        ...redacting,
        text: "code ab-12",
        asks: [
          {
            answer: intervened({
              sensitiveInformationPolicy: { regexes: [{ name: "ticket", match: "ab-12", action: "BLOCKED" }] },
            }),
          },
        ],
        becomes: "code {ticket}",
      },
      { parameters, text: "hello", error: "awsAccessKeyId" },
      { parameters, text: "hello", credentials: { awsAuthType: "assumedRole" }, error: "awsRoleArn" },
      { parameters, text: "hello", credentials: { ...credentials, awsRegion: "Mars" }, error: "region" },
      { ...tried, text: "hello", asks: [{ status: 403 }], error: "403" },
      { ...tried, text: "hello", asks: [{ answer: {} }], error: "action" },
    ],
    fails: [
      {
        ...tried,
        texts: ["hello", "money"],
        asks: [{ status: 429 }, { answer: intervened(topic) }],
        data: intervened(topic),
      },
      {
        ...tried,
        texts: ["hello", "invest"],
        asks: [{ answer: clear }, { answer: intervened(topic) }],
        data: intervened(topic),
      },
      { ...tried, text: "555", asks: [{ answer: intervened(personal("BLOCKED")) }] },
      { ...redacting, text: "invest 555", asks: [{ answer: intervened({ ...topic, ...personal("ANONYMIZED") }) }] },
      { ...redacting, text: "five 5 5", asks: [{ answer: intervened(personal("BLOCKED")) }] },
      { ...redacting, text: "hm", asks: [{ answer: intervened({}) }] },
    ],
  },
});
