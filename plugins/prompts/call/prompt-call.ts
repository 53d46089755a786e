import { type Exchange, GatewayError, isRecord, percentDecoded } from "../../../core/index.ts";
import type { PromptCall } from "../merge.ts";
import { because } from "../template/refusals.ts";
import { deepestJson, isDeeperThan } from "../template/values.ts";
import type { Caller } from "./catalogue.ts";

/** Which version of which prompt a URL names; percent-encoding is undone first. */
export function referenceIn(url: string): string {
  const [, written = ""] = /\/prompts\/([^/?]+)/.exec(url) ?? [];
  return percentDecoded(written);
}

/** Whose prompts a caller may use. A credential of a whole organisation is for managing. */
export function callerOf({ principal }: Exchange): Caller {
  const { organisation, workspace } = principal ?? {};
  if (organisation !== undefined && workspace === undefined)
    throw new GatewayError(
      "forbidden",
      "Prompts are used with a credential of a workspace; this one is of the organisation.",
    );
  return { organisation, workspace };
}

/** Reads the body of a call (prompts.md section 5.1). Throws 400 AB01 where it is none. */
export function callIn({ request, headers }: Exchange): PromptCall {
  const unread = !request && (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0);
  if (unread) throw invalid("The body must be application/json.", "content-type");
  const body = request?.bytes?.length ? request.json : {};
  if (!isRecord(body)) throw invalid("The body must be a JSON object.", "body");
  if (isDeeperThan(deepestJson, body)) throw invalid(`The body is nested more than ${deepestJson} deep.`, "body");
  const { variables = {}, hyperparameters, ...overrides } = body;
  if (!isRecord(variables)) throw because("prompt_variables_invalid", "variables must be an object.", "variables");
  // A heading of the documentation, which some send as if it were a member.
  const kept = hyperparameters === undefined || isRecord(hyperparameters) ? {} : { hyperparameters };
  return { variables, overrides: { ...overrides, ...kept } };
}

const invalid = (message: string, param: string) => new GatewayError("record_invalid", message, { param });
