import { describe, expect, it } from "vitest";
import { type ChatResponse, eventFrame, type Format, type StreamChunk } from "../../core/index.ts";
import { framingRules } from "../../core/pipeline/stream/framing.ts";
import { translation } from "../../core/pipeline/stream/stream-work.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";
import { assembled } from "./assembled.ts";
import { vendorContext } from "./vendor-context.ts";

const rain = "Zürich hat 🌧.";
const sun = "Morgen Sonne.";
const text = `${rain} ${sun}`;
const bytes = (value: string) => Buffer.byteLength(value);

const groundingChunks = [
  { web: { uri: "https://a.example/1", title: "A" } },
  { web: { uri: "https://b.example/2", domain: "b.example" } },
  { retrievedContext: { title: "Nowhere on the web" } },
];
const cited = (segment: object, ...groundingChunkIndices: number[]) => ({ segment, groundingChunkIndices });
const answer = (parts: readonly object[], more: object) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  responseId: "r",
  modelVersion: "gemini-2.5-flash",
});

/** In a whole answer segments are counted from the beginning of their part. */
const whole = answer([{ text: "Hm.", thought: true }, { text: `${rain} ` }, { text: sun }], {
  finishReason: "STOP",
  groundingMetadata: {
    groundingChunks,
    groundingSupports: [
      cited({ partIndex: 1, endIndex: bytes(rain), text: rain }, 0, 1),
      cited({ partIndex: 2, startIndex: 7, endIndex: 13, text: "Sonne." }, 1, 2),
      cited({ partIndex: 1, startIndex: 2, endIndex: 9, text: "Not said." }, 0),
    ],
  },
});

/** In a stream they are from that of all text. */
const frames = [
  answer([{ text: "Hm.", thought: true }], {}),
  answer([{ text: text.slice(0, 11) }], {}),
  answer([{ text: text.slice(11) }], {
    finishReason: "STOP",
    groundingMetadata: {
      groundingChunks,
      groundingSupports: [
        cited({ endIndex: bytes(rain), text: rain }, 0, 1),
        cited({ startIndex: bytes(`${rain} Morgen `), endIndex: bytes(text), text: "Sonne." }, 1, 2),
      ],
    },
  }),
].map((frame) => `data: ${JSON.stringify(frame)}\n\n`);

const places = [
  { url: "https://a.example/1", title: "A", start: 0, end: 14 },
  { url: "https://b.example/2", title: "b.example", start: 0, end: 14 },
  { url: "https://b.example/2", title: "b.example", start: 22, end: 28 },
];

function streamed(upstream: Format<"chat">, client: Format<"chat">, sent: string | Buffer): Buffer {
  const work = translation({ upstream, client, context: vendorContext, maxFrameBytes: 1_000_000 });
  const first = Buffer.from(work.push(Buffer.from(sent)));
  const { out, failure } = work.end();
  expect(failure).toBeUndefined();
  return Buffer.concat([first, Buffer.from(out)]);
}

const clients: readonly (readonly [Format<"chat">, readonly object[], (answer: never) => unknown])[] = [
  [
    openAiChat,
    places.map(({ url, title, start, end }) => ({
      type: "url_citation",
      url_citation: { start_index: start, end_index: end, url, title },
    })),
    ({ choices: [choice] }: { choices: { message: { annotations: object[] } }[] }) => choice?.message.annotations,
  ],
  [
    openAiResponses,
    places.map(({ url, title, start, end }) => ({
      type: "url_citation",
      start_index: start,
      end_index: end,
      url,
      title,
    })),
    ({ output }: { output: { content: { annotations: object[] }[] }[] }) => output[1]?.content[0]?.annotations,
  ],
  [
    anthropicMessages,
    places.map(({ url, title }) => ({
      type: "web_search_result_location",
      url,
      title,
      cited_text: "",
      encrypted_index: "signed-by:nobody:",
    })),
    ({ content }: { content: { citations?: object[] }[] }) => content[1]?.citations,
  ],
  [
    cohereChat,
    // A span has all its sources, and its text once.
    [places.slice(0, 2), places.slice(2)].map((sources) => ({
      start: sources[0]?.start,
      end: sources[0]?.end,
      text: text.slice(sources[0]?.start, sources[0]?.end),
      sources: sources.map(({ url, title }) => ({ type: "document", id: url, document: { id: url, url, title } })),
      content_index: 1,
      type: "TEXT_CONTENT",
    })),
    ({ message }: { message: { citations: object[] } }) => message.citations,
  ],
  [
    bedrockConverse,
    places.map(({ url, title }) => ({ title, location: { web: { url } } })),
    ({ output }: { output: { message: { content: { citationsContent?: { citations: object[] } }[] } } }) =>
      output.message.content[1]?.citationsContent?.citations,
  ],
];

