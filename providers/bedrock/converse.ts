import { type Fields, isRecord, type OperationInput } from "../../core/provider-kit/index.ts";
import { withoutTimes } from "./cache-times.ts";
import { isClaude, wordsOf } from "./claude.ts";

/**
 * Converse, as others than its own clients are translated to it: those say what they say. Claude is told the betas that a client
 * names in a header or in its body, and else those of the options (providers.md section 9.3).
 */
export const converse = (betas?: string) =>
  ({
    format: "bedrock-converse",
    headerFields: { "anthropic-beta": "anthropic_beta" },
    rewrite: { when: [], apply: (wire, report) => withBetas(withoutTimes(wire, report), betas) },
  }) as const satisfies OperationInput;

const additional = "additionalModelRequestFields";

/** The betas of a request where Claude looks for them: those it is served with here, each once. */
function withBetas({ anthropic_beta: header, ...wire }: Fields, betas: string | undefined): Fields {
  const model = String(wire.model ?? "");
  if (!isClaude(model)) return wire;
  const fields = isRecord(wire[additional]) ? wire[additional] : {};
  const { anthropic_beta: body, ...rest } = fields;
  const words = [...wordsOf(header ?? (body === undefined ? betas : undefined), model), ...wordsOf(body, model)];
  const own = words.length > 0 ? { ...rest, anthropic_beta: [...new Set(words)] } : rest;
  if (Object.keys(own).length > 0) return { ...wire, [additional]: own };
  const { [additional]: _, ...plain } = wire;
  return plain;
}
