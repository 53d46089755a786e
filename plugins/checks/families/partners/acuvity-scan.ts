import { CheckError, defineCheck, isRecord, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { acuvityPersonal, acuvityScores, acuvitySecrets } from "../../partners/acuvity-guards.ts";
import { httpsAt } from "../../partners/address.ts";
import { replacing, spoken } from "../../partners/parts.ts";

const scores = z.record(z.string(), z.number()).nullish();
const extraction = z.object({
  data: z.string().nullish(),
  exploits: scores,
  malcontents: scores,
  languages: scores,
  detections: z.array(z.object({ type: z.string(), name: z.string() })).nullish(),
});
const answer = z.object({ extractions: z.array(extraction) });
type Extraction = z.output<typeof extraction>;

const on = (what: string) => z.boolean().default(true).describe(`Whether ${what} is looked for.`);
const threshold = z.number().min(0).max(1).default(0.5).describe("The score, from 0 to 1, that counts.");
const redact = z.boolean().default(false).describe("Whether it is replaced and passes.");
const parameters = z.object({
  prompt_injection: on("prompt injection"),
  prompt_injection_threshold: threshold,
  jail_break: on("an attempt to break out of instructions"),
  jail_break_threshold: threshold,
  malicious_url: on("a harmful link"),
  malicious_url_threshold: threshold,
  toxic: on("toxic language"),
  toxic_threshold: threshold,
  biased: on("biased language"),
  biased_threshold: threshold,
  harmful: on("harmful content"),
  harmful_threshold: threshold,
  language: on("one of the languages of language_values"),
  language_values: z
    .union([z.string(), z.array(z.string())])
    .default("english")
    .describe("Languages that fail: english, chinese, spanish, french, german, japanese, gibberish."),
  pii: on("personal data"),
  pii_redact: redact,
  pii_categories: z
    .array(z.string())
    .default([...acuvityPersonal])
    .describe("Which kinds of personal data."),
  secrets: on("a secret"),
  secrets_redact: redact,
  secrets_categories: z
    .array(z.string())
    .default([...acuvitySecrets])
    .describe("Whose secrets."),
});
type Parameters = z.output<typeof parameters>;

/** The key is a JWT; it says where its account lives. */
function baseIn(apiKey: string): string {
  const [, payload = ""] = apiKey.split(".");
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    const opaque = isRecord(claims) ? claims.opaque : undefined;
    const url = isRecord(opaque) ? opaque["apex-url"] : undefined;
    if (typeof url === "string" && url !== "") return httpsAt(url);
  } catch {
    // It is no JWT: told below.
  }
  throw new CheckError("The apiKey of this check does not say where its account is.", { label: "CredentialsError" });
}

function scoredGuards(found: Extraction, given: Parameters): string[] {
  const guards = acuvityScores
    .filter(({ parameter, group, name }) => {
      const least = given[`${parameter}_threshold`];
      return given[parameter] && (found[group]?.[name] ?? Number.NEGATIVE_INFINITY) >= least;
    })
    .map(({ guard }): string => guard);
  const languages =
    typeof given.language_values === "string" ? given.language_values.split(",") : given.language_values;
  const spoken = languages.some((name) => (found.languages?.[name.trim()] ?? 0) >= 0.5);
  return given.language && spoken ? [...guards, "LANGUAGE"] : guards;
}

const detects = (found: Extraction, type: string, categories: readonly string[]): boolean =>
  (found.detections ?? []).some((one) => one.type === type && categories.includes(one.name));

// A JWT of { opaque: { "apex-url": "https://eu.acuvity.example" } }.
const apiKey = `e30.${Buffer.from('{"opaque":{"apex-url":"https://eu.acuvity.example"}}').toString("base64url")}.x`;
const credentials = { apiKey };
const found = (more: object) => [{ answer: { extractions: [{ data: "hi", ...more }] } }];
const ssn = { data: "my ssn is ***", detections: [{ type: "PII", name: "ssn", score: 1 }] };
const key = { data: "key ***", detections: [{ type: "Secret", name: "github", score: 1 }] };

