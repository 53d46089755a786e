import { CheckError, defineCheck, z } from "../../../../core/index.ts";
import { answerAs } from "../../answer-as.ts";
import { askPangea } from "../../partners/pangea.ts";
import { replacing, spoken } from "../../partners/parts.ts";

const answer = z.looseObject({ count: z.number().nullish(), redacted_data: z.array(z.string()).nullish() });

const credentials = { apiKey: "k", domain: "aws.us.pangea.cloud" };
const found = (count: number, ...redacted_data: string[]) => ({
  status: "Success",
  summary: `${count} found`,
  result: { count, ...(redacted_data.length > 0 && { redacted_data }) },
});

export default defineCheck({
  id: "pangea.pii",
  summary: "Passes text in which Pangea's Redact finds nothing, or replaces what it finds.",
  parameters: z.object({
    redact: z.boolean().default(false).describe("Whether what is found is replaced and passes."),
  }),
  verdictOnError: true,
  needsText: true,
  async run({ texts }, { redact }, tools) {
    const { sent, back } = spoken(texts);
    const asked = await askPangea(tools, "redact", "/v1/redact_structured", { data: sent });
    const { count, redacted_data: redacted } = answerAs(answer, asked.result);
    const data = { summary: asked.summary };
    if (!count || !redacted) return { verdict: true, data };
    if (!redact) return { verdict: false, data };
    if (redacted.length !== sent.length)
      throw new CheckError("The service answered for another number of texts than it was sent.", { verdict: false });
    return { verdict: true, data, ...replacing(back(redacted)) };
  },
  table: {
    passes: [
      {
        text: "hello",
        credentials,
        asks: [
          {
            url: "https://redact.aws.us.pangea.cloud/v1/redact_structured",
            headers: { authorization: "Bearer k" },
            body: { data: ["hello"] },
            answer: found(0),
          },
        ],
        data: { summary: "0 found" },
      },
      {
        parameters: { redact: true },
        texts: ["hi", "", "call 555"],
        credentials,
        asks: [{ body: { data: ["hi", "call 555"] }, answer: found(1, "hi", "call <PHONE>") }],
        becomes: [null, null, "call <PHONE>"],
      },
      { text: "hello", error: "apiKey, domain" },
      { text: "hello", credentials, asks: [{ status: 401 }], error: "401" },
      { text: "hello", credentials, asks: [{ answer: "no" }], error: "something else" },
    ],
    fails: [
      { text: "call 555", credentials, asks: [{ answer: found(1, "call <PHONE>") }], data: { summary: "1 found" } },
      {
        parameters: { redact: true },
        text: "call 555",
        credentials,
        asks: [{ answer: found(1, "call <PHONE>", "?") }],
        error: "another number",
      },
    ],
  },
});
