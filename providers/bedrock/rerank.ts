type Fields = Record<string, unknown>;

const fieldsIn = (value: unknown): Readonly<Fields> =>
  typeof value === "object" && value !== null ? (value as Readonly<Fields>) : {};

/**
 * Ranking wants the whole ARN of a model where other calls take its id (providers.md section 19). AWS's own clients say one,
 * which may be of another region: what it comes to stands at the top.
 */
export function withArn({ model: asked, ...wire }: Readonly<Fields>, region: string): Fields {
  const config = fieldsIn(wire.rerankingConfiguration);
  const own = fieldsIn(config.bedrockRerankingConfiguration);
  const model = fieldsIn(own.modelConfiguration);
  const named = asked ?? model.modelArn;
  if (typeof named !== "string") return wire;
  const partition = region.startsWith("cn-") ? "aws-cn" : region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  const arn = named.startsWith("arn:") ? named : `arn:${partition}:bedrock:${region}::foundation-model/${named}`;
  const bedrockRerankingConfiguration = { ...own, modelConfiguration: { ...model, modelArn: arn } };
  return { ...wire, rerankingConfiguration: { ...config, bedrockRerankingConfiguration } };
}