describe.each(clients)(
  "an answer of Gemini that is grounded on the web, for a client of $name",
  (client, shown, of) => {
    const decoded = gemini.decodeResponse(whole);

    it("has its sources where such a client looks for them, at the places they are of", () => {
      expect(of(client.encodeResponse(decoded, vendorContext) as never)).toEqual(shown);
    });

    it("says the same as a stream", () => {
      const said = assembled(client, streamed(gemini, client, frames.join("")));
      expect(said).toEqual(client.decodeResponse(client.encodeResponse(decoded, vendorContext)));
    });
  },
);

describe("an answer with citations of the web for a client of gemini", () => {
  const annotated = {
    id: "c",
    created: 1,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text,
          annotations: places.map(({ url, title, start, end }) => ({
            type: "url_citation",
            url_citation: { start_index: start, end_index: end, url, title },
          })),
        },
        finish_reason: "stop",
      },
    ],
  };
  const grounding = {
    groundingChunks: [
      { web: { uri: "https://a.example/1", title: "A" } },
      { web: { uri: "https://b.example/2", title: "b.example" } },
    ],
    groundingSupports: [
      cited({ endIndex: bytes(rain), text: rain }, 0, 1),
      cited({ startIndex: bytes(`${rain} Morgen `), endIndex: bytes(text), text: "Sonne." }, 1),
    ],
  };

  it("is grounded on them, in bytes, whole and streamed", () => {
    const decoded = openAiChat.decodeResponse(annotated);
    expect(gemini.encodeResponse(decoded, vendorContext).candidates).toMatchObject([{ groundingMetadata: grounding }]);
    const [choice] = annotated.choices;
    const sent = [
      { delta: { role: "assistant", content: text.slice(0, 9) }, finish_reason: null },
      { delta: { content: text.slice(9) }, finish_reason: null },
      { delta: { annotations: choice?.message.annotations }, finish_reason: null },
      { delta: {}, finish_reason: "stop" },
    ].map((one) => `data: ${JSON.stringify({ ...annotated, choices: [{ index: 0, ...one }] })}\n\n`);
    const events = framingRules("sse").events(streamed(openAiChat, gemini, `${sent.join("")}data: [DONE]\n\n`));
    const last = JSON.parse(events.at(-1)?.data ?? "{}");
    expect(last.candidates).toMatchObject([{ finishReason: "STOP", groundingMetadata: grounding }]);
  });

  it("counts from the part they are of", () => {
    const citation = { type: "url_citation", url: "https://a.example/1", start_index: 1, end_index: 2 };
    const response: ChatResponse = {
      choices: [
        {
          index: 0,
          finishReason: "stop",
          content: [
            { type: "text", text: "ä" },
            { type: "image", source: { kind: "data", data: "AAAA", mediaType: "image/png" } },
            { type: "text", text: "üb", citations: [citation, { type: "char_location" }] },
          ],
        },
      ],
    };
    expect(gemini.encodeResponse(response, vendorContext).candidates).toMatchObject([
      {
        groundingMetadata: {
          groundingChunks: [{ web: { uri: "https://a.example/1" } }],
          groundingSupports: [cited({ partIndex: 2, startIndex: 2, endIndex: 3, text: "b" }, 0)],
        },
      },
    ]);
  });
});

