import { apiKeys } from "./api-keys.ts";
import { collections } from "./collections.ts";
import { configs } from "./configs.ts";
import { deployments, plugins } from "./deployments.ts";
import { guardrails } from "./guardrails.ts";
import { integrations } from "./integrations.ts";
import { labels } from "./labels.ts";
import { feedback, logs } from "./logs.ts";
import { organisations } from "./organisations.ts";
import { partials } from "./partials.ts";
import { policies } from "./policies.ts";
import { prompts } from "./prompts.ts";
import { providers, virtualKeys } from "./providers.ts";
import { secretReferences } from "./secret-references.ts";
import { auditLogs, scim, settings } from "./settings.ts";
import type { Family } from "./table.ts";

/** The families of control-plane.md section 26. */
export const families: readonly Family[] = [
  collections,
  labels,
  prompts,
  partials,
  guardrails,
  configs,
  logs,
  feedback,
  integrations,
  providers,
  virtualKeys,
  organisations,
  settings,
  scim,
  apiKeys,
  policies,
  secretReferences,
  deployments,
  plugins,
  auditLogs,
];