export default defineCheck({
  id: "acuvity.scan",
  aliases: ["Acuvity.scan"],
  summary: "Passes text in which Acuvity finds none of the things looked for, or all of them could be replaced.",
  parameters,
  verdictOnError: true,
  needsText: true,
  async run({ texts, target }, given, tools) {
    const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
    const { sent, back } = spoken(texts);
    const { json } = await tools.ask({
      url: `${baseIn(apiKey)}/_acuvity/scan`,
      headers: { ...tools.forwarded, authorization: `Bearer ${apiKey}` },
      body: {
        anonymization: "FixedSize",
        messages: sent,
        redactions: [
          ...(given.pii && given.pii_redact ? given.pii_categories : []),
          ...(given.secrets && given.secrets_redact ? given.secrets_categories : []),
        ],
        type: target === "request" ? "Input" : "Output",
      },
    });
    const { extractions } = answerAs(answer, json);
    const guards = new Set(extractions.flatMap((found) => scoredGuards(found, given)));
    let verdict = guards.size === 0;
    let replaces = false;
    for (const [guard, type, wanted, categories, redacts] of [
      ["PII_DETECTOR", "PII", given.pii, given.pii_categories, given.pii_redact],
      ["SECRETS_DETECTOR", "Secret", given.secrets, given.secrets_categories, given.secrets_redact],
    ] as const) {
      if (!wanted || !extractions.some((found) => detects(found, type, categories))) continue;
      guards.add(guard);
      verdict &&= redacts;
      replaces ||= redacts;
    }
    const made = extractions.flatMap(({ data }) => data ?? []);
    if (verdict && (extractions.length !== sent.length || (replaces && made.length !== sent.length)))
      throw new CheckError("The service answered for another number of texts than it was sent.", {
        verdict: !replaces,
      });
    return {
      verdict,
      data: { guards: JSON.stringify([...guards]) },
      ...(replaces && verdict ? replacing(back(made)) : {}),
    };
  },
  table: {
    passes: [
      {
        text: "hi",
        credentials,
        asks: [
          {
            url: "https://eu.acuvity.example/_acuvity/scan",
            headers: { authorization: `Bearer ${apiKey}` },
            body: { anonymization: "FixedSize", messages: ["hi"], redactions: [], type: "Input" },
            answer: { extractions: [{ data: "hi", exploits: { jailbreak: 0.4 }, languages: { french: 0.9 } }] },
          },
        ],
        data: { guards: "[]" },
      },
      { parameters: { toxic: false }, text: "hi", credentials, asks: found({ malcontents: { toxic: 1 } }) },
      {
        parameters: { pii_redact: true, pii_categories: ["ssn"] },
        texts: ["", "my ssn is 1"],
        target: "response",
        credentials,
        asks: [
          { body: { messages: ["my ssn is 1"], redactions: ["ssn"], type: "Output" }, answer: { extractions: [ssn] } },
        ],
        becomes: [null, "my ssn is ***"],
        data: { guards: '["PII_DETECTOR"]' },
      },
      { text: "hi", error: "apiKey" },
      { text: "hi", credentials: { apiKey: "none" }, error: "does not say where" },
      { text: "hi", credentials, asks: [{ status: 500 }], error: "500" },
      { text: "hi", credentials, asks: [{ answer: {} }], error: "extractions" },
      { text: "hi", credentials, asks: [{ answer: { extractions: [] } }], error: "another number of texts" },
      { text: "", credentials, error: "is empty" },
    ],
    fails: [
      {
        text: "hi",
        credentials,
        asks: found({ exploits: { prompt_injection: 0.5, jailbreak: 0.9 } }),
        data: { guards: '["PROMPT_INJECTION","JAILBREAK"]' },
      },
      { text: "hi", credentials, asks: found({ languages: { english: 0.5 } }), data: { guards: '["LANGUAGE"]' } },
      { text: "my ssn is 1", credentials, asks: found(ssn), data: { guards: '["PII_DETECTOR"]' } },
      {
        parameters: { secrets_redact: true },
        texts: ["my ssn is 1", "key ghp_1"],
        credentials,
        asks: [{ answer: { extractions: [ssn, key] } }],
        data: { guards: '["PII_DETECTOR","SECRETS_DETECTOR"]' },
      },
      {
        parameters: { secrets_redact: true },
        texts: ["hi", "key ghp_1"],
        credentials,
        asks: [{ answer: { extractions: [key] } }],
        error: "another number of texts",
      },
    ],
  },
});
