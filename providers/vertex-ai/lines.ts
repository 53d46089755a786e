import {
  type BatchLine,
  batchLine,
  type Fields,
  inLine,
  isRecord,
  jsonLines,
  refuse,
  type Vendor,
} from "../../core/provider-kit/index.ts";
import { batchEndpoints } from "./storage.ts";

type Wire = Readonly<Fields>;

export interface LineInput {
  readonly vendor: Vendor;
  readonly model: string;
  /** What all lines have to ask, where the client says so. */
  readonly endpoint: string | undefined;
}

/** Lines of a batch as this vendor takes them (providers.md section 8.9). */
export async function* batchRows(bytes: AsyncIterable<Buffer>, input: LineInput): AsyncGenerator<Wire> {
  for await (const line of jsonLines(bytes)) {
    const read = batchLine(line);
    yield inLine(read.number, () => rowOf(read, input));
  }
}

function rowOf({ customId, endpoint, body }: BatchLine, { vendor, model, endpoint: said }: LineInput): Wire {
  const allowed: readonly string[] = said === undefined ? batchEndpoints : [said];
  if (!allowed.includes(endpoint)) refuse("url", allowed.join(" or "), endpoint);
  const { format, wire } = vendor.encodeLine({ endpoint, model, body });
  switch (format) {
    case "anthropic-messages":
      return { custom_id: customId, request: wire };
    case "openai-embeddings":
      return { ...instanceIn(wire, vendor), requestId: customId };
    case "openai-chat":
      return { custom_id: customId, method: "POST", url: endpoint, body: wire };
    default:
      return { request: wire, requestId: customId };
  }
}

/** One instance to a line; parameters would be those of all lines. */
function instanceIn({ instances, parameters }: Wire, vendor: Vendor): Wire {
  const [first, ...others]: readonly unknown[] = Array.isArray(instances) ? instances : [];
  if (!isRecord(first) || others.length > 0) return refuse("body.input", "one text: a line asks for one", instances);
  if (parameters !== undefined) vendor.report("dimensions");
  return first;
}

/** Examples to learn from are whole conversations: they are said as requests are. */
export async function* tuningRows(
  bytes: AsyncIterable<Buffer>,
  { vendor, model }: Pick<LineInput, "vendor" | "model">,
): AsyncGenerator<Wire> {
  for await (const { number, wire: body } of jsonLines(bytes))
    yield inLine(number, () => vendor.encodeLine({ endpoint: "/v1/chat/completions", model, body }).wire);
}
