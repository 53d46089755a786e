import { expect, it } from "vitest";
import { gemini } from "../index.ts";
import { written } from "../proof.ts";

const said = (...parts: object[]) => ({ role: "model", parts });
const called = (name: string) => said({ functionCall: { name, args: {} } });
const read = (...contents: object[]) =>
  gemini.decodeRequest({ contents: [{ role: "user", parts: [{ text: "Hi" }] }, ...contents] }).messages;

it("has calls of several frames in one turn, with their results behind it", () => {
  const parts = ["look", "find"].map((name) => ({ functionResponse: { name, response: { output: name } } }));
  const [, turn, results, ...rest] = read(called("look"), called("find"), { role: "user", parts });
  const ids = turn?.content.map((part) => ("id" in part ? part.id : undefined));
  expect(ids).toHaveLength(2);
  expect(results?.content.map((part) => ("toolCallId" in part ? part.toolCallId : undefined))).toEqual(ids);
  expect(rest).toEqual([]);
});

it("joins the pieces of a text, and those of a thought to what its vendor signed", () => {
  const thoughtSignature = written("signed-by:anthropic-messages:OURS");
  const frames = [
    said({ text: "Hm", thought: true }),
    said({ text: "m.", thought: true, thoughtSignature }),
    said({ text: "Hello" }),
    said({ text: "\n\n" }),
    said({ text: "you." }),
  ];
  expect(read(...frames)[1]?.content).toEqual([
    { type: "thinking", text: "Hmm.", signature: "OURS", signer: "anthropic-messages" },
    { type: "text", text: "Hello\n\nyou." },
  ]);
});

it("leaves thoughts apart that Gemini signed", () => {
  const frames = [said({ text: "Hm", thought: true }), said({ text: "m.", thought: true, thoughtSignature: "OURS" })];
  expect(read(...frames)[1]?.content).toHaveLength(2);
});
