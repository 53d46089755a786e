import { claudeVersion, hostedBetas, isRecord, makersBetas, refuseThread } from "../../core/provider-kit/index.ts";
import { familyOf } from "./families.ts";

/** Claude is served in its own format, too, by an invocation of the model (providers.md section 9.1). */
export const isClaude = (model: string): boolean => /(?:^|[./])anthropic\.claude/i.test(model);

/** The same of names that may say nothing of who made the model: ARNs of what one has made oneself. */
export const mayBeClaude = (model: string): boolean => isClaude(model) || familyOf(model) === undefined;

export const invokePath = ({ model, stream }: { readonly model: string; readonly stream: boolean }): string =>
  `/model/${encodeURIComponent(model)}/${stream ? "invoke-with-response-stream" : "invoke"}`;

/** What clients say of an invocation in headers (@aws-sdk/client-bedrock-runtime 3.1162, `InvokeModelRequest`). */
export const invocationHeaders: readonly string[] = [
  "guardrailidentifier",
  "guardrailversion",
  "performanceconfig-latency",
  "request-metadata",
  "service-tier",
  "trace",
].map((name) => `x-amzn-bedrock-${name}`);

/**
 * Beta words this host refuses, each failing the whole request ("invalid beta flag"), and those it has another one for
 * (providers.md section 6.9): of what it has without a word, or not at all (pull request 19875 and issue 27532 of
 * BerriAI/litellm, issues 49370, 49648 and 56595 of anthropics/claude-code), and of what only its maker's own hosts have.
 */
const refused: readonly RegExp[] = [
  /^(?:prompt-caching-scope|structured-outputs|extended-cache-ttl|claude-code)-/,
  /^web-search-/,
  makersBetas,
];
const renamed: ReadonlyMap<string, string> = new Map(Object.entries(hostedBetas));

/** What was a beta before 4.6 (docs.aws.amazon.com, "Adaptive thinking": no word is required). */
const usualSince406 = /^(?:effort|adaptive-thinking)-/;

type Fields = Record<string, unknown>;
type Report = (dropped: string) => void;

interface ClaudeOptions {
  readonly anthropicBeta?: string;
  readonly anthropicVersion?: string;
}

/** What an invocation says where a client does not. A version may be meant for other targets of a config: this host refuses it. */
export const invocationDefaults = ({ anthropicBeta, anthropicVersion: version }: ClaudeOptions): Readonly<Fields> => ({
  anthropic_version: version?.startsWith("bedrock-") ? version : "bedrock-2023-05-31",
  ...(anthropicBeta !== undefined && { anthropic_beta: anthropicBeta }),
});

/** The body of an invocation: model and stream stand in the path, betas in a list. */
export function invocation(wire: Readonly<Fields>, report?: Report): Fields {
  const { model, stream: __, anthropic_beta: beta, context_management: management, ...rest } = refuseThread(wire);
  const body = hasScope(wire) ? (withoutScope(rest) as Fields) : rest;
  const words = wordsOf(beta, String(model ?? ""));
  const { tools, eager } = plainTools(body.tools);
  if (eager && !words.includes(eagerly)) words.push(eagerly);
  const kept = management === undefined || management === null ? undefined : managed(management, report);
  return {
    ...body,
    ...(tools && { tools }),
    ...(kept && { context_management: kept }),
    ...(words.length > 0 && { anthropic_beta: words }),
  };
}

/** The body of a count (providers.md section 9.10): an invocation as it would be sent, in base64. */
export function counting(wire: Readonly<Fields>): Fields {
  const body = { max_tokens: 1, ...invocation(wire) };
  return { input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString("base64") } } };
}

/** The betas of a list, or of a text with commas, as this host knows them. */
export function wordsOf(beta: unknown, model: string): string[] {
  const all: unknown[] = typeof beta === "string" ? beta.split(",") : Array.isArray(beta) ? beta : [];
  const isLate = (claudeVersion(model) ?? Number.POSITIVE_INFINITY) >= 406;
  return all
    .map((word) => String(word).trim())
    .filter((word) => word !== "" && !refused.some((one) => one.test(word)) && !(isLate && usualSince406.test(word)))
    .map((word) => renamed.get(word) ?? word);
}

/** The beta that says of all tools what clients say of one. */
const eagerly = "fine-grained-tool-streaming-2025-05-14";

/**
 * Tools whose inputs are to be streamed as they are written: this host refuses to be told so in the tool ("Extra inputs are not
 * permitted"; issues 32820 and 33180 of anthropics/claude-code), and takes the word for it.
 */
function plainTools(tools: unknown): { readonly tools?: readonly unknown[]; readonly eager: boolean } {
  if (!Array.isArray(tools) || !tools.some((tool) => isRecord(tool) && tool.eager_input_streaming !== undefined))
    return { eager: false };
  let eager = false;
  const plain = tools.map((tool) => {
    if (!isRecord(tool)) return tool;
    const { eager_input_streaming: said, ...others } = tool;
    eager ||= said === true;
    return others;
  });
  return { tools: plain, eager };
}

/**
 * What this host does about a context that grows (docs.aws.amazon.com, "Compaction" and "Automatic tool call clearing"). Other
 * edits, such as those of thinking, fail the request (pull request 32658 of BerriAI/litellm; decision 0057).
 */
const edits: ReadonlySet<unknown> = new Set(["clear_tool_uses_20250919", "compact_20260112"]);

function managed(management: unknown, report: Report | undefined): Fields | undefined {
  const { edits: asked, ...others } = isRecord(management) ? management : {};
  const all: readonly unknown[] = Array.isArray(asked) ? asked : [];
  const taken = all.filter((edit) => isRecord(edit) && edits.has(edit.type));
  if (taken.length < all.length || !isRecord(management)) report?.("context_management");
  return taken.length > 0 ? { ...others, edits: taken } : undefined;
}

const hasScope = (wire: Readonly<Fields>): boolean => JSON.stringify(wire).includes('"scope"');

/** Cache markers have no scope here. */
function withoutScope(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutScope);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name !== "cache_control" || typeof inner !== "object" || inner === null) return [name, withoutScope(inner)];
      const { scope: _, ...marker } = inner as Fields;
      return [name, marker];
    }),
  );
}
