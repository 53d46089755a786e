import { describe, expect, it } from "vitest";
import type { StreamChunk } from "../../model/stream.ts";
import { PartsInTurn } from "./parts-in-turn.ts";

const call = (part: number) => ({ type: "tool-call-start", choice: 0, part, id: `t${part}`, name: "f" }) as const;
const args = (part: number, json: string) => ({ type: "tool-call-delta", choice: 0, part, arguments: json }) as const;
const text = (part: number, value: string) => ({ type: "text-delta", choice: 0, part, text: value }) as const;

const shown = (chunk: StreamChunk): string =>
  chunk.type === "tool-call-delta" ? chunk.arguments : chunk.type === "text-delta" ? chunk.text : "!";

describe("parts in turn", () => {
  it("go on at once where no call is being written", () => {
    const parts = new PartsInTurn((chunk) => `${shown(chunk)} `);
    const chunks = [text(0, "a"), text(1, "b"), text(0, "c")];
    expect(chunks.map((chunk) => parts.push(chunk))).toEqual(["a ", "b ", "c "]);
  });

  it("wait while the arguments of a call are coming, and follow in the order they began", () => {
    const parts = new PartsInTurn((chunk) => `${shown(chunk)} `);
    const chunks = [call(0), args(0, "{"), call(1), text(2, "a"), args(1, "{}"), args(0, "}"), text(2, "b")];
    expect(chunks.map((chunk) => parts.push(chunk))).toEqual(["! ", "{ ", "", "", "", "} ! {} a ", "b "]);
  });

  it("are written at the end, complete or not", () => {
    const parts = new PartsInTurn((chunk) => `${shown(chunk)} `);
    for (const chunk of [call(0), call(1), args(1, "{"), text(2, "a")]) parts.push(chunk);
    expect(parts.end()).toBe("! { a ");
    expect(parts.end()).toBe("");
  });

  it("are written where the answer breaks off, and calls that are not whole are left before", () => {
    let left = "";
    const parts = new PartsInTurn((chunk) => `${left}${shown(chunk)} `);
    for (const chunk of [call(0), args(0, "{"), call(1), args(1, "{}"), text(2, "a"), call(3)]) parts.push(chunk);
    const leave = () => {
      left += "<";
    };
    expect(parts.breakOff(leave)).toBe("<! <{} <a <! ");
    expect(parts.breakOff(leave)).toBe("");
  });
});
