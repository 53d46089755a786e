import { type ConfigNode, type Exchange, foundFor, GatewayError, type LeafRequest, slot } from "../../../core/index.ts";
import type { Catalogue, FoundPrompt } from "./catalogue.ts";
import { callOf } from "./endpoints.ts";
import { aboutRequest, type Formats, madeRequest } from "./made-request.ts";
import { callerOf } from "./prompt-call.ts";

/** The prompts of the targets of an exchange, by reference, or why they are not to be had. */
const found = slot<Exchange, Map<string, FoundPrompt | GatewayError>>("prompts: of targets");

/** Targets of a routing config with a prompt of their own: `prompt_id` (prompts.md section 5.4). */
export const leafPrompts =
  (catalogue: Catalogue, formats: Formats): LeafRequest =>
  (node) => {
    const reference = node.fields.prompt_id;
    if (typeof reference !== "string") return undefined;
    const isAlone = hasNothingElse(node);
    return {
      prepare({ exchange }) {
        const call = callOf(exchange);
        if (!call) return undefined;
        const known = foundFor(found, exchange) ?? new Map();
        found.set(exchange, known);
        const keep = (prompt: FoundPrompt | GatewayError) => void known.set(reference, prompt);
        return catalogue.find(callerOf(exchange), reference, call.variables).then(keep, (error: unknown) => {
          if (!(error instanceof GatewayError)) throw error;
          keep(error);
        });
      },
      about({ exchange }) {
        const prompt = foundFor(found, exchange)?.get(reference);
        const call = callOf(exchange);
        return call && prompt && !(prompt instanceof GatewayError) ? aboutRequest(prompt, call) : undefined;
      },
      of(walk) {
        const { exchange } = walk;
        const call = callOf(exchange);
        if (!call) {
          if (isAlone) throw onPromptsOnly();
          walk.note(node.path, "its prompt_id counts on prompt completions only");
          return undefined;
        }
        const prompt = foundFor(found, exchange)?.get(reference);
        if (prompt instanceof GatewayError) throw prompt;
        if (!prompt) throw new GatewayError("internal", "The prompt of a target was not looked up.");
        return madeRequest(prompt, call, formats);
      },
    };
  };

/** Whether a target has no provider besides that of its prompt. */
function hasNothingElse({ fields }: ConfigNode): boolean {
  const { provider, virtual_key, passthrough, override_params } = fields as {
    readonly [Name in "provider" | "virtual_key" | "passthrough"]?: unknown;
  } & { readonly override_params?: { readonly model?: unknown } };
  const { model } = override_params ?? {};
  const named = typeof model === "string" && model.startsWith("@");
  return provider === undefined && virtual_key === undefined && passthrough !== true && !named;
}

const onPromptsOnly = () =>
  new GatewayError(
    "config_invalid",
    "A target with nothing but a prompt_id is for prompt completions: POST /prompts/PROMPT/completions.",
    { param: "prompt_id" },
  );
