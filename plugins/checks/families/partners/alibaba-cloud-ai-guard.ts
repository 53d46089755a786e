import { randomUUID } from "node:crypto";
import { CheckError, type CheckTools, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";
import { acs3Headers } from "../../partners/acs3.ts";
import { forEachText, replacing } from "../../partners/parts.ts";
import { piecesOf } from "../../partners/pieces.ts";

const suggestion = z.string();
const result = z.looseObject({
  Ext: z.looseObject({ Desensitization: z.string().nullish(), SensitiveData: z.array(z.string()).nullish() }).nullish(),
});
const detail = z.looseObject({ Suggestion: suggestion.nullish(), Result: z.array(result).nullish() });
const answer = z.looseObject({
  Code: z.coerce.number(),
  Data: z.looseObject({ Suggestion: suggestion, Detail: z.array(detail).nullish() }).nullish(),
});
type Data = NonNullable<z.output<typeof answer>["Data"]>;

const key = {
  accessKeyId: z.string().min(1),
  accessKeySecret: z.string().min(1),
  region: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default("ap-southeast-1"),
};

/** The characters it takes in one call. */
const longest = 2_000;

async function judged(content: string, service: string, tools: CheckTools): Promise<Data> {
  const { region, ...keys } = credentialsOf(tools, key);
  const host = `green-cip.${region}.aliyuncs.com`;
  const contentType = "application/x-www-form-urlencoded";
  const body = new URLSearchParams({ Service: service, ServiceParameters: JSON.stringify({ content }) }).toString();
  const call = { host, action: "MultiModalGuard", version: "2022-03-02", body, contentType, ...keys };
  const { json } = await tools.ask({
    url: `https://${host}/`,
    headers: { ...tools.forwarded, ...acs3Headers({ ...call, nonce: randomUUID(), now: tools.now() }) },
    body,
  });
  const { Code: code, Data: data } = answerAs(answer, json);
  if (code !== 200 || !data) throw new CheckError(`The service answered with the code ${code}.`, { data: { code } });
  return data;
}

/** The text as it may be passed on: as the service rewrote it, or without what it names where it rewrote it in several ways. */
function masked(text: string, { Suggestion, Detail }: Data): string | null {
  if (Suggestion !== "mask") return null;
  const found = (Detail ?? []).flatMap(({ Suggestion, Result }) => (Suggestion === "mask" ? (Result ?? []) : []));
  const rewritten = new Set(found.flatMap(({ Ext }) => Ext?.Desensitization ?? []));
  const [only] = rewritten;
  if (rewritten.size === 1 && only !== undefined) return only;
  let left = text;
  for (const one of found.flatMap(({ Ext }) => Ext?.SensitiveData ?? []))
    if (one !== "") left = left.replaceAll(one, "*".repeat(one.length));
  return left === text ? null : left;
}

/** A text of its pieces again; null where none of them became another. */
const joined = (pieces: readonly string[], made: readonly (string | null)[]): string | null =>
  made.every((piece) => piece === null) ? null : pieces.map((piece, at) => made[at] ?? piece).join("");

const credentials = { accessKeyId: "id", accessKeySecret: "s" };
const says = (Suggestion: string, Detail: unknown[] = []) => ({ Code: 200, Data: { Suggestion, Detail } });
const masks = (...Ext: unknown[]) => says("mask", [{ Suggestion: "mask", Result: Ext.map((one) => ({ Ext: one })) }]);

export default defineCheck({
  id: "alibaba-cloud-ai.guard",
  summary: "Passes text that Alibaba Cloud's AI Guardrails do not block; what they mask is replaced.",
  parameters: z.object({}),
  verdictOnError: true,
  needsText: true,
  async run({ texts, target }, _, tools) {
    const { region } = credentialsOf(tools, key);
    const abroad = region.startsWith("cn-") ? "" : "_intl";
    const service = `${target === "request" ? "query" : "response"}_security_check${abroad}`;
    const pieces = texts.map((text) => piecesOf(text, longest));
    const blocks = ({ Suggestion }: Data) => Suggestion === "block";
    const all = pieces.flat();
    const data = await forEachText(all, (piece) => judged(piece, service, tools), blocks);
    const verdict = !data.some((one) => one !== null && blocks(one));
    const left = data.map((one, at) => one && masked(all[at] ?? "", one));
    const replaced = pieces.map((own) => joined(own, left.splice(0, own.length)));
    return { verdict, data: data.filter((one) => one !== null), ...replacing(replaced) };
  },
  table: {
    passes: [
      {
        text: "hi & bye",
        credentials,
        asks: [
          {
            url: "https://green-cip.ap-southeast-1.aliyuncs.com/",
            headers: {
              "content-type": "application/x-www-form-urlencoded",
              "x-acs-action": "MultiModalGuard",
              "x-acs-version": "2022-03-02",
              "x-acs-date": "2026-01-05T10:00:00Z",
            },
            body: "Service=query_security_check_intl&ServiceParameters=%7B%22content%22%3A%22hi+%26+bye%22%7D",
            answer: says("pass"),
          },
        ],
        data: [{ Suggestion: "pass", Detail: [] }],
      },
      {
        text: "hi",
        target: "response",
        credentials: { ...credentials, region: "cn-shanghai" },
        asks: [{ url: "green-cip.cn-shanghai", body: "Service=response_security_check&", answer: says("watch") }],
      },
      {
        texts: ["", "call 555"],
        credentials,
        asks: [{ answer: masks({ Desensitization: "call ***", SensitiveData: ["555"] }) }],
        becomes: [null, "call ***"],
      },
      {
        text: "I am Al, call 555",
        credentials,
        asks: [
          {
            answer: masks(
              { Desensitization: "I am Al, call ***", SensitiveData: ["555"] },
              { Desensitization: "I am **, call 555", SensitiveData: ["Al"] },
            ),
          },
        ],
        becomes: "I am **, call ***",
      },
      {
        texts: [`${"a".repeat(1_500)}\n${"b".repeat(1_500)}`, "call 555"],
        credentials,
        asks: [
          { answer: says("pass") },
          { answer: masks({ Desensitization: "***" }) },
          { answer: masks({ Desensitization: "call ***" }) },
        ],
        becomes: [`${"a".repeat(1_500)}\n***`, "call ***"],
      },
      { text: "hi", credentials: { accessKeyId: "id" }, error: "accessKeySecret" },
      { text: "hi", credentials, asks: [{ status: 503 }], error: "503" },
      { text: "hi", credentials, asks: [{ answer: { Code: 408 } }], error: "the code 408" },
      { text: "hi", credentials, asks: [{ answer: "busy" }], error: "something else" },
    ],
    fails: [
      { text: "bad", credentials, asks: [{ answer: says("block") }] },
      { texts: ["hi", "bad"], credentials, asks: [{ status: 503 }, { answer: says("block") }] },
    ],
  },
});
