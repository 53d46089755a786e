import { CheckError, defineCheck, recordedAddress, z } from "../../../../core/index.ts";
import { headersField, headersOf } from "../../headers.ts";
import { subjectOf } from "../../subject.ts";
import { told } from "../../told.ts";

export default defineCheck({
  id: "default.log",
  summary: "Passes everything, and tells a service of one's own of it.",
  parameters: z.object({
    logURL: z.url({ protocol: /^https?$/ }).describe("Who is told, with a POST."),
    headers: headersField.describe("Sent to it: a map, or the JSON of one."),
    timeout: z.number().positive().default(3_000).describe("Milliseconds it may take."),
  }),
  targets: ["response"],
  urls: ["logURL"],
  async run(input, { logURL, headers, timeout }, tools) {
    const body = told(subjectOf(input));
    try {
      const own = headersOf(headers);
      await tools.ask({ url: logURL, headers: { ...tools.forwarded, ...own }, body, timeout });
      return { verdict: true, data: { message: `It was written to ${recordedAddress(logURL)}.` } };
    } catch (error) {
      if (!(error instanceof CheckError)) throw error;
      const data = { message: `It was not written to ${recordedAddress(logURL)}.` };
      throw new CheckError(error.message, { label: error.label, data });
    }
  },
  table: {
    passes: [
      {
        parameters: { logURL: "https://logs.example/in?key=1", headers: { "x-key": "k" } },
        text: "hi",
        subject: { request: { n: 1 }, response: { a: 1 } },
        asks: [
          {
            url: "https://logs.example/in?key=1",
            headers: { "x-key": "k" },
            body: { request: { json: { n: 1 } }, response: { json: { a: 1 }, text: "hi", statusCode: 200 } },
            answer: "",
          },
        ],
        data: { message: "It was written to https://logs.example/in." },
      },
    ],
    fails: [
      {
        parameters: { logURL: "https://logs.example" },
        subject: {},
        asks: [{ status: 503 }],
        error: "503",
        data: { message: "It was not written to https://logs.example/." },
      },
      { parameters: { logURL: "https://logs.example" }, text: "hi", error: "on its own" },
    ],
  },
});
