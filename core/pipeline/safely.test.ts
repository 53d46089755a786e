import { describe, expect, it } from "vitest";
import { keepingLogger } from "../../test/support/gateway.ts";
import { safely } from "./safely.ts";

const fail = (): never => {
  throw new Error("no");
};

describe("a witness in trouble", () => {
  it.each([
    ["when it is made", fail, []],
    ["when it sees something", () => ({ see: fail, end: () => void seen.push("end") }), []],
    ["at the end", () => ({ see: () => void seen.push("see"), end: fail }), ["see", "see"]],
    [
      "after the end",
      () => ({ see: () => void seen.push("see"), end: () => Promise.reject(new Error("no")) }),
      ["see", "see"],
    ],
  ])("%s troubles nobody, and is told of once", async (_, make, saw) => {
    seen = [];
    const log = keepingLogger();
    const witness = safely({ log }, { id: "x" }, make);
    witness?.see(Buffer.from("a"));
    witness?.see(Buffer.from("b"));
    await witness?.end(true);
    expect(seen).toEqual(saw);
    expect(log.lines).toMatchObject([{ level: "error", fields: { request: "x" } }]);
  });
});

let seen: string[] = [];
