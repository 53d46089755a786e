import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openAiResponses } from "../../../plugins/format-openai-responses/index.ts";
import type { Format } from "../../model/format.ts";
import type { OperationSpec } from "../../model/operation-spec.ts";
import { type WireRequest, wireRequest } from "../request/wire-request.ts";
import { hasUnknownTools, saysUnknownTools } from "./unknown-tools.ts";

const format = openAiResponses as unknown as Format;
const spec: OperationSpec = { format: format.name, path: "/responses", functionsOnly: true };
const asking = (more: object): WireRequest =>
  wireRequest(Buffer.from(JSON.stringify({ model: "m", input: "Go on.", ...more })), format);

const properties = { namespace: { type: "string" } };
const named = { type: "function", name: "apply", parameters: { type: "object", properties } };
const custom = { type: "custom", name: "patch" };

describe("tools that a vendor does not know", () => {
  it.each([
    ["a function with such a property", [named], false],
    ["one for free text", [named, custom], true],
  ])("are looked for in what is asked, as it came and as it is written: %s", (_, tools, unknown) => {
    const request = asking({ tools });
    expect(hasUnknownTools(request, format, spec)).toBe(unknown);
    expect(
      saysUnknownTools(
        format.encodeRequest(request.body, () => {}),
        format,
        spec,
      ),
    ).toBe(unknown);
  });

  it("are not looked for at one who knows all, and in what cannot have any nothing is parsed", () => {
    const parsing = vi.spyOn(JSON, "parse");
    onTestFinished(() => parsing.mockRestore());
    const { functionsOnly: _, ...any } = spec;
    expect(hasUnknownTools(asking({ tools: [custom] }), format, any)).toBe(false);
    expect(saysUnknownTools({ tools: [custom] }, format, any)).toBe(false);
    parsing.mockClear();
    expect(hasUnknownTools(asking({ tools: [{ type: "web_search" }] }), format, spec)).toBe(false);
    expect(parsing.mock.calls.filter(([text]) => text.startsWith("{"))).toEqual([]);
  });
});
