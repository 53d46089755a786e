import {
  type Endpoint,
  type Exchange,
  foundFor,
  GatewayError,
  type GatewayRequest,
  requestFrom,
  type Served,
  slot,
  z,
} from "../../../core/index.ts";
import type { PromptCall } from "../merge.ts";
import { renderPrompt } from "../render-prompt.ts";
import type { Catalogue } from "./catalogue.ts";
import { type Formats, formatFor, madeRequest, toldOf } from "./made-request.ts";
import { callerOf, callIn, referenceIn } from "./prompt-call.ts";

const calls = slot<Exchange, PromptCall>("prompts: call");

/** What an exchange asks of a prompt; undefined where it is no call of one. */
export const callOf = (exchange: Exchange): PromptCall | undefined => foundFor(calls, exchange);

const body = z.looseObject({
  variables: z.record(z.string(), z.unknown()).default({}),
  stream: z.boolean().optional(),
});

/** The places where prompts are used (prompts.md section 5). */
export function promptEndpoints(catalogue: Catalogue, formats: Formats): Endpoint[] {
  const rendering = {
    type: "prompts.render",
    method: "POST",
    rawBody: true,
    errors: "management",
    scopes: ["prompts.render"],
    serve: (exchange) => render(exchange, catalogue),
    description: {
      tag: "prompts",
      summary: "Renders a prompt to the request it comes to; nobody is asked.",
      body,
      answer: z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) }),
    },
  } satisfies Omit<Endpoint, "path">;
  // What is wrong with a prompt is told as the management API tells it, by its errors; anything else as of any request.
  const completing = {
    type: "promptComplete",
    method: "POST",
    scopes: ["completions.write"],
    prepare: (exchange) => prepare(exchange, catalogue, formats),
    description: {
      tag: "prompts",
      summary: "Renders a prompt and sends it on; the answer is a chat completion or a text completion.",
      body,
    },
  } satisfies Omit<Endpoint, "path">;
  return ["/v1", "/v2"].flatMap((version) => [
    { ...rendering, path: `${version}/prompts/:promptId/render` },
    { ...completing, path: `${version}/prompts/:promptId/completions` },
  ]);
}

async function render(exchange: Exchange, catalogue: Catalogue): Promise<Served> {
  const caller = callerOf(exchange);
  const call = callIn(exchange);
  const { number, version, links } = await catalogue.find(caller, referenceIn(exchange.url), call.variables);
  const { request, missing } = renderPrompt(version, links, call);
  exchange.told = { ...exchange.told, ...toldOf(number, missing) };
  return { status: 200, body: { success: true, data: request } };
}

/**
 * The request of a call. One whose prompt is not there, or cannot be rendered, is refused only where it is asked: targets
 * may have prompts of their own.
 */
async function prepare(exchange: Exchange, catalogue: Catalogue, formats: Formats): Promise<GatewayRequest> {
  const caller = callerOf(exchange);
  const call = callIn(exchange);
  calls.set(exchange, call);
  try {
    const found = await catalogue.find(caller, referenceIn(exchange.url), call.variables);
    return madeRequest(found, call, formats);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return requestFrom(formatFor("chat", formats), call.overrides, { refusal: error });
  }
}
