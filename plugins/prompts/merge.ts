import type { Data } from "./template/values.ts";

/** What a call of a prompt says: variables, and members of the request that it overrides (prompts.md section 5.1). */
export interface PromptCall {
  readonly variables: Data;
  readonly overrides: Data;
}

/** What a version and its rendered template say. */
export interface Rendered {
  readonly parameters: Data;
  readonly model: string | null;
  /** `messages` or `prompt`, `tools`, `functions`, `tool_choice`. */
  readonly members: Data;
}

/** Two names of one thing: a call that says one of them does not want the other as it was saved. */
const twins = { max_tokens: "max_completion_tokens", max_completion_tokens: "max_tokens" } as const;

/** The request of a call (prompts.md section 5.3): members of the call replace what was saved, `null` removes it. */
export function merged({ parameters, model, members }: Rendered, { overrides }: PromptCall): Record<string, unknown> {
  const saved: Record<string, unknown> = { ...parameters, ...(model !== null && { model }), ...members };
  for (const [said, other] of Object.entries(twins)) if (Object.hasOwn(overrides, said)) delete saved[other];
  const request: Record<string, unknown> = { ...saved, ...overrides };
  for (const [name, value] of Object.entries(overrides)) if (value === null) delete request[name];
  return request;
}
