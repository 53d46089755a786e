import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "../support/gateway.ts";
import { anthropic } from "../support/sdks/anthropic.ts";
import { cohere } from "../support/sdks/cohere.ts";
import { converse } from "../support/sdks/converse.ts";
import { gemini } from "../support/sdks/gemini.ts";
import { openAiChat, openAiResponses } from "../support/sdks/openai.ts";
import type { Sdk } from "../support/sdks/talk.ts";
import { startBeforeVendors } from "../support/vendors.ts";

/** The SDK of each format before a vendor of each format, whole and streamed: whoever answers, the same is heard. */
const sdks: Readonly<Record<string, (gateway: string) => Sdk>> = {
  "openai-chat": openAiChat,
  "openai-responses": openAiResponses,
  "anthropic-messages": anthropic,
  gemini,
  "cohere-chat": cohere,
  "bedrock-converse": converse,
};
const formats = Object.keys(sdks);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startBeforeVendors(formats);
});
afterAll(() => gateway.shutdown(0, 0));

const rows = Object.entries(sdks).flatMap(([client, sdk]) =>
  formats.flatMap((vendor) => [false, true].map((stream) => ({ client, vendor, stream, sdk }))),
);

describe.each(rows)("the SDK of $client, before a vendor of $vendor (streamed: $stream)", ({ vendor, stream, sdk }) => {
  const talk = (model = "demo") => sdk(gateway.url).talk(`${vendor}/${model}`);

  it("hears a text, how it ended, and what it used", async () => {
    const said = await talk().ask({ text: "How are you?" }, stream);
    const text = "Simulated answer from demo: How are you?";
    expect(said).toEqual({ text, calls: [], ending: "stop", read: 3, written: 7 });
  });

  it("hears no more than it asked for", async () => {
    const said = await talk().ask({ text: "How are you?", most: 20, image: true }, stream);
    expect(said).toMatchObject({ text: "Simulated answer from demo: How are you? I see 1 image.", ending: "stop" });
    expect(await talk().ask({ text: `${"How are you? ".repeat(9)}`, most: 16 }, stream)).toMatchObject({
      ending: "length",
      written: 16,
    });
  });

  it("is asked to call a tool twice, and tells what came of it", async () => {
    const all = talk();
    const call = { name: "get_weather", input: { city: "sample" } };
    const said = await all.ask({ text: "Call get_weather twice.", tools: true }, stream);
    expect(said).toMatchObject({ calls: [call, call], ending: "calls" });
    expect(await all.answer("20 degrees", stream)).toMatchObject({
      text: "The tool said: 20 degrees 20 degrees",
      calls: [],
      ending: "stop",
    });
    expect(await all.ask({ text: "Thank you." }, stream)).toMatchObject({
      text: "Simulated answer from demo: Thank you.",
    });
  });

  it.each([401, 429, 500])("throws an error with status %i", async (status) => {
    const failure = await talk(`fault-status-${status}`)
      .ask({ text: "Fail." }, stream)
      .then(
        (said) => expect.fail(JSON.stringify(said)),
        (error: unknown) => error,
      );
    expect(sdk(gateway.url).statusOf(failure)).toBe(status);
  });

  it("is never told that an answer which broke off had ended", async () => {
    const said = await talk("fault-cut-after-3")
      .ask({ text: "How are you?" }, stream)
      .then(
        ({ ending }) => ending,
        () => "thrown",
      );
    expect(["stop", "length", "calls"]).not.toContain(said);
  });
});
