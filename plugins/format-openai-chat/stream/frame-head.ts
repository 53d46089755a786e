import { type EncodeContext, type StartChunk, writeJson } from "../../../core/index.ts";
import { fieldsOf } from "../extra.ts";
import { encodeHead, foreign, without } from "../response/encode-response.ts";

/** Fields that stand in every frame, not only in the first. */
const repeated: ReadonlySet<string> = new Set(["system_fingerprint", "service_tier"]);

/** How every frame begins, up to its choices; and the members that only the first one has besides, with a comma before each. */
export function frameHead(
  chunk: Partial<Omit<StartChunk, "type">>,
  context: EncodeContext,
): { head: string; first: string } {
  const { strict } = context;
  const more = Object.entries({
    ...without(fieldsOf(chunk.extra).inner, strict),
    ...foreign(chunk.extra, strict),
  });
  const everywhere = Object.fromEntries(more.filter(([name]) => repeated.has(name)));
  const once = Object.fromEntries(more.filter(([name]) => !repeated.has(name)));
  const head = writeJson({ ...encodeHead(chunk, context, "chat.completion.chunk"), ...everywhere });
  return {
    head: `data: ${head.slice(0, -1)},"choices":[`,
    first: Object.keys(once).length > 0 ? `,${writeJson(once).slice(1, -1)}` : "",
  };
}
