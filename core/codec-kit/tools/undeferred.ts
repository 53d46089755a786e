import type { FunctionTool } from "../../model/chat.ts";

/** A tool that does not say any more whether it waits for a search (`defer_loading`). */
export function undeferred(tool: FunctionTool): FunctionTool {
  if (!tool.extra || !("defer_loading" in tool.extra.fields)) return tool;
  const { defer_loading: _, ...fields } = tool.extra.fields;
  return { ...tool, extra: { ...tool.extra, fields } };
}
