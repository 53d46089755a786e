type Fields = Record<string, unknown>;

const fieldsIn = (value: unknown): Readonly<Fields> =>
  typeof value === "object" && value !== null ? (value as Readonly<Fields>) : {};

/** Ranking wants the whole ARN of a model where other calls take its id (providers.md section 19). */
export function withArn(wire: Readonly<Fields>, region: string): Fields {
  const config = fieldsIn(wire.rerankingConfiguration);
  const own = fieldsIn(config.bedrockRerankingConfiguration);
  const model = fieldsIn(own.modelConfiguration);
  const { modelArn } = model;
  if (typeof modelArn !== "string" || modelArn.startsWith("arn:")) return { ...wire };
  const partition = region.startsWith("cn-") ? "aws-cn" : region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
  const arn = `arn:${partition}:bedrock:${region}::foundation-model/${modelArn}`;
  const bedrockRerankingConfiguration = { ...own, modelConfiguration: { ...model, modelArn: arn } };
  return { ...wire, rerankingConfiguration: { ...config, bedrockRerankingConfiguration } };
}
