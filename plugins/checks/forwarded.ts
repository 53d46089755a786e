import { createHash } from "node:crypto";
import { type CheckUse, type Exchange, traceParent } from "../../core/index.ts";

/** Headers that say what the client's body is and which answers it reads: a check's calls have their own of these. */
const ofTheMessage: ReadonlySet<string> = new Set([
  ...["content-type", "content-encoding", "content-language", "content-md5", "digest", "expect"],
  ...["accept", "accept-encoding", "accept-charset", "range"],
]);

/** Headers of the client that a guardrail names (guardrails.md section 8). */
export function forwardedOf({ forwardHeaders = [], headers = {}, exchange }: CheckUse): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const name of forwardHeaders) {
    if (ofTheMessage.has(name) || (exchange && isOwn(name, exchange))) continue;
    const value = name === "traceparent" ? traceparentOf(headers.traceparent, exchange) : headers[name];
    if (value !== undefined) forwarded[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return forwarded;
}

const ofTraces: ReadonlySet<string> = new Set(["trace-id", "span-id"]);

/** Whether it is one of the gateway's own, by the prefix these have in this deployment, and says nothing of a trace. */
function isOwn(name: string, { gatewayHeaders }: Exchange): boolean {
  const prefix = gatewayHeaders.nameOf("");
  return name.startsWith(prefix) && !ofTraces.has(name.slice(prefix.length));
}

const traceShape = /^(?!0{32})[\da-f]{32}$/;
const spanShape = /^(?!0{16})[\da-f]{16}$/;

/** The client's, where it is one; else one of the trace it names in a header of the gateway. */
function traceparentOf(sent: string | string[] | undefined, exchange: Exchange | undefined): string | undefined {
  if (typeof sent === "string" && traceParent(sent)) return sent;
  const named = exchange?.gatewayHeaders.get("trace-id");
  if (named === undefined) return undefined;
  const digest = createHash("sha256").update(named).digest("hex");
  const trace = traceShape.test(named) ? named : digest.slice(0, 32);
  const span = exchange?.gatewayHeaders.get("span-id") ?? "";
  return `00-${trace}-${spanShape.test(span) ? span : digest.slice(32, 48)}-01`;
}
