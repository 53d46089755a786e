import { expect, it, onTestFinished, vi } from "vitest";
import { createLogger } from "./log.ts";

const bare = new TypeError("out of order");
delete bare.stack;

it.each<[string, unknown, RegExp]>([
  ["an error", new Error("out of order"), /Error: out of order\n +at /],
  ["an error without a stack", bare, /TypeError: out of order\n$/],
  ["a text", "out of order", /out of order\n$/],
  ["an object", { code: "OUT" }, /\{"code":"OUT"\}\n$/],
  ["null", null, /null\n$/],
])("tells people what was thrown, %s", (_, error, told) => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  createLogger("info", true).error("closing failed", { plugin: "own", error });
  const [[line] = []] = write.mock.calls;
  expect(line).toMatch(/ error closing failed plugin=own\n/);
  expect(line).toMatch(told);
});
