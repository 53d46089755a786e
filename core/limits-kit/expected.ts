import type { GatewayRequest } from "../model/request.ts";

/** What a request may use, before anybody knows. */
export interface ExpectedTokens {
  readonly input: number;
  readonly output: number;
}

/** Bytes of a JSON body that make up a token: of English there are more, of what is not Latin fewer. */
const bytesPerToken = 4;

/** The length of an answer nobody bounded. */
const usualOutput = 500;

/** More than any answer has: what a client asks for stays a number that can be counted with. */
const most = Number.MAX_SAFE_INTEGER;

/**
 * A guess at the tokens of a request by the length of its body and the bound it sets for its answer. Images and files by
 * URL are not in it: it is for comparing targets and for holding room, and what was really used is counted afterwards.
 */
export function expectedTokens(request: GatewayRequest | undefined, output = usualOutput): ExpectedTokens {
  const asked = fieldsOf(request);
  const bounds = [asked.max_completion_tokens, asked.max_output_tokens, asked.max_tokens];
  const bound = bounds.find((one) => typeof one === "number" && one >= 0);
  const several = typeof asked.n === "number" && asked.n >= 1 ? Math.min(asked.n, most) : 1;
  return {
    input: Math.ceil((request?.bytes?.length ?? 0) / bytesPerToken),
    output: Math.min(Math.ceil(Math.min(Number(bound ?? output), most) * several), most),
  };
}

/** The client's JSON body; one that is not readable bounds nothing. */
function fieldsOf(request: GatewayRequest | undefined): Readonly<Record<string, unknown>> {
  try {
    const json = request?.json;
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
