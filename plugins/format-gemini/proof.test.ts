import { expect, it } from "vitest";
import { gemini } from "./index.ts";
import { context, eventsOf } from "./testing.ts";

const { encodeResponse, decodeRequest, encodeRequest, borrowed = [] } = gemini;
const call = { type: "tool-call" as const, id: "toolu_1", name: "look", arguments: "{}" };
const thought = { type: "thinking" as const, text: "Hm.", signature: "THEIRS+/==", signer: "anthropic-messages" };
const answer = {
  choices: [{ index: 0, content: [thought, call, { ...call, id: "toolu_2" }], finishReason: "tool-calls" as const }],
};
const ask = (parts: unknown) => ({
  model: "gemini-3-pro-preview",
  contents: [
    { role: "user", parts: [{ text: "Hi" }] },
    { role: "model", parts },
  ],
});
const partsOf = (wire: unknown): Record<string, unknown>[] =>
  (wire as { candidates: { content: { parts: Record<string, unknown>[] } }[] }).candidates[0]?.content.parts ?? [];

/** The SDKs of Go, Python and Java decode `thoughtSignature`. */
it("gives clients proofs that are base64, whosever they are, and calls of others with one that says there is none", () => {
  const parts = partsOf(encodeResponse(answer, context));
  const proofs = parts.map(({ thoughtSignature }) => thoughtSignature);
  expect(proofs[2]).toBeUndefined();
  for (const proof of proofs.slice(0, 2)) {
    expect(Buffer.from(`${proof}`, "base64").toString("base64")).toBe(proof);
    expect(borrowed.some((text) => JSON.stringify(parts).includes(text))).toBe(true);
  }
  const stream = gemini.encodeStream?.(context);
  const chunk = { choice: 0, part: 0 } as const;
  const begun = stream?.push({ ...chunk, type: "thinking-delta", text: "Hm." });
  const { signature, signer } = thought;
  const text = `${begun}${stream?.push({ ...chunk, type: "thinking-signature", signature, signer })}${stream?.end()}`;
  expect(partsOf(JSON.parse(eventsOf(text)[0]?.data ?? ""))[0]).toEqual(parts[0]);
});

it("reads them back as what they are, and has newer models pass over calls without a proof", () => {
  const request = decodeRequest(ask(partsOf(encodeResponse(answer, context))));
  expect(request.messages[1]?.content).toEqual(answer.choices[0]?.content);
  const proofs = (model: string) =>
    JSON.stringify(encodeRequest({ ...request, model }, () => undefined)).match(/"thoughtSignature":"[^"]*"/g);
  expect(proofs("gemini-3-pro-preview")).toEqual(['"thoughtSignature":"skip_thought_signature_validator"']);
  expect(proofs("gemini-2.5-pro")).toBeNull();
});
