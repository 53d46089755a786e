import { expect, it } from "vitest";
import { CheckError, type CheckRequest, type CheckTools } from "../../core/index.ts";
import { download } from "./download.ts";
import inlineImageUrls from "./families/default/inlineImageUrls.ts";

/** A service every call of which takes so many milliseconds, of the time it is given. */
function slow(took: number, location?: string) {
  const asked: CheckRequest[] = [];
  let now = 0;
  const tools: CheckTools = {
    credentials: {},
    trusted: false,
    forwarded: {},
    recall: () => undefined,
    remember: () => undefined,
    call: () => Promise.reject(new Error("nobody is called here")),
    now: () => now,
    ask: async (request) => {
      asked.push(request);
      now += Math.min(took, request.timeout ?? 0);
      if (location === undefined) throw new CheckError("It did not answer.", { label: "TimeoutError" });
      return { status: 302, headers: { location }, json: undefined };
    },
  };
  return { tools, asked };
}

it("a place that only redirects takes no longer than one that answers", async () => {
  const { tools, asked } = slow(400, "/next");
  await expect(download("https://a.example", tools, { until: 1000 })).rejects.toThrow(CheckError);
  expect(asked.map(({ timeout }) => timeout).slice(0, 4)).toEqual([1000, 600, 200, 1]);
});

it("images of a request take no longer together than one may", async () => {
  const { tools, asked } = slow(400);
  const content = Array.from({ length: 100 }, (_, at) => ({
    type: "image" as const,
    source: { kind: "url" as const, url: `https://${at}.example/x.png` },
  }));
  const body = { model: "m", stream: false, messages: [{ role: "user" as const, content }] };
  const request = { json: {}, body, text: "", streams: false, transformed: false };
  const subject = { requestType: "chatComplete", provider: "openai", model: "m", metadata: {}, headers: {}, request };
  const parameters = inlineImageUrls.parameters.parse({ timeoutMs: 1000 });
  const run = async () =>
    inlineImageUrls.run({ text: "", texts: [], target: "request", subject } as never, parameters as never, tools);
  await expect(run()).rejects.toThrow("None of 100 images");
  expect(asked.map(({ timeout }) => timeout)).toEqual([1000, 600, 200]);
  await expect(run()).rejects.toMatchObject({
    data: {
      failures: expect.arrayContaining([
        { url: "https://99.example/x.png", reason: expect.stringContaining("1000 ms") },
      ]),
    },
  });
});
