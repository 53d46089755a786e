import { GatewayError } from "../../../core/index.ts";

/** Why a template cannot be used, or a call of one not served (prompts.md section 6). */
export type Reason =
  | "partial_not_found"
  | "partial_version_not_found"
  | "partial_cycle"
  | "prompt_not_found"
  | "prompt_version_not_found"
  | "prompt_label_not_found"
  | "prompt_variables_invalid"
  | "prompt_variables_missing"
  | "prompt_render_invalid_json"
  | "prompt_render_invalid_messages"
  | "prompt_too_large"
  | "prompt_model_missing";

/** Of the calls that are served in vain, those for which something is not there. */
const absent: ReadonlySet<Reason> = new Set([
  "partial_not_found",
  "partial_version_not_found",
  "prompt_not_found",
  "prompt_version_not_found",
  "prompt_label_not_found",
]);

/** The error of a reason: 404 for what is not there, 400 for anything else. */
export const because = (reason: Reason, message: string, param?: string): GatewayError =>
  new GatewayError(absent.has(reason) ? "record_unknown" : "record_invalid", shortened(message), {
    reason,
    ...(param !== undefined && { param }),
  });

/** Names in messages are somebody else's, and may be of any length. */
export const shortened = (message: string): string => (message.length > 1000 ? `${message.slice(0, 999)}…` : message);
