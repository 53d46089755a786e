import type { Limited, Managed } from "../../core/index.ts";
import type { AccessRow, IntegrationDocument, ProviderDocument } from "./documents.ts";

type Parts = Pick<ProviderDocument, "usage_limits" | "rate_limits" | "last_reset_at">;

/** What a provider is limited to. */
export const limitsOfProvider = (record: Managed<ProviderDocument>): Limited =>
  limited("provider", record.id, record.document.slug, record.document, record);

/** What a workspace's share of an integration is limited to. */
export const limitsOfShare = (record: Managed<IntegrationDocument>, row: AccessRow): Limited =>
  limited("integration", `${record.id}/${row.workspace}`, record.document.slug ?? record.id, row, record);

const limited = (
  level: Limited["level"],
  id: string,
  subject: string,
  { usage_limits: usage, rate_limits: rate, last_reset_at }: Parts,
  { createdAt: since, version }: { readonly createdAt: number; readonly version: number },
): Limited => ({
  level,
  id,
  subject,
  usage: usage ? [usage] : [],
  rate: rate ?? [],
  resetAt: last_reset_at,
  since,
  version,
});

/** Nothing is looked at for what has no limits. */
export const isLimited = ({ usage, rate }: Limited): boolean => usage.length > 0 || rate.length > 0;