it("what Claude could not verify does not go back to it", () => {
  const shown = anthropicMessages.encodeResponse(gemini.decodeResponse(whole), vendorContext);
  const [, said] = (shown as unknown as { content: object[] }).content;
  const own = {
    type: "web_search_result_location",
    url: "https://c.example",
    title: null,
    cited_text: "c",
    encrypted_index: "Eo",
  };
  const { citations } = said as { citations: object[] };
  const history = (cites: object[]) => ({
    model: "claude-sonnet-4-5",
    max_tokens: 9,
    messages: [
      { role: "user", content: "a" },
      { role: "assistant", content: [{ ...said, citations: cites }] },
      { role: "user", content: "b" },
    ],
  });
  const asked = (cites: object[]) => {
    const dropped: string[] = [];
    const request = anthropicMessages.decodeRequest(history(cites));
    const wire = anthropicMessages.encodeRequest(request, (name) => dropped.push(name));
    return { said: (wire.messages as { content: object[] }[])[1]?.content, dropped };
  };
  expect(asked([...citations, own])).toEqual({
    said: [{ type: "text", text, citations: [own] }],
    dropped: ["messages.citations"],
  });
  expect(asked(citations)).toEqual({ said: [{ type: "text", text }], dropped: ["messages.citations"] });
  const [borrowed = ""] = anthropicMessages.borrowed ?? [];
  expect(JSON.stringify(history(citations))).toContain(borrowed);
});

it.each([openAiChat, openAiResponses, cohereChat, gemini])(
  "are of a text that others follow, for a client of $name",
  (client) => {
    const citation = { type: "url_citation", url: "https://a.example/1", title: "A", start_index: 1, end_index: 3 };
    const told = (late: boolean) => {
      const encoder = client.encodeStream?.(vendorContext);
      const chunks: StreamChunk[] = [
        { type: "start", id: "resp_1", model: "m", created: 1 },
        { type: "text-delta", choice: 0, part: 0, text: "first" },
        { type: "text-delta", choice: 0, part: 2, text: "second", extra: { format: client.name, fields: {} } },
        { type: "finish", choice: 0, reason: "stop" },
      ];
      chunks.splice(late ? 3 : 2, 0, { type: "text-delta", choice: 0, part: 0, text: "", citations: [citation] });
      return assembled(client, Buffer.from(chunks.map((chunk) => encoder?.push(chunk)).join("") + encoder?.end()));
    };
    expect(JSON.stringify(told(true))).toContain("https://a.example/1");
    expect(told(true)).toEqual(told(false));
  },
);

/** Vendors whose citations are about a text as a whole, and tell them before it is: answers, and streams of the same. */
const page = { type: "web_search_result_location", url: "https://a.example/1", cited_text: "c", encrypted_index: "Eo" };
const web = { location: { web: { url: "https://a.example/1", domain: "a.example" } } };
const said = ["See: ", rain];
const sse = (events: readonly { type: string }[]) =>
  Buffer.from(events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join(""));
const inBlock = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });

