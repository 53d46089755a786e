import { z } from "../../../core/index.ts";
import {
  type CheckEntry,
  check,
  count,
  flag,
  listed,
  map,
  needed,
  neededWords,
  oneOf,
  share,
  someOf,
  text,
  whole,
  words,
} from "./parameters.ts";

const redact = flag;
const version = z.union([needed, z.int()]);

/** Patronus's judges, which take nothing. */
const judges = [
  ...["isConcise", "isHelpful", "isPolite", "noApologies", "noGenderBias", "noRacialBias"],
  ...["retrievalAnswerRelevance", "retrievalHallucination", "toxicity"],
];

const scanners = someOf("prompt_injection", "pii", "secrets", "toxic_language", "invisible_characters").min(1);
const mode = oneOf("speed", "balanced", "quality").optional();

/** Acuvity's guards: a switch and a threshold each. */
const acuvityGuards = ["prompt_injection", "jail_break", "malicious_url", "toxic", "biased", "harmful"].flatMap(
  (name) => [[name, flag] as const, [`${name}_threshold`, share] as const],
);

/** Checks that ask a partner (guardrails.md section 13). */
export const partners: readonly CheckEntry[] = [
  check(
    "acuvity.scan",
    {
      ...Object.fromEntries(acuvityGuards),
      language: flag,
      language_values: listed,
      pii: flag,
      pii_redact: redact,
      pii_categories: words,
      secrets: flag,
      secrets_redact: redact,
      secrets_categories: words,
    },
    { aliases: ["Acuvity.scan"] },
  ),
  check("akto.scan", {}),
  check("alibaba-cloud-ai.guard", {}),
  check("aporia.validateProject", { projectID: needed }),
  check("azure.contentSafety", {
    blocklistNames: words,
    apiVersion: text,
    severity: count,
    categories: someOf("Hate", "SelfHarm", "Sexual", "Violence").optional(),
  }),
  check("azure.pii", {
    domain: oneOf("none", "phi").optional(),
    apiVersion: text,
    modelVersion: text,
    piiCategories: words,
    language: text,
    redact,
  }),
  check("azure.shieldPrompt", { apiVersion: text }),
  check("azure.protectedMaterial", { apiVersion: text }),
  check("bedrock.guard", { guardrailId: needed, guardrailVersion: version, redact }),
  check("cato.analyze", { userEmail: text, keyAlias: text }),
  check("crowdstrike-aidr.guardChatCompletions", {}),
  check("exa.online", { prefix: text, suffix: text, numResults: whole, includeDomains: words, excludeDomains: words }),
  check("f5-guardrails.scan", { projectId: needed, redact }),
  check("javelin.guardrails", {}),
  check("lakera.guard", { projectID: text, endInclusive: flag }),
  check("lasso.classify", { conversationId: text, userId: text }),
  check("lasso.scan", {}),
  check("mistral.moderateContent", {
    categories: someOf(
      "sexual",
      "hate_and_discrimination",
      "violence_and_threats",
      "dangerous_and_criminal_content",
      "selfharm",
      "health",
      "financial",
      "law",
      "pii",
    ).min(1),
    model: text,
  }),
  check("pangea.textGuard", { recipe: text, debug: flag, overrides: map }),
  check("pangea.pii", { redact }),
  check(
    "panw-prisma-airs.intercept",
    {
      profile_name: text,
      profile_id: text,
      ai_model: text,
      app_user: text,
      app_name: text,
      scan_scope: oneOf("last_message", "last_user_message", "user_messages", "all_messages").optional(),
      strip_scaffolding: flag,
    },
    { aliases: ["panwPrismaAirs.intercept"] },
  ),
  ...judges.map((name) => check(`patronus.${name}`, {})),
  check("patronus.custom", { profile: needed }),
  check("patronus.pii", { redact }),
  check("patronus.phi", { redact }),
  check("pillar.scanPrompt", { scanners }),
  check("pillar.scanResponse", { scanners }),
  check("promptfoo.guard", {}),
  check("promptfoo.pii", { redact }),
  check("promptfoo.harm", {}),
  ...["protectPrompt", "protectResponse"].map((name) =>
    check(`promptsecurity.${name}`, { policy: text, redact, monitorOnly: flag, user: text, userGroups: listed }),
  ),
  ...["contentModeration", "promptInjections", "pii", "grounding", "hallucinations", "toolUseQuality"].map((name) =>
    check(`qualifire.${name}`, { mode }),
  ),
  check("qualifire.policy", {
    mode,
    policies: neededWords,
    policy_target: oneOf("input", "output", "both").optional(),
  }),
  check("singulr.scan", {}),
  check("sydelabs.sydeguard", {
    prompt_injection_threshold: share,
    toxicity_threshold: share,
    evasion_threshold: share,
  }),
  check("tavily.online", {
    prefix: text,
    suffix: text,
    maxResults: whole,
    searchDepth: oneOf("advanced", "basic", "fast", "ultra-fast").optional(),
    chunksPerSource: whole,
    topic: oneOf("general", "news", "finance").optional(),
    timeRange: text,
    startDate: text,
    endDate: text,
    includeDomains: words,
    excludeDomains: words,
    country: text,
  }),
  check("walledai.walledprotect", {
    generic_safety_check: flag,
    greetings_list: words,
    pii_list: words,
    compliance_list: words,
  }),
  check("zscaler.scan", { policyId: version }),
];
