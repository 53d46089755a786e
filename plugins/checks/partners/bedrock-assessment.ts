import { z } from "../../../core/index.ts";

const item = z.looseObject({ action: z.string().nullish() });
const items = z.array(item).nullish();
const entity = z.looseObject({
  action: z.string().nullish(),
  match: z.string().nullish(),
  type: z.string().nullish(),
  name: z.string().nullish(),
});

const assessment = z.looseObject({
  topicPolicy: z.looseObject({ topics: items }).nullish(),
  contentPolicy: z.looseObject({ filters: items }).nullish(),
  wordPolicy: z.looseObject({ customWords: items, managedWordLists: items }).nullish(),
  contextualGroundingPolicy: z.looseObject({ filters: items }).nullish(),
  sensitiveInformationPolicy: z
    .looseObject({ piiEntities: z.array(entity).nullish(), regexes: z.array(entity).nullish() })
    .nullish(),
});

/** What Bedrock answers when a guardrail is applied, as far as it is read. */
export const applied = z.looseObject({
  action: z.enum(["NONE", "GUARDRAIL_INTERVENED"]),
  outputs: z.array(z.looseObject({ text: z.string() })).nullish(),
  output: z.array(z.looseObject({ text: z.string() })).nullish(),
  assessments: z.array(assessment).nullish(),
});
export type Applied = z.output<typeof applied>;

export interface Judgement {
  /** Something was blocked, personal data included. */
  readonly blocks: boolean;
  /** Something was that cannot be taken out: not personal data, or not found in the text. */
  readonly blocksElse: boolean;
  /** The text with what is personal taken out; null where nothing was found. */
  readonly redacted: string | null;
}

const none = { blocks: false, blocksElse: false, redacted: null };

/** What the answer means for a text. Masking alone blocks nothing. */
export function judgementOf(text: string, answer: Applied): Judgement {
  if (answer.action !== "GUARDRAIL_INTERVENED") return none;
  const assessments = answer.assessments ?? [];
  const others = assessments.flatMap((one) => [
    ...(one.topicPolicy?.topics ?? []),
    ...(one.contentPolicy?.filters ?? []),
    ...(one.wordPolicy?.customWords ?? []),
    ...(one.wordPolicy?.managedWordLists ?? []),
    ...(one.contextualGroundingPolicy?.filters ?? []),
  ]);
  const personal = assessments
    .flatMap(({ sensitiveInformationPolicy: policy }) => [...(policy?.piiEntities ?? []), ...(policy?.regexes ?? [])])
    .filter(({ action }) => action !== "NONE");
  // It intervened and does not say why: nothing shows that it may pass.
  if (others.length + personal.length === 0) return { ...none, blocks: true, blocksElse: true };
  const isBlocked = ({ action }: z.output<typeof item>) => action === "BLOCKED";
  const blocksElse = others.some(isBlocked);
  const blocksPersonal = personal.some(isBlocked);
  const redacted = personal.length === 0 ? null : redactedBy(text, answer, personal, blocksPersonal);
  // What was blocked and cannot be taken out stays blocked.
  const stays = blocksPersonal && redacted === text;
  return { blocks: blocksElse || blocksPersonal, blocksElse: blocksElse || stays, redacted };
}

/** Where something was blocked, the service's own output is a refusal, not the text. */
function redactedBy(
  text: string,
  { outputs, output }: Applied,
  personal: readonly z.output<typeof entity>[],
  blocked: boolean,
): string {
  const masked = (outputs ?? output)?.[0]?.text;
  if (!blocked && masked !== undefined) return masked;
  let left = text;
  for (const { match, type, name } of personal) if (match) left = left.replaceAll(match, `{${type ?? name ?? "PII"}}`);
  return left;
}
