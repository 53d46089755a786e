import {
  compact,
  type EmbeddingInput,
  type EmbeddingRequest,
  type Fields,
  fieldsBeyond,
  isRecord,
  refuse,
  reportForeign,
} from "../../core/index.ts";
import { extraOf, formatName, isOwn } from "./fields.ts";
import { wireRequest } from "./wire.ts";

export function decodeRequest(body: unknown): EmbeddingRequest {
  const result = wireRequest.safeParse(body);
  if (!result.success) {
    const [issue] = result.error.issues;
    const [field] = issue?.path ?? [];
    const value = field === undefined ? (body ?? null) : (body as Readonly<Record<PropertyKey, unknown>>)[field];
    return refuse(String(field ?? "body"), issue?.message ?? "valid", value);
  }
  const wire = result.data;
  const unread = fieldsBeyond(wire, wireRequest);
  const spelling =
    typeof wire.input_type === "string"
      ? ("input_type" as const)
      : typeof wire.task_type === "string"
        ? ("task_type" as const)
        : undefined;
  if (spelling === "input_type" && typeof wire.task_type === "string") unread.task_type = wire.task_type;
  return {
    model: wire.model,
    ...decodeInput(wire.input),
    ...compact({
      encoding: wire.encoding_format,
      dimensions: wire.dimensions,
      inputType: wire.input_type ?? wire.task_type,
      user: wire.user,
    }),
    ...extraOf(unread, spelling),
  };
}

const inputs = "a string, token ids, an item with text, image, video or audio, or a list of those";

/** A list of numbers is one thing to embed: token ids. */
function decodeInput(input: unknown): Pick<EmbeddingRequest, "input" | "single"> {
  if (typeof input === "string" || isRecord(input)) return { input: [input], single: true };
  if (!Array.isArray(input)) return refuse("input", inputs, input);
  if (input.length === 0) return refuse("input", "a list with at least one item", input);
  if (typeof input[0] === "number") return { input: [tokens(input, "input")], single: true };
  return { input: input.map((item, at) => decodeItem(item, `input[${at}]`)), single: false };
}

function decodeItem(item: unknown, path: string): EmbeddingInput {
  if (typeof item === "string" || isRecord(item)) return item;
  return Array.isArray(item) ? tokens(item, path) : refuse(path, "a string, token ids or an item", item);
}

function tokens(list: readonly unknown[], path: string): number[] {
  if (list.length === 0) refuse(path, "a list with at least one token id", list);
  return list.map((token, at) =>
    typeof token === "number" && Number.isInteger(token) ? token : refuse(`${path}[${at}]`, "an integer", token),
  );
}

/** Names `encodeRequest` may report: OpenAI has no word for what vectors are for, only vendors that follow it have. */
export const drops = ["input_type"] as const;

/** The provider finds the word of a vendor that has one. */
export function encodeRequest(
  request: EmbeddingRequest,
  report: (dropped: string) => void,
  vendor?: { readonly purposes?: unknown },
): Fields {
  const { extra, input, single, inputType } = request;
  const own = isOwn(extra) ? extra : undefined;
  reportForeign(formatName, extra, "", report);
  const spelling = own?.spelling ?? (vendor?.purposes === undefined ? undefined : "input_type");
  if (inputType !== undefined && spelling === undefined) report("input_type");
  return {
    model: request.model,
    input: single ? input[0] : input,
    ...compact({
      encoding_format: request.encoding,
      dimensions: request.dimensions,
      ...(spelling !== undefined && { [spelling]: inputType }),
      user: request.user,
    }),
    ...own?.fields,
  };
}
