import { GatewayError } from "../../core/index.ts";
import type { IntegrationDocument } from "./documents.ts";
import { isSensitiveMember } from "./masking.ts";
import type { Parts } from "./parts.ts";
import { mappedMembers } from "./secret-mappings.ts";
import { missingMembers } from "./vendors.ts";

type Judged = Pick<
  IntegrationDocument,
  "ai_provider_id" | "key" | "configurations" | "secret_mappings" | "workspace_id"
>;

export interface JudgeOptions {
  /** Whether the members that section 7.3 requires are asked for, beyond what the provider cannot do without. */
  readonly complete: boolean;
  /** What a member is called by whoever sent it: `configurations.aws_region`. */
  readonly named: (member: string) => string;
}

export const inConfigurations = (member: string): string =>
  member === "key" || member === "ai_provider_id" ? member : `configurations.${member}`;

/**
 * Refuses an integration that nobody could be called with, naming each member that is wrong. Answers the members that are
 * secrets.
 */
export async function judge(
  { registry, machine }: Parts,
  integration: Judged,
  { complete, named }: JudgeOptions,
): Promise<string[]> {
  const { ai_provider_id: vendor, key, configurations, secret_mappings } = integration;
  const later = mappedMembers(secret_mappings);
  const settings = { key: key ?? undefined, fields: configurations, machine: machine(integration) };
  const { problems, secrets } = await registry.judge(vendor, settings, later);
  const missing = complete ? missingMembers(vendor, configurations, later) : [];
  const found = [
    ...missing.map((field) => ({ field, message: "is required" })),
    // What is missing was said already; the provider may know it under another name.
    ...(missing.length > 0 ? problems.filter(({ message }) => message !== "is required") : problems),
  ];
  const [first] = found;
  if (first)
    throw new GatewayError(
      "record_invalid",
      found.map(({ field, message }) => `${named(field)}: ${message}`).join("; "),
      {
        param: named(first.field),
        errors: found.map(({ field, message }) => `path: ${named(field)}, message: ${message}`),
      },
    );
  return secrets.filter((member) => !isSensitiveMember(member));
}