const vendors: readonly (readonly [Format<"chat">, string, object, Buffer])[] = [
  [
    anthropicMessages,
    "A",
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "text", text: said[0] },
        { type: "text", text: rain, citations: [{ ...page, title: "A" }] },
      ],
      stop_reason: "end_turn",
    },
    sse([
      { type: "message_start", ...{ message: { id: "msg_1", model: "m", role: "assistant", content: [] } } },
      { type: "content_block_start", ...{ index: 0, content_block: { type: "text", text: "" } } },
      inBlock(0, { type: "text_delta", text: said[0] }),
      { type: "content_block_stop", ...{ index: 0 } },
      { type: "content_block_start", ...{ index: 1, content_block: { type: "text", text: "", citations: [] } } },
      inBlock(1, { type: "citations_delta", citation: { ...page, title: "A" } }),
      inBlock(1, { type: "text_delta", text: rain.slice(0, 4) }),
      inBlock(1, { type: "text_delta", text: rain.slice(4) }),
      { type: "content_block_stop", ...{ index: 1 } },
      { type: "message_delta", ...{ delta: { stop_reason: "end_turn" } } },
      { type: "message_stop" },
    ]),
  ],
  [
    bedrockConverse,
    "a.example",
    {
      output: {
        message: {
          role: "assistant",
          content: [{ text: said[0] }, { citationsContent: { content: [{ text: rain }], citations: [web] } }],
        },
      },
      stopReason: "end_turn",
    },
    Buffer.concat(
      [
        ["messageStart", { role: "assistant" }] as const,
        ["contentBlockDelta", { contentBlockIndex: 0, delta: { text: said[0] } }] as const,
        ["contentBlockStop", { contentBlockIndex: 0 }] as const,
        ["contentBlockDelta", { contentBlockIndex: 1, delta: { citation: web } }] as const,
        ["contentBlockDelta", { contentBlockIndex: 1, delta: { text: rain } }] as const,
        ["contentBlockStop", { contentBlockIndex: 1 }] as const,
        ["messageStop", { stopReason: "end_turn" }] as const,
      ].map(([name, fields]) => Buffer.from(eventFrame(name, JSON.stringify(fields)), "latin1")),
    ),
  ],
];

describe.each(vendors)("a search of the web by a model of $name", (upstream, title, wholeAnswer, stream) => {
  const decoded = upstream.decodeResponse(wholeAnswer);
  const shownBy = (client: Format<"chat">) => client.encodeResponse(decoded, { ...vendorContext, strict: true });
  const place = { start_index: 0, end_index: rain.length, url: "https://a.example/1", title };

  it("is told as annotations, with the text each is about", () => {
    const moved = { ...place, start_index: said[0]?.length, end_index: said.join("").length };
    expect(shownBy(openAiChat)).toMatchObject({
      choices: [{ message: { annotations: [{ type: "url_citation", url_citation: moved }] } }],
    });
    expect(shownBy(openAiResponses)).toMatchObject({
      output: [{ content: [{}, { annotations: [{ type: "url_citation", ...place }] }] }],
    });
    expect(shownBy(gemini)).toMatchObject({
      candidates: [{ groundingMetadata: { groundingChunks: [{ web: { uri: place.url, title } }] } }],
    });
  });

  it("repeats the text for a client of cohere-chat once, however many pages it is from", () => {
    expect(shownBy(cohereChat)).toMatchObject({ message: { citations: [{ text: rain, content_index: 1 }] } });
    const [choice] = decoded.choices;
    const cited = choice?.content.find((part) => part.type === "text" && part.citations !== undefined);
    if (!choice || cited?.type !== "text") throw new Error("No text is cited.");
    const pages = ["1", "2", "3", "2"].map((page) => ({ type: "url_citation", url: `https://a.example/${page}` }));
    const content = [{ ...cited, citations: [...(cited.citations ?? []), ...pages] }];
    expect(cohereChat.encodeResponse({ choices: [{ ...choice, content }] }, vendorContext)).toMatchObject({
      message: {
        citations: [{ text: rain, sources: ["1", "2", "3"].map((page) => ({ id: `https://a.example/${page}` })) }],
      },
    });
  });

  it.each([openAiChat, openAiResponses, cohereChat])("says the same as a stream, for a client of $name", (client) => {
    const told = JSON.stringify(assembled(client, streamed(upstream, client, stream)).choices);
    expect(told).toContain("https://a.example/1");
    expect(told).toEqual(JSON.stringify(client.decodeResponse(client.encodeResponse(decoded, vendorContext)).choices));
  });
});
