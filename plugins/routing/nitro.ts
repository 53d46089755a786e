import { type Exchange, GatewayError } from "../../core/index.ts";
import type { CompiledConfig } from "./walk/compile.ts";

/** Features that need the body (inference-api.md section 22.3). */
const bodyFields = [
  "override_params",
  "default_params",
  "drop_params",
  "input_guardrails",
  "input_mutators",
  "before_request_hooks",
] as const;

/** In nitro mode nobody reads the body, and it can be sent once: a config that needs more is refused. */
export function refuseInNitroMode({ leaf }: CompiledConfig, exchange: Exchange): void {
  if (!exchange.endpoint.operation || exchange.request) return;
  const reason = leaf ? reasonIn(leaf.fields) : "several targets";
  if (reason !== undefined)
    throw new GatewayError(
      "invalid_request",
      `In nitro mode the body is not read: a config with ${reason} cannot be used.`,
      {
        param: "nitro-mode",
      },
    );
}

function reasonIn(fields: Readonly<Record<string, unknown>>): string | undefined {
  const { retry } = fields as { retry?: { attempts?: unknown } };
  if (Number(retry?.attempts ?? 0) > 0) return "retries";
  return bodyFields.find((name) => hasContent(fields[name]));
}

const hasContent = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;
