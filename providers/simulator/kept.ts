import { GatewayError, type UpstreamCall } from "../../core/provider-kit/index.ts";
import { type AnswerLine, Batches } from "./batches.ts";
import { headersStep, jsonSteps } from "./delivery.ts";
import { Files } from "./files.ts";
import { openAiErrors } from "./openai-errors.ts";
import type { Step } from "./player.ts";
import { Responses } from "./responses.ts";
import { isRecord, Refusal, type Wire } from "./wire.ts";

interface Asked {
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly contentType: string;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly answer: (asked: Asked) => Wire | Buffer;
}

/** Ids of answers as they are made here; others are not known, as to any vendor that has not made them. */
const response = "/responses/(resp_[0-9a-f]{24})";

/** What is kept from one call to the next: files, batches of lines and responses, at the paths of OpenAI's API. */
export class Kept {
  readonly responses = new Responses();
  readonly #files = new Files();
  readonly #batches: Batches;
  readonly #routes: readonly Route[];

  constructor(answer: AnswerLine) {
    this.#batches = new Batches(this.#files, answer);
    const files = this.#files;
    const batches = this.#batches;
    this.#routes = [
      { method: "POST", path: /^\/files$/, answer: ({ body, contentType }) => files.upload(body, contentType) },
      { method: "GET", path: /^\/files$/, answer: ({ query }) => pageOf(files.list(query.get("purpose")), query) },
      { method: "GET", path: /^\/files\/([^/]+)$/, answer: ({ id }) => files.find(id).record },
      {
        method: "GET",
        path: /^\/files\/([^/]+)\/content$/,
        answer: ({ id }) => files.find(id).bytes,
      },
      {
        method: "DELETE",
        path: /^\/files\/([^/]+)$/,
        answer: ({ id }) => ({ id: files.find(id).record.id, object: "file", deleted: files.remove(id) }),
      },
      { method: "POST", path: /^\/batches$/, answer: ({ body }) => batches.create(objectIn(body)) },
      { method: "GET", path: /^\/batches$/, answer: ({ query }) => pageOf(batches.list(), query) },
      { method: "GET", path: /^\/batches\/([^/]+)$/, answer: ({ id }) => batches.find(id) },
      { method: "POST", path: /^\/batches\/([^/]+)\/cancel$/, answer: ({ id }) => batches.cancel(id) },
      ...responseRoutes(this.responses),
    ];
  }

  /** The answer to a call; undefined where it is about nothing that is kept. */
  steps({ method, path, headers }: UpstreamCall, body: Buffer, digest: string): Step[] | undefined {
    const [place = "", query = ""] = path.replace(/^\/v1(?=\/)/, "").split("?");
    const route = this.#routes.find((one) => one.method === method && one.path.test(place));
    if (!route) return undefined;
    const id = decodeURIComponent(route.path.exec(place)?.[1] ?? "");
    const contentType = headers["content-type"] ?? "";
    try {
      const answer = route.answer({ id, query: new URLSearchParams(query), body, contentType });
      if (!Buffer.isBuffer(answer)) return jsonSteps(200, answer, digest);
      return [headersStep(200, "application/octet-stream", digest), { kind: "data", text: answer }, { kind: "end" }];
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status, error.message, digest);
      if (error instanceof GatewayError) return refusal(400, error.message, digest);
      throw error;
    }
  }
}

const responseRoutes = (responses: Responses): Route[] => [
  { method: "GET", path: new RegExp(`^${response}$`), answer: ({ id }) => responses.find(id) },
  {
    method: "GET",
    path: new RegExp(`^${response}/input_items$`),
    answer: ({ id, query }) => pageOf(responses.inputItems(id, query.get("order")), query),
  },
  { method: "POST", path: new RegExp(`^${response}/cancel$`), answer: ({ id }) => responses.cancel(id) },
  {
    method: "DELETE",
    path: new RegExp(`^${response}$`),
    answer: ({ id }) => ({ id, object: "response", deleted: responses.remove(id) }),
  },
];

export const refusal = (status: number, message: string, digest: string): Step[] =>
  jsonSteps(status, openAiErrors.errorBody(status, message), digest);

function objectIn(body: Buffer): Wire {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isRecord(value)) return value;
  } catch {
    // Whatever it is, it is no object.
  }
  throw new Refusal(400, "The body must be a JSON object.");
}

/** A part of a list: `limit` behind `after`. */
function pageOf(all: readonly Wire[], query: URLSearchParams): Wire {
  const after = query.get("after");
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && from === 0) throw new Refusal(400, `There is no "${after}" to go on from.`);
  const data = all.slice(from, from + Number(query.get("limit") ?? 20));
  return {
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + data.length < all.length,
  };
}
