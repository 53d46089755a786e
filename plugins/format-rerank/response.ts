import {
  compact,
  type EncodeContext,
  extraIn,
  type Fields,
  isRecord,
  leftovers,
  ownFields,
  type RerankResponse,
  type RerankResult,
  raise,
  readErrorBody,
  tokenCount,
  type Usage,
} from "../../core/index.ts";
import { valueAt } from "./fields.ts";

/** Where a vendor's answer has its results and its counts. */
export interface AnswerShape {
  readonly list: string;
  /** The field of a result with the place of its document: a number, or text of one. */
  readonly index: string;
  readonly score: string;
  /** The document of a result as the vendor repeats it. */
  readonly document?: (result: Readonly<Fields>) => RerankResult["document"];
  /** The steps to the count of search units and of tokens. */
  readonly units?: readonly string[];
  readonly tokens?: readonly string[];
  /** What every answer of the vendor has, and clients want to be there, whatever is known of it. */
  readonly always?: Readonly<Fields>;
}

export function decodeAnswer(name: string, shape: AnswerShape, body: unknown): RerankResponse {
  const wire = isRecord(body) ? body : {};
  const list = wire[shape.list];
  if (!Array.isArray(list))
    raise("upstream_invalid", `The answer holds no results: ${readErrorBody(body)?.message ?? "they are missing"}`);
  const results = list.map((one: unknown, at) => decodeResult(shape, one, at));
  const { id, model } = wire;
  return {
    ...(typeof id === "string" && { id }),
    ...(typeof model === "string" && { model }),
    results: results.sort((left, right) => right.score - left.score),
    ...compact({ usage: usageIn(shape, wire) }),
    ...extraIn(name, leftovers(wire, new Set(["id", "model", shape.list]))),
    body: wire,
  };
}

function decodeResult(shape: AnswerShape, value: unknown, at: number): RerankResult {
  const wire = isRecord(value) ? value : {};
  const index = placeIn(wire[shape.index]);
  const score = wire[shape.score];
  if (!Number.isInteger(index) || typeof score !== "number")
    raise("upstream_invalid", `The result ${at} has no ${shape.index} or no ${shape.score}.`);
  return { index, score, ...compact({ document: (shape.document ?? documentIn)(wire) }) };
}

/** What is nothing is no place, though it counts as 0 elsewhere. */
const placeIn = (value: unknown): number => (value === null || value === "" ? Number.NaN : Number(value));

const documentIn = ({ document }: Readonly<Fields>): RerankResult["document"] =>
  typeof document === "string" || isRecord(document) ? document : undefined;

export function usageIn({ units, tokens }: AnswerShape, wire: unknown): Usage | undefined {
  const usage = compact({
    inputTokens: tokens && tokenCount(valueAt(wire, tokens)),
    searchUnits: units && tokenCount(valueAt(wire, units)),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** An answer of a vendor's own shape, for clients that speak it. */
export function encodeAnswer(
  name: string,
  shape: AnswerShape,
  response: RerankResponse,
  context: EncodeContext,
): Fields {
  const { usage, extra } = response;
  const own = ownFields(name, extra);
  const counts = extra?.format === name ? {} : countsOf(shape, usage);
  return {
    id: response.id ?? context.id,
    ...(response.model !== undefined && { model: response.model }),
    [shape.list]: response.results.map(({ index, score, document }) => ({
      [shape.index]: index,
      [shape.score]: score,
      ...(document !== undefined && { document }),
    })),
    ...shape.always,
    ...counts,
    ...own,
  };
}

function countsOf({ units, tokens }: AnswerShape, usage: Usage | undefined): Fields {
  const counts: Fields = {};
  if (units && usage?.searchUnits !== undefined) put(counts, units, usage.searchUnits);
  if (tokens && usage?.inputTokens !== undefined) put(counts, tokens, usage.inputTokens);
  return counts;
}

function put(fields: Fields, [first = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) fields[first] = value;
  else {
    const inner = isRecord(fields[first]) ? fields[first] : {};
    fields[first] = inner;
    put(inner, rest, value);
  }
}
