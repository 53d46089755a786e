import { type CheckTarget, type CheckTools, compact, defineCheck, z } from "../../../core/index.ts";
import { answerAs } from "../answer-as.ts";
import { credentialsOf } from "../credentials.ts";
import { httpsAt } from "./address.ts";
import { forEachText, replacing } from "./parts.ts";

const side = z.looseObject({
  passed: z.boolean(),
  action: z.string().nullish(),
  modified_text: z.string().nullish(),
});
const answer = z.object({ result: z.record(z.string(), side.nullish()) });
type Side = z.output<typeof side>;

const parameters = z.object({
  policy: z.string().optional().describe("The policy that holds."),
  redact: z.boolean().default(false).describe("Whether text the service modified is replaced and passes."),
  monitorOnly: z.boolean().default(false).describe("Whether everything passes."),
  user: z.string().optional().describe("The user the service is told of."),
  userGroups: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe("The groups of the user."),
});

const tried = { credentials: { apiKey: "k", apiDomain: "https://eu.prompt.example/" } };

/** Prompt Security's protection of one side of an exchange (guardrails.md section 13.21). */
export const promptSecurity = (target: CheckTarget) => {
  const field = target === "request" ? "prompt" : "response";

  async function judged(text: string, { policy, user, userGroups }: z.output<typeof parameters>, tools: CheckTools) {
    const { apiKey, apiDomain } = credentialsOf(tools, { apiKey: z.string().min(1), apiDomain: z.string().min(1) });
    const groups = typeof userGroups === "string" ? userGroups.split(",").map((group) => group.trim()) : userGroups;
    const { json } = await tools.ask({
      url: `${httpsAt(apiDomain)}/api/protect`,
      headers: { ...tools.forwarded, "app-id": apiKey },
      body: { [field]: text, ...compact({ policy_name: policy, user, user_groups: groups }) },
    });
    return answerAs(answer.extend({ result: z.looseObject({ [field]: side }) }), json).result[field] as Side;
  }

  const says = (more: object) => ({ result: { [field]: { passed: true, ...more } } });
  return defineCheck({
    id: target === "request" ? "promptsecurity.protectPrompt" : "promptsecurity.protectResponse",
    summary: `Passes ${field}s that Prompt Security lets through, or that it modified.`,
    parameters,
    targets: [target],
    needsText: true,
    async run({ texts, text }, given, tools) {
      // What comes back modified has to be put back in its place.
      const asked = given.redact ? texts : [text];
      const modifiedOf = (one: Side) => (given.redact && one.action !== "block" ? (one.modified_text ?? null) : null);
      const refuses = (one: Side) => !one.passed && modifiedOf(one) === null;
      const sides = await forEachText(asked, (one) => judged(one, given, tools), refuses);
      const modified = sides.map((one) => one && modifiedOf(one));
      const refused = sides.find((one) => one !== null && refuses(one));
      return {
        verdict: given.monitorOnly || !refused,
        data: refused ?? sides.find((one) => one !== null) ?? null,
        ...replacing(modified),
      };
    },
    table: {
      passes: [
        {
          ...tried,
          parameters: { policy: "strict", user: "a@b.example", userGroups: "x, y" },
          text: "hello",
          asks: [
            {
              url: "https://eu.prompt.example/api/protect",
              headers: { "app-id": "k" },
              body: { [field]: "hello", policy_name: "strict", user: "a@b.example", user_groups: ["x", "y"] },
              answer: says({}),
            },
          ],
          data: { passed: true },
        },
        {
          ...tried,
          parameters: { redact: true },
          texts: ["", "call 555"],
          asks: [{ answer: says({ passed: false, action: "modify", modified_text: "call ***" }) }],
          becomes: [null, "call ***"],
        },
        { ...tried, parameters: { monitorOnly: true }, text: "bad", asks: [{ answer: says({ passed: false }) }] },
      ],
      fails: [
        {
          ...tried,
          text: "bad",
          asks: [{ answer: says({ passed: false, action: "block" }) }],
          data: { passed: false, action: "block" },
        },
        {
          ...tried,
          parameters: { redact: true },
          texts: ["call 555", "bad"],
          asks: [
            { answer: says({ passed: false, action: "modify", modified_text: "call ***" }) },
            { answer: says({ passed: false, action: "block", modified_text: "" }) },
          ],
          data: { passed: false, action: "block", modified_text: "" },
        },
        { text: "hello", credentials: { apiKey: "k" }, error: "apiDomain" },
        { ...tried, text: "hello", asks: [{ status: 500 }], error: "500" },
        { ...tried, text: "hello", asks: [{ answer: { result: {} } }], error: field },
      ],
    },
  });
};
