import { describe, expect, it } from "vitest";
import { assembled, context, decodedChunks } from "../../core/codec-kit/testing.ts";
import { type ChatResponse, chunksOf, type Format, type WireEvent } from "../../core/index.ts";
import { anthropicMessages } from "../../plugins/format-anthropic-messages/index.ts";
import { eventsOf } from "../../plugins/format-anthropic-messages/testing.ts";
import { bedrockConverse } from "../../plugins/format-bedrock-converse/index.ts";
import { eventsOf as converseEventsOf } from "../../plugins/format-bedrock-converse/testing.ts";
import { cohereChat } from "../../plugins/format-cohere-chat/index.ts";
import { gemini } from "../../plugins/format-gemini/index.ts";
import { openAiChat } from "../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../plugins/format-openai-responses/index.ts";

const proof = "EqoBCkgIBhABGAI=";
type Wire = Record<string, unknown>;

interface Vendor {
  readonly format: Format<"chat">;
  readonly model: string;
  /** Whose signatures it takes. */
  readonly signer: string;
  /** An answer with thinking that is signed. */
  readonly answer: Wire;
}

const claude = { signer: "Claude" };
const vendors: readonly Vendor[] = [
  {
    ...claude,
    format: anthropicMessages,
    model: "claude-sonnet-4-5",
    answer: {
      content: [
        { type: "thinking", thinking: "Hm.", signature: proof },
        { type: "text", text: "Hi" },
      ],
      stop_reason: "end_turn",
    },
  },
  {
    ...claude,
    format: bedrockConverse,
    model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    answer: {
      output: {
        message: {
          role: "assistant",
          content: [{ reasoningContent: { reasoningText: { text: "Hm.", signature: proof } } }, { text: "Hi" }],
        },
      },
      stopReason: "end_turn",
    },
  },
  {
    signer: "Gemini",
    format: gemini,
    model: "gemini-3-pro-preview",
    answer: {
      candidates: [
        {
          content: { role: "model", parts: [{ text: "Hm.", thought: true, thoughtSignature: proof }, { text: "Hi" }] },
          finishReason: "STOP",
        },
      ],
    },
  },
  {
    signer: "OpenAI",
    format: openAiResponses,
    model: "gpt-5",
    answer: {
      output: [
        {
          type: "reasoning",
          id: "rs_1",
          summary: [
            { type: "summary_text", text: "First." },
            { type: "summary_text", text: "Hm." },
          ],
          encrypted_content: proof,
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hi", annotations: [] }] },
      ],
      status: "completed",
    },
  },
];

const first = (list: unknown): Wire => (list as Wire[])[0] as Wire;
const at = (wire: unknown, name: string): unknown => (wire as Wire)[name];

/** What a client makes of an answer in its next request. */
const clients: readonly { format: Format<"chat">; ask(model: string, answer: Wire): Wire }[] = [
  {
    format: anthropicMessages,
    ask: (model, { content }) => ({
      model,
      max_tokens: 100,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content },
        { role: "user", content: "And?" },
      ],
    }),
  },
  {
    format: bedrockConverse,
    ask: (model, { output }) => ({
      model,
      messages: [
        { role: "user", content: [{ text: "Hi" }] },
        at(output, "message"),
        { role: "user", content: [{ text: "And?" }] },
      ],
    }),
  },
  {
    format: gemini,
    ask: (model, { candidates }) => ({
      model,
      contents: [
        { role: "user", parts: [{ text: "Hi" }] },
        first(candidates).content,
        { role: "user", parts: [{ text: "And?" }] },
      ],
    }),
  },
  {
    format: openAiResponses,
    ask: (model, { output }) => ({
      model,
      input: [{ role: "user", content: "Hi" }, ...(output as Wire[]), { role: "user", content: "And?" }],
    }),
  },
  {
    format: openAiChat,
    ask: (model, { choices }) => ({
      model,
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content_blocks: at(first(choices).message, "content_blocks") },
        { role: "user", content: "And?" },
      ],
    }),
  },
];

const given = { ...context, strict: false };

/** The answer as the client has put it together out of a stream. */
function streamed(client: Format<"chat">, answer: ChatResponse): Wire {
  const encoder = client.encodeStream?.(given);
  let text = "";
  for (const chunk of chunksOf(answer)) text += encoder?.push(chunk);
  text += encoder?.end();
  const events: WireEvent[] = client === bedrockConverse ? converseEventsOf(text) : eventsOf(text);
  const decoder = client.decodeStream?.();
  return client.encodeResponse(assembled(decoder ? decodedChunks(events, decoder) : []), given);
}

/** Vendors that hide what was thought sign an empty text. */
const hidden: ChatResponse = {
  choices: [
    {
      index: 0,
      content: [
        { type: "thinking", text: "", signature: proof, signer: "openai-responses" },
        { type: "text", text: "Hi" },
      ],
      finishReason: "stop",
    },
  ],
};

