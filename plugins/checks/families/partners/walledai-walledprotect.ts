import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { credentialsOf } from "../../credentials.ts";

const answer = z.object({
  data: z.looseObject({ safety: z.array(z.looseObject({ isSafe: z.boolean().nullish() })).nullish() }),
});

const personal = [
  ...["Person's Name", "Address", "Email Id", "Contact No", "Date Of Birth", "Unique Id", "Financial Data"],
];
const credentials = { apiKey: "k" };
const judged = (isSafe: boolean) => ({ success: true, data: { safety: [{ safety: "generic", isSafe }], pii: [] } });

export default defineCheck({
  id: "walledai.walledprotect",
  summary: "Passes text that Walled AI finds safe.",
  parameters: z.object({
    generic_safety_check: z.boolean().default(true).describe("Whether its safety is judged."),
    greetings_list: z.array(z.string()).default(["Casual & Friendly"]).describe("Kinds of greetings it is told of."),
    pii_list: z.array(z.string()).default(personal).describe("Kinds of personal data that are looked for."),
    compliance_list: z.array(z.string()).default([]).describe("Topics that are looked for."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ text }, { generic_safety_check, greetings_list, pii_list, compliance_list }, tools) {
    const { apiKey } = credentialsOf(tools, { apiKey: z.string().min(1) });
    const { json } = await tools.ask({
      url: "https://services.walled.ai/v1/walled-protect",
      headers: { ...tools.forwarded, "x-api-key": apiKey },
      body: { text, generic_safety_check, greetings_list, pii_list, compliance_list },
    });
    const { data } = answerAs(answer, json);
    const safe = data.safety?.[0]?.isSafe;
    if (generic_safety_check && typeof safe !== "boolean")
      throw new CheckError("The service did not say whether it is safe.");
    return { verdict: safe !== false, data };
  },
  table: {
    passes: [
      {
        parameters: { compliance_list: ["Medical"] },
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://services.walled.ai/v1/walled-protect",
            headers: { "x-api-key": "k" },
            body: {
              text: "hello",
              generic_safety_check: true,
              greetings_list: ["Casual & Friendly"],
              pii_list: personal,
              compliance_list: ["Medical"],
            },
            answer: judged(true),
          },
        ],
        data: judged(true).data,
      },
      {
        parameters: { generic_safety_check: false },
        text: "hello",
        credentials,
        asks: [{ body: { generic_safety_check: false }, answer: { data: { safety: [] } } }],
      },
      { text: "hello", error: "apiKey" },
      { text: "hello", credentials, asks: [{ status: 401 }], error: "401" },
      { text: "hello", credentials, asks: [{ answer: { data: {} } }], error: "did not say" },
      { text: "hello", credentials, asks: [{ answer: {} }], error: "data" },
    ],
    fails: [{ text: "bad", target: "response", credentials, asks: [{ answer: judged(false) }] }],
  },
});
