import type { ChatRequest, ToolChoice } from "../../model/chat.ts";

/**
 * A request without tools, without what it says of using them: clients of some APIs always say it (Codex with every request of the
 * Responses API), and vendors of others refuse it where there are no tools (OpenAI's chat completions: "'parallel_tool_calls' is only
 * allowed when 'tools' are specified", https://github.com/openai/swarm/issues/30). It asks for nothing, so nothing is lost; a call
 * that has to be made is asked for still.
 */
export function withoutIdleChoice(request: ChatRequest): ChatRequest {
  const { tools = [], toolChoice, parallelToolCalls } = request;
  if (tools.length > 0 || (toolChoice === undefined && parallelToolCalls === undefined)) return request;
  const { toolChoice: _, parallelToolCalls: __, ...rest } = request;
  return toolChoice === undefined || isIdle(toolChoice) ? rest : { ...rest, toolChoice };
}

const isIdle = (choice: ToolChoice): boolean =>
  choice.type === "auto" || choice.type === "none" || (choice.type === "among" && !choice.required);