it.each([
  ["gemini-3-pro-preview", gemini],
  ["amazon.nova-pro-v1:0", bedrockConverse],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", bedrockConverse],
  ["claude-sonnet-4-5", anthropicMessages],
  ["command-a-03-2025", cohereChat],
])("of thinking that was hidden nothing reaches %s", (model, format) => {
  const client = clients.find((one) => one.format === openAiResponses);
  const ask = client?.ask(model, openAiResponses.encodeResponse(hidden, given));
  const dropped: string[] = [];
  const request = openAiResponses.decodeRequest(JSON.parse(JSON.stringify(ask)));
  const sent = JSON.stringify(format.encodeRequest(request, (name) => dropped.push(name)));
  expect(sent).not.toMatch(/"(?:text|thinking)":""/);
  expect(sent).not.toContain(proof);
  expect(dropped).toEqual(["messages.thinking"]);
});

const cases = clients.flatMap((client) => vendors.map((vendor) => ({ client, vendor })));

describe.each(cases)("a client of $client.format.name that $vendor.signer answered", ({ client, vendor }) => {
  const answer = vendor.format.decodeResponse(vendor.answer);

  describe.each([
    ["whole", (one: ChatResponse) => client.format.encodeResponse(one, given)],
    ["streamed", (one: ChatResponse) => streamed(client.format, one)],
  ])("%s", (_, give) => {
    it.each(vendors)("goes on with $format.name: signatures reach whoever signed, and nobody else", (next) => {
      const dropped: string[] = [];
      const ask = JSON.stringify(client.ask(next.model, give(answer)));
      const request = client.format.decodeRequest(JSON.parse(ask));
      const sent = JSON.stringify(next.format.encodeRequest(request, (name) => dropped.push(name)));
      expect(sent).not.toContain("signed-by");
      // Thinking goes to a vendor of the Responses API only from clients that have items for it.
      const carried = next.format !== openAiResponses || client.format === openAiResponses;
      if (next.signer === vendor.signer && carried) expect(sent).toContain(proof);
      else {
        expect(sent).not.toContain(proof);
        expect(dropped).toContain("messages.thinking");
      }
      if (next.signer !== vendor.signer && next.format === client.format)
        expect(next.format.borrowed?.some((text) => ask.includes(text))).toBe(true);
    });
  });
});

const call = { functionCall: { id: "c1", name: "look", args: { at: "sky" } }, thoughtSignature: proof };
const another = { functionCall: { id: "c2", name: "look", args: { at: "sea" } } };
const thought = { text: "Hm.", thought: true };
const tools: Readonly<Record<string, object>> = {
  "anthropic-messages": { tools: [{ name: "look", input_schema: { type: "object" } }] },
  "openai-responses": { tools: [{ type: "function", name: "look", parameters: { type: "object" } }] },
};

/** Gemini signs what it calls; these clients have only thinking to keep a signature in. */
const keepers = clients.filter(({ format }) => format.name in tools);
describe.each(keepers)("a client of $format.name that Gemini gave signed calls", ({ format, ask }) => {
  describe.each([
    ["whole", (one: ChatResponse) => format.encodeResponse(one, given)],
    ["streamed", (one: ChatResponse) => streamed(format, one)],
  ])("%s", (_, give) => {
    const next = (vendor: Vendor, ...parts: object[]) => {
      const answer = gemini.decodeResponse({
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
      });
      const asked = JSON.stringify({ ...ask(vendor.model, give(answer)), ...tools[format.name] });
      const dropped: string[] = [];
      const request = format.decodeRequest(JSON.parse(asked));
      return { sent: vendor.format.encodeRequest(request, (name) => dropped.push(name)), dropped };
    };
    const google = vendors.find((one) => one.format === gemini) as Vendor;
    const others = vendors.filter((one) => one !== google);

    it.each([
      ["without thinking", [call, another]],
      ["behind a thought", [thought, call, another]],
      ["behind a thought that is signed itself", [{ ...thought, thoughtSignature: "T1RIRVI=" }, call, another]],
      ["behind a text", [{ text: "I look." }, call, another]],
      ["each of them", [thought, call, { ...another, thoughtSignature: "T1RIRVI=" }]],
    ])("gives the signatures back on the calls they came with: %s", (_name, parts) => {
      const { sent, dropped } = next(google, ...parts);
      expect((sent.contents as { parts: unknown }[])[1]?.parts).toEqual(parts);
      expect(dropped).toEqual([]);
    });

    it.each(others)("tells $format.name of $signer nothing of them", (vendor) => {
      const { sent, dropped } = next(vendor, thought, call);
      expect(JSON.stringify(sent)).not.toMatch(/signed-by|call:|EqoB/);
      expect(dropped).toContain("messages.thinking");
    });
  });
});
