import { type Fields, isRecord, type RanCode, unsigned } from "../../../core/index.ts";

/** Code that another vendor ran, as this one's does with its tool: the ids say that it was not this one. */
export function encodeRanCode({ id, code, output = "", failed }: RanCode): Fields {
  const own = unsigned + id;
  if (code !== undefined) return { type: "server_tool_use", id: own, name: "code_execution", input: { code } };
  const [stdout, stderr] = failed ? ["", output] : [output, ""];
  return {
    type: "code_execution_tool_result",
    tool_use_id: own,
    content: { type: "code_execution_result", stdout, stderr, return_code: failed ? 1 : 0, content: [] },
  };
}

/** Whether it is such a block: the vendor knows nothing of it. */
export const isRanElsewhere = (value: unknown): boolean =>
  isRecord(value) && [value.id, value.tool_use_id].some((id) => typeof id === "string" && id.startsWith(unsigned));
