import { describe, expect, it } from "vitest";
import { frameEventsOf } from "../../../core/http/aws-event-stream/events.ts";
import type { Format, StreamChunk } from "../../../core/index.ts";
import { vendorContext } from "../../../test/conformance/vendor-context.ts";
import { messagesAtBedrock } from "./bedrock.ts";
import { cloudEndpoints } from "./endpoints.ts";
import { countAtVertex, messagesAtVertex } from "./vertex.ts";

const vertex = "/v1/projects/p/locations/us-east5/publishers/anthropic/models";
const [bedrock, claude] = [messagesAtBedrock.name, messagesAtVertex.name];

it.each<[url: string, format: string | undefined, model?: string, stream?: boolean]>([
  ["/model/us.anthropic.claude-x-v1%3A0/invoke", bedrock, "us.anthropic.claude-x-v1:0", false],
  ["/model/us.anthropic.claude-x-v1:0/invoke-with-response-stream", bedrock, "us.anthropic.claude-x-v1:0", true],
  ["/v1/model/a/invoke/?a=b", bedrock, "a", false],
  ["/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ax%2Fy/invoke", bedrock, "arn:aws:bedrock:us-east-1:1:x/y", false],
  ["/model/@mine/small-1/invoke", bedrock, "@mine/small-1", false],
  ["/model/a%E0%A4%A/invoke", bedrock, "a%E0%A4%A", false],
  ["/model/a/converse", undefined],
  ["/model/a/async-invoke", undefined],
  [`${vertex}/claude-x@20250929:rawPredict`, claude, "claude-x@20250929", false],
  [`${vertex}/openai/small-1:streamRawPredict?a=b`, claude, "openai/small-1", true],
  [`${vertex}/@mine%2Fsmall-1:rawPredict`, claude, "@mine/small-1", false],
  ["/v1/publishers/anthropic/models/claude-x:rawPredict", claude, "claude-x", false],
  [`${vertex}/count-tokens:rawPredict`, countAtVertex.name],
  ["/v1/projects/p/locations/l/publishers/mistralai/models/m:rawPredict", undefined],
  ["/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:predict", undefined],
  ["/v1/models/claude-x:rawPredict", undefined],
])("%s is asked in %s", (url, name, model, stream) => {
  const format = cloudEndpoints.find((one) => one.url?.test(url))?.format;
  expect(format).toBe(name);
  const known = [messagesAtBedrock, messagesAtVertex].find((one) => one.name === format);
  expect(known?.readUrl?.(url) ?? {}).toEqual(model === undefined ? {} : { model, stream });
});

const messages = [{ role: "user", content: "Hello" }];
const asked = { model: "m", stream: false, max_tokens: 9, messages };
const written = (format: Format<"chat"> | Format<"count">, wire: object) =>
  format.encodeRequest(format.decodeRequest(wire), (name) => expect.unreachable(name));

describe.each([messagesAtBedrock, messagesAtVertex, countAtVertex])(
  "a request in $name that is written anew",
  (format) => {
    const ofCloud = format === messagesAtBedrock ? "bedrock-2023-05-31" : "vertex-2023-10-16";

    it.each([ofCloud, "2026-10-21", `${ofCloud}-beta`])("says the version its client said: %s", (version) => {
      const wire = written(format, { ...asked, anthropic_version: version, anthropic_beta: ["a"], more: 1 });
      expect(wire).toMatchObject({ anthropic_version: version, anthropic_beta: ["a"], messages, more: 1 });
    });

    it("says the cloud's where nobody said one", () => {
      expect(written(format, asked)).toMatchObject({ anthropic_version: ofCloud });
    });

    it("tells vendors of other formats neither version nor betas", () => {
      const { meantElsewhere } = format;
      for (const version of [ofCloud, "2026-10-21"]) {
        const request = format.decodeRequest({ ...asked, anthropic_version: version, anthropic_beta: ["a"], more: 1 });
        expect(meantElsewhere?.(request, { strict: true }).extra?.fields).toEqual({ more: 1 });
      }
    });
  },
);

describe("streams for clients of Bedrock", () => {
  const chunks: readonly StreamChunk[] = [
    { type: "start", id: "msg_1", model: "m" },
    { type: "text-delta", choice: 0, part: 0, text: "event: a\ndata: b\n\n\u2028\u2029ä" },
    { type: "finish", choice: 0, reason: "stop" },
    { type: "usage", usage: { inputTokens: 3, outputTokens: 2 } },
  ];
  const bytesOf = (text: string | undefined) => Buffer.from(text ?? "", "latin1");

  it("hold each event in a chunk, and are read back as they were", () => {
    const encoder = messagesAtBedrock.encodeStream?.(vendorContext);
    const text = chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end();
    const events = frameEventsOf(bytesOf(text));
    expect(events.map(({ data }) => JSON.parse(data).type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(messagesAtBedrock.readStreamEnd?.(events)).toMatchObject({
      finished: true,
      terminated: true,
      failed: false,
    });
    const decoder = messagesAtBedrock.decodeStream?.();
    const read = [...events.flatMap((event) => [...(decoder?.push(event) ?? [])]), ...(decoder?.end() ?? [])];
    expect(read.find(({ type }) => type === "text-delta")).toMatchObject(chunks[1] ?? {});
  });

  it("end in an exception where they fail, which both ways of reading know", () => {
    const encoder = messagesAtBedrock.encodeStream?.(vendorContext);
    const events = frameEventsOf(bytesOf(encoder?.fail({ message: "slow down", type: "x", status: 429 })));
    expect(events).toEqual([
      { event: "exception", data: JSON.stringify({ __type: "throttlingException", message: "slow down" }) },
    ]);
    expect(encoder?.fail({ message: "again" })).toBe("");
    expect(messagesAtBedrock.readStreamEnd?.(events)).toMatchObject({ failed: true });
    const [event = { data: "" }] = events;
    expect([...(messagesAtBedrock.decodeStream?.().push(event) ?? [])]).toEqual([
      { type: "error", error: { message: "slow down", type: "throttlingException" } },
    ]);
  });
});

it("errors are where AWS's clients look for them, in words that Claude Code knows", () => {
  const body = { error: { message: "maximum context length is 10 tokens, 20 were given", type: null }, provider: "p" };
  const encoded = messagesAtBedrock.encodeError?.(body, 400) ?? {};
  expect(encoded).toEqual({
    __type: "ValidationException",
    message: expect.stringContaining("prompt is too long: 20 tokens > 10 maximum"),
    provider: "p",
  });
  expect(messagesAtBedrock.errorHeaders?.(encoded)).toEqual({ "x-amzn-errortype": "ValidationException" });
  expect(messagesAtBedrock.decodeError({ message: "no" })).toEqual({ message: "no" });
});
