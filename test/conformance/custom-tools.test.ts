import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChatResponse,
  chunksOf,
  customToolsOf,
  type EncodeContext,
  inputArguments,
  inputIn,
} from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { translation } from "../../core/pipeline/stream/stream-work.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";
import { deepFreeze } from "../arbitraries/chat.ts";
import { assembled } from "./assembled.ts";
import { chatFormats } from "./pairs.ts";
import { inPieces } from "./pieces.ts";
import { vendorContext } from "./vendor-context.ts";

const grammar = { syntax: "lark", definition: 'start: "*** Begin Patch" /.+/s "*** End Patch"' };
const patch = '*** Begin Patch\n*** Add File: a.txt\n+say "hé 😀" \\d+\n*** End Patch';

/** A chat in which a tool for free text was called once and is to be called again, as each client with such tools says it. */
const requests: Readonly<Record<string, object>> = {
  "openai-chat": {
    model: "m",
    messages: [
      { role: "user", content: "Add a file." },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "custom", custom: { name: "apply_patch", input: patch } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "Done." },
      { role: "user", content: "Again." },
    ],
    tools: [
      {
        type: "custom",
        custom: { name: "apply_patch", description: "Edits files.", format: { type: "grammar", grammar } },
      },
      { type: "custom", custom: { name: "shell", format: { type: "text" } } },
    ],
    tool_choice: { type: "custom", custom: { name: "apply_patch" } },
  },
  "openai-responses": {
    model: "m",
    input: [
      { type: "message", role: "user", content: "Add a file." },
      {
        type: "custom_tool_call",
        id: "ctc_1",
        status: "completed",
        call_id: "call_1",
        name: "apply_patch",
        input: patch,
      },
      { type: "custom_tool_call_output", call_id: "call_1", output: "Done." },
      { type: "message", role: "user", content: "Again." },
    ],
    tools: [
      { type: "custom", name: "apply_patch", description: "Edits files.", format: { type: "grammar", ...grammar } },
      { type: "custom", name: "shell", format: { type: "text" } },
    ],
    tool_choice: { type: "custom", name: "apply_patch" },
  },
};

const answer = (text: string): ChatResponse => ({
  id: "a1",
  model: "m",
  choices: [
    {
      index: 0,
      content: [
        { type: "text", text: "So be it." },
        { type: "tool-call", id: "call_2", name: "apply_patch", arguments: text },
      ],
      finishReason: "tool-calls",
    },
  ],
  usage: { inputTokens: 10, outputTokens: 20 },
});

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** What is called in an answer, and with which free text. */
const calls = ({ choices }: ChatResponse) =>
  choices.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === "tool-call" ? { name: part.name, custom: part.custom, input: inputIn(part.arguments) } : [],
    ),
  );

const clients = [openAiChat, openAiResponses];
const pairs = clients.flatMap((client) =>
  chatFormats
    .filter((upstream) => upstream !== client)
    .map((upstream) => ({ client, upstream, name: `${client.name}--${upstream.name}` })),
);

describe.each(clients)("a tool for free text of $name", ({ name, decodeRequest, encodeRequest }) => {
  it("is written back as it was", () => {
    const dropped: string[] = [];
    const wire = deepFreeze(requests[name]);
    expect(encodeRequest(deepFreeze(decodeRequest(wire)), (field) => dropped.push(field))).toEqual(wire);
    expect(dropped).toEqual([]);
  });

  it("makes nothing custom of a request that has none", () => {
    const { tools: _, ...rest } = requests[name] as Record<string, unknown>;
    expect(customToolsOf(decodeRequest(rest))).toBeUndefined();
    expect(customToolsOf(decodeRequest(requests[name]))).toEqual(new Set(["apply_patch", "shell"]));
  });
});

describe.each(pairs)("tools for free text, $name,", ({ name, client, upstream }) => {
  const request = client.decodeRequest(requests[client.name]);
  const context: EncodeContext = { ...vendorContext, customTools: customToolsOf(request) };
  const file = (kind: string) => join(import.meta.dirname, "fixtures", name, `custom-tool.${kind}`);
  /** The answer as the vendor writes it, cut into pieces as small as `sizes` says. */
  const streamOf = (given: string, sizes: Iterable<number>) => {
    const encoder = upstream.encodeStream?.(vendorContext);
    let sent = "";
    for (const chunk of inPieces(chunksOf(answer(given)), sizes)) sent += encoder?.push(chunk) ?? "";
    return Buffer.from(sent + (encoder?.end() ?? ""), framingRules(upstream.framing).encoding);
  };
  const streamed = (given: string, sizes: Iterable<number>) => {
    const work = translation({ upstream, client, context, maxFrameBytes: 1_000_000 });
    const out = work.push(streamOf(given, sizes));
    return Buffer.concat([Buffer.from(out), Buffer.from(work.end().out)]);
  };

  it("are what the vendor knows, and nothing is lost", async () => {
    const dropped: string[] = [];
    const sent = upstream.encodeRequest(deepFreeze(request), (field) => dropped.push(field));
    expect(dropped.filter((field) => /custom|^tools|^messages/.test(field))).toEqual([]);
    await expect(text({ dropped: dropped.sort(), sent })).toMatchFileSnapshot(file("upstream-request.json"));
  });

  it("are called by the client's own kind of call, whole and streamed", async () => {
    const wire = json(upstream.encodeResponse(answer(inputArguments(patch)), vendorContext));
    const whole = client.encodeResponse(upstream.decodeResponse(wire), context);
    await expect(text(whole)).toMatchFileSnapshot(file("client-answer.json"));
    const bytes = streamed(
      inputArguments(patch),
      Array.from({ length: 20 }, () => 20),
    );
    await expect(bytes.toString()).toMatchFileSnapshot(file("client-answer.sse"));
    const called = [{ name: "apply_patch", custom: true, input: patch }];
    expect(calls(client.decodeResponse(json(whole)))).toEqual(called);
    expect(calls(assembled(client, bytes))).toEqual(called);
  });

  it("are given any text, however the vendor cuts it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((given) => given.isWellFormed()),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (given, sizes) => {
          const called = [{ name: "apply_patch", custom: true, input: given }];
          const wire = json(upstream.encodeResponse(answer(inputArguments(given)), vendorContext));
          const whole = client.encodeResponse(upstream.decodeResponse(wire), context);
          expect(calls(client.decodeResponse(json(whole)))).toEqual(called);
          expect(calls(assembled(client, streamed(inputArguments(given), sizes)))).toEqual(called);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("leave calls of functions what they are", () => {
    const given = { ...context, customTools: new Set(["other"]) };
    const wire = json(upstream.encodeResponse(answer('{"input":"x"}'), vendorContext));
    const whole = client.encodeResponse(upstream.decodeResponse(wire), given);
    expect(calls(client.decodeResponse(json(whole)))).toEqual([{ name: "apply_patch", custom: undefined, input: "x" }]);
  });
});
