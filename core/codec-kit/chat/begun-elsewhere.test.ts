import { expect, it } from "vitest";
import { foundBegunElsewhere } from "./begun-elsewhere.ts";

const found = foundBegunElsewhere("thinking", "tool_use_id", "toolu_");
const keys = new Set(["model", "messages", "thinking"]);
const budgeted = "claude-sonnet-4-5";
const results = (...ids: string[]) =>
  JSON.stringify({ messages: ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "1" })) });

it.each([
  ["of another vendor's call", results("toolu_01", "call_1"), budgeted, keys, true],
  ["written with spaces", '{"tool_use_id" : "functions_look_0-ab"}', budgeted, undefined, true],
  ["of its own calls", results("toolu_01", "toolu_bdrk_01"), budgeted, keys, false],
  ["of calls at another host", results("toolu_01", "tooluse_x"), budgeted, keys, true],
  ["whose client asks for no thinking", results("call_1"), budgeted, new Set(["messages"]), false],
  ["none", '{"messages":[]}', budgeted, keys, false],
  ["for a Claude that takes no budget", results("call_1"), "claude-opus-4-7", keys, false],
  ["for a Claude that does not think", results("call_1"), "claude-3-5-haiku-latest", keys, false],
  ["for a model that is none", results("call_1"), "minimax-m2", keys, false],
])("tells of results: %s", (_, body, model, keys, wanted) => {
  expect(found(Buffer.from(body), { model, keys })).toBe(wanted);
});
