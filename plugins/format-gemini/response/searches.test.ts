import { describe, expect, it } from "vitest";
import { gemini } from "../index.ts";
import { assembled, chunksIn } from "../testing.ts";

const { readUsage, readStreamEnd, decodeStream, decodeResponse } = gemini;

const grounded = (model: string | undefined, ...queries: unknown[]) => ({
  candidates: [
    {
      content: { parts: [{ text: "Sunny." }], role: "model" },
      finishReason: "STOP",
      index: 0,
      groundingMetadata: { webSearchQueries: queries },
    },
  ],
  usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, totalTokenCount: 10 },
  ...(model !== undefined && { modelVersion: model }),
});

describe("searches of gemini", () => {
  it.each<[string, number | undefined, string | undefined, ...unknown[]]>([
    ["each, of models that pay for each", 2, "gemini-3-pro-preview", "oslo weather", "oslo sun"],
    ["each, where no model is named", 2, undefined, "oslo weather", "oslo sun"],
    ["an answer, of models that pay for that", 1, "gemini-2.5-flash", "oslo weather", "oslo sun"],
    ["an answer of a model with its path", 1, "publishers/google/models/gemini-2.0-flash", "oslo weather", "sun"],
    ["not those that are repeated, or without words", 1, "gemini-3.5-flash", "", "oslo weather", "oslo weather", " "],
    ["none, where there was none", undefined, "gemini-3.5-flash"],
    ["none that are no text", undefined, "gemini-3.5-flash", null, 7],
  ])("are counted: %s", (_, searches, model, ...queries) => {
    const wire = grounded(model, ...queries);
    const usage = { inputTokens: 8, outputTokens: 2, ...(searches !== undefined && { searches }) };
    expect(readUsage(wire)).toEqual(usage);
    expect(decodeResponse(wire)).toMatchObject({ usage });
  });

  it("are those for images, too", () => {
    const [candidate] = grounded("gemini-3.1-flash-image").candidates;
    const groundingMetadata = { webSearchQueries: ["oslo"], imageSearchQueries: ["oslo harbour"] };
    expect(readUsage({ candidates: [{ ...candidate, groundingMetadata }] })).toEqual({ searches: 2 });
  });

  it("on maps are not counted, and known to be there", () => {
    const [first, last] = [grounded("gemini-3-pro"), grounded("gemini-3-pro")];
    const groundingMetadata = { groundingChunks: [{ maps: { uri: "https://maps/1", title: "Here" } }] };
    Object.assign(first.candidates[0] ?? {}, { groundingMetadata });
    const usage = { inputTokens: 8, outputTokens: 2, uncounted: true };
    expect(readUsage(first)).toEqual(usage);
    const events = [first, last].map((frame) => ({ data: JSON.stringify(frame) }));
    expect(readStreamEnd?.(events).usage).toEqual(usage);
    const text = events.map(({ data }) => `data: ${data}\n\n`).join("");
    expect(assembled(chunksIn(text, decodeStream?.())).usage).toEqual(usage);
  });

  it("are counted once where frames say them again, or say them apart", () => {
    const frames = [grounded("gemini-3-pro", "oslo weather"), grounded("gemini-3-pro", "oslo weather", "oslo sun")];
    const events = frames.map((frame) => ({ data: JSON.stringify(frame) }));
    expect(readStreamEnd?.(events).usage).toMatchObject({ searches: 2 });
    const text = events.map(({ data }) => `data: ${data}\n\n`).join("");
    expect(assembled(chunksIn(text, decodeStream?.())).usage).toMatchObject({ searches: 2 });
  });
});
