import { isTextType, isVideo } from "../codec-kit/chat/documents.ts";
import type { ChatRequest } from "../model/chat.ts";
import type { ContentPart } from "../model/content.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { GatewayRequest } from "../model/request.ts";

/**
 * Whether chat completions of OpenAI, of the format `chat`, refuse a request that its Responses API takes, whoever hosts
 * the model. They have no Codex, deep research or computer use, nor the `pro` of o1 and later; and of GPT-5.4 and later they
 * take no functions where it reasons: "Function tools with reasoning_effort are not supported for gpt-5.6 in
 * /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'." Without a word from
 * the client GPT-5.6 and later reason. Of what clients of other formats show they take PDFs as bytes, and no other documents
 * (guides/file-inputs). Without a request it is said of the model alone.
 * https://github.com/openai/openai-openapi/issues/541
 */
export const refusedIn =
  (chat: string): NonNullable<OperationSpec["firstFor"]> =>
  (model, request) =>
    inResponsesOnly.test(model) ||
    (request !== undefined && (callsAndReasons(model, request, chat) || showsOthers(request, chat)));

/** Texts are said as such; videos they take nowhere. */
function showsOthers(request: GatewayRequest, chat: string): boolean {
  if (request.format === chat) return false;
  for (const { role, content } of bodyOf(request).messages ?? []) {
    if (role === "user" && content.some(isOther)) return true;
    if (role === "tool" && content.some((result) => result.content.some(isOther))) return true;
  }
  return false;
}

function isOther(part: ContentPart): boolean {
  if (part.type !== "document" || isVideo(part)) return false;
  const { source } = part;
  if (source.kind === "data") return source.mediaType !== "application/pdf" && !isTextType(source.mediaType);
  return source.kind === "url";
}

function callsAndReasons(model: string, request: GatewayRequest, chat: string): boolean {
  const version = versionOf(model);
  if (version === undefined || version < toolsWithoutReasoning) return false;
  const reasonsAnyway = version >= reasonsUnasked;
  if (passes(request, chat, reasonsAnyway)) return false;
  const { tools, reasoning } = bodyOf(request);
  if (!tools?.some(({ type }) => type === "function")) return false;
  return reasoning?.effort === undefined ? reasonsAnyway : reasoning.effort !== "none";
}

/** Of a request in the format of these chat completions it is known without a look into it where it is none of those. */
function passes({ format, keys }: GatewayRequest, chat: string, reasonsAnyway: boolean): boolean {
  if (format !== chat || !keys) return false;
  return !keys.has("tools") || (!reasonsAnyway && !keys.has("reasoning_effort"));
}

/** What nobody can read is the vendor's to judge. */
function bodyOf(request: GatewayRequest): Partial<ChatRequest> {
  try {
    return request.body as ChatRequest;
  } catch {
    return {};
  }
}

const inResponsesOnly =
  /(?:^|[^a-z0-9])(?:codex-mini|gpt-\d+(?:\.\d+)?-(?:codex|pro)|o\d+-pro|o\d+(?:-mini)?-deep-research|computer-use-preview)(?![a-z0-9])/i;

const toolsWithoutReasoning = 5.4;
const reasonsUnasked = 5.6;

/** The number behind `gpt-`, of names with a vendor in front and a date behind, too. */
function versionOf(model: string): number | undefined {
  const [, version] = /(?:^|[^a-z0-9])gpt-(\d(?:\.\d)?)(?![\d.])/i.exec(model) ?? [];
  return version === undefined ? undefined : Number(version);
}
