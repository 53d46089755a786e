import { expect, it, onTestFinished, vi } from "vitest";
import { anthropicMessages } from "../../../plugins/format-anthropic-messages/index.ts";
import { openAiChat } from "../../../plugins/format-openai-chat/index.ts";
import { openAiResponses } from "../../../plugins/format-openai-responses/index.ts";
import type { Format } from "../../model/format.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import { wireRequest } from "../request/wire-request.ts";
import { hasUnknownTools } from "./unknown-tools.ts";
import { written } from "./written.ts";

const format = openAiResponses as unknown as Format;
const spec: OperationSpec = { format: format.name, path: "/responses", functionsOnly: true };
const named = { type: "function", name: "look", parameters: { type: "object", properties: {} } };
const custom = { type: "custom", name: "patch" };

it.each<[string, object, boolean, number]>([
  ["functions, which is written once", named, false, 1],
  ["what becomes a function", custom, true, 2],
])("what a tap has made for a vendor that knows functions only has %s", (_, tool, translated, times) => {
  const encoding = vi.spyOn(format, "encodeRequest");
  onTestFinished(() => encoding.mockRestore());
  const asked = wireRequest(Buffer.from(JSON.stringify({ model: "m", input: "Hi", tools: [tool] })), format);
  const made = asked.withBody(asked.body);
  expect(hasUnknownTools(made, format, spec)).toBe(false);
  const sides = { client: format, upstream: format, spec, translated: false };
  const body = written(sides, made, { apart: false, strict: true });
  expect(body.translated).toBe(translated);
  expect(body.wire.tools).toMatchObject([{ type: "function" }]);
  expect([...body.dropped]).toEqual([]);
  expect(encoding).toHaveBeenCalledTimes(times);
});

it("who speaks OpenAI's format says how to sample, whom a tap has changed, too; others are not asked", () => {
  const chat = openAiChat as unknown as Format;
  const messages = anthropicMessages as unknown as Format;
  const exact: OperationSpec = { format: chat.name, path: "/chat/completions", exact: true };
  const body = Buffer.from(
    JSON.stringify({ model: "o3", max_tokens: 9, temperature: 0.2, messages: [{ role: "user", content: "Hi" }] }),
  );
  const said = (client: Format, translated: boolean) => {
    const asked = wireRequest(body, client);
    const sides = { client, upstream: chat, spec: exact, translated };
    return written(sides, asked.withBody(asked.body), { apart: false, strict: false });
  };
  expect(said(chat, false).wire.temperature).toBe(0.2);
  const translated = said(messages, true);
  expect(translated.wire.temperature).toBeUndefined();
  expect([...translated.dropped]).toEqual(["temperature"]);
});
