import { describe, expect, it } from "vitest";
import type { Format } from "../../core/index.ts";
import { chatFormats } from "./pairs.ts";

const say = (content: unknown) => [{ role: "user", content }];

/** A request of each format, with stop sequences where it has them. */
const asks: Readonly<Record<string, (stop: unknown) => object>> = {
  "openai-chat": (stop) => ({ model: "m", messages: say("Hi"), stop }),
  "anthropic-messages": (stop) => ({ model: "m", max_tokens: 100, messages: say("Hi"), stop_sequences: stop }),
  gemini: (stop) => ({
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    generationConfig: { stopSequences: stop },
  }),
  "cohere-chat": (stop) => ({ model: "m", messages: say("Hi"), stop_sequences: stop }),
  "bedrock-converse": (stop) => ({ messages: say([{ text: "Hi" }]), inferenceConfig: { stopSequences: stop } }),
};
const models = ["anthropic.claude-sonnet-4-5", "some.model"];

function sent(client: Format<"chat">, upstream: Format<"chat">, stop: unknown, model: string) {
  const dropped: string[] = [];
  const request = client.decodeRequest(JSON.parse(JSON.stringify(asks[client.name]?.(stop))));
  return { wire: JSON.stringify(upstream.encodeRequest({ ...request, model }, (name) => dropped.push(name))), dropped };
}

const pairs = chatFormats.flatMap((upstream) =>
  chatFormats.filter(({ name }) => Object.hasOwn(asks, name)).map((client) => ({ client, upstream })),
);

describe.each(pairs)(
  "stop sequences of a client of $client.name for a vendor of $upstream.name",
  ({ client, upstream }) => {
    it.each([[[]], [null], [[""]]])("say nothing where they are %j, and are not sent", (stop) => {
      for (const model of models) {
        const { wire, dropped } = sent(client, upstream, stop, model);
        expect(wire).not.toMatch(/stop/i);
        expect(dropped).toEqual([]);
      }
    });

    it("are sent without the empty ones among them", () => {
      const { wire, dropped } = sent(client, upstream, ["", "END"], "some.model");
      if (!dropped.includes("stop")) expect(wire).toMatch(/"stop(?:_sequences|Sequences)?":\["END"\]/);
    });
  },
);
