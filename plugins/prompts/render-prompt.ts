import { merged, type PromptCall } from "./merge.ts";
import { mostBytes } from "./template/bounds.ts";
import { type CompiledContent, renderBody } from "./template/content.ts";
import { renderJson } from "./template/json-template.ts";
import { because } from "./template/refusals.ts";
import { type Links, Rendering } from "./template/render.ts";
import type { Data } from "./template/values.ts";

/** A version of a prompt, ready to be rendered. */
export interface CompiledVersion {
  readonly content: CompiledContent;
  readonly parameters: Data;
  readonly model: string | null;
  /** A variable that is missing is a mistake. */
  readonly strict: boolean;
}

export interface RenderedPrompt {
  readonly request: Readonly<Record<string, unknown>>;
  /** Names of variables that were asked for and are not there, in order. */
  readonly missing: readonly string[];
}

/** Renders a version for a call, and lays the call over it. Throws with a reason of prompts.md section 6. */
export function renderPrompt(version: CompiledVersion, links: Links, call: PromptCall): RenderedPrompt {
  const { content, parameters, model, strict } = version;
  const rendering = new Rendering(call.variables);
  // What the call brings itself need not be rendered first.
  const body = content.type === "chat" ? "messages" : "prompt";
  const request = merged(
    {
      parameters: {
        ...parameters,
        ...(content.responseFormat && { response_format: renderJson(content.responseFormat, links, rendering) }),
      },
      model,
      members: {
        ...(!Object.hasOwn(call.overrides, body) && renderBody(content, links, rendering)),
        ...Object.fromEntries([...content.members].map(([name, json]) => [name, renderJson(json, links, rendering)])),
      },
    },
    call,
  );
  const missing = [...rendering.missing].sort();
  if (strict && missing.length > 0)
    throw because("prompt_variables_missing", `Missing variables: ${missing.join(", ")}`, "variables");
  if (Buffer.byteLength(JSON.stringify(request)) > mostBytes)
    throw because("prompt_too_large", `The rendered request has more than ${mostBytes} bytes.`);
  return { request, missing };
}
