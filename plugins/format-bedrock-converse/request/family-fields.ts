import { type ChatRequest, compact, type Fields } from "../../../core/index.ts";
import { type Report, writtenIn } from "../fields.ts";
import { isNova } from "../model-family.ts";

/** A setting of chat requests that some makers of models have a field for. */
interface Setting {
  readonly name: string;
  value(request: ChatRequest): unknown;
  /** How makers call it, and wrap it; those that are not here have no such field. */
  readonly fields: Readonly<Record<string, (value: unknown) => Fields>>;
}

const scaled = (name: string) => (scale: unknown) => ({ [name]: { scale } });

const settings: readonly Setting[] = [
  { name: "user", value: ({ user }) => user, fields: { anthropic: (user_id) => ({ metadata: { user_id } }) } },
  { name: "n", value: ({ n }) => (n === 1 ? undefined : n), fields: { cohere: (n) => ({ n }) } },
  {
    name: "frequency_penalty",
    value: ({ frequencyPenalty }) => frequencyPenalty || undefined,
    fields: { cohere: (frequency_penalty) => ({ frequency_penalty }), ai21: scaled("frequencyPenalty") },
  },
  {
    name: "presence_penalty",
    value: ({ presencePenalty }) => presencePenalty || undefined,
    fields: { cohere: (presence_penalty) => ({ presence_penalty }), ai21: scaled("presencePenalty") },
  },
  {
    name: "logit_bias",
    value: ({ logitBias }) => (logitBias && Object.keys(logitBias).length > 0 ? logitBias : undefined),
    fields: { cohere: (logitBias) => ({ logitBias }) },
  },
  { name: "logprobs", value: ({ logprobs }) => logprobs || undefined, fields: {} },
  { name: "top_logprobs", value: ({ topLogprobs }) => topLogprobs || undefined, fields: {} },
  { name: "seed", value: ({ seed }) => seed, fields: {} },
];

/** What makers of models have fields of their own for (providers.md section 9.3); the rest is reported. */
export function familyFields(request: ChatRequest, topK: number | undefined, family: string, report: Report): Fields {
  const { model, extra } = request;
  const inside = writtenIn(extra).topK === "inferenceConfig" || isNova(model);
  const all: Fields = compact(
    inside ? { inferenceConfig: topK === undefined ? undefined : { topK } } : { top_k: topK },
  );
  for (const { name, value, fields } of settings) {
    const said = value(request);
    if (said === undefined) continue;
    const write = Object.hasOwn(fields, family) ? fields[family] : undefined;
    // A client of this format that wrote the field itself has it back, whoever made the model.
    if (write ?? (name === "user" && extra?.format === "bedrock-converse" && fields.anthropic))
      Object.assign(all, (write ?? fields.anthropic)?.(said));
    else report(name);
  }
  return all;
}
