import { compact, type Fields, isRecord, lookUp, type RanCode, unsigned } from "../../../core/index.ts";

/** Code that another vendor ran, as this one's does with its tool: the ids say that it was not this one. */
export function encodeRanCode({ id, code, output, failed }: RanCode): readonly Fields[] {
  const own = unsigned + id;
  const blocks: Fields[] = [];
  if (code !== undefined) blocks.push({ type: "server_tool_use", id: own, name: "code_execution", input: { code } });
  if (output === undefined) return blocks;
  const [stdout, stderr] = failed ? ["", output] : [output, ""];
  blocks.push({
    type: "code_execution_tool_result",
    tool_use_id: own,
    content: { type: "code_execution_result", stdout, stderr, return_code: failed ? 1 : 0, content: [] },
  });
  return blocks;
}

/** Whether it is such a block: the vendor knows nothing of it. */
export const isRanElsewhere = (value: unknown): boolean =>
  isRecord(value) && [value.id, value.tool_use_id].some((id) => typeof id === "string" && id.startsWith(unsigned));

/** The vendor's tools that run code: where it stands in their input, and what it is written in. */
const tools: Readonly<Record<string, { readonly field: string; readonly language: string }>> = {
  code_execution: { field: "code", language: "python" },
  bash_code_execution: { field: "command", language: "bash" },
};
const results: ReadonlySet<unknown> = new Set(Object.keys(tools).map((name) => `${name}_tool_result`));

/** Code that this vendor ran, or what came of it; undefined for every other block, and for results it keeps to itself. */
export function ranIn({ type, id, name, input, tool_use_id: use, content }: Readonly<Fields>): RanCode | undefined {
  if (type === "server_tool_use") {
    const tool = lookUp(tools, String(name));
    const code = tool && isRecord(input) ? input[tool.field] : undefined;
    return tool && typeof code === "string" ? { id: String(id), code, language: tool.language } : undefined;
  }
  if (!results.has(type) || !isRecord(content)) return undefined;
  const { stdout, stderr, return_code: status, error_code: error } = content;
  const said = [stdout, stderr, error].filter((text) => typeof text === "string");
  if (said.length === 0 || content.encrypted_stdout !== undefined) return undefined;
  const failed = error !== undefined || (typeof status === "number" && status !== 0);
  return {
    id: String(use),
    output: said.filter((text) => text !== "").join("\n"),
    ...compact({ failed: failed || undefined }),
  };
}
