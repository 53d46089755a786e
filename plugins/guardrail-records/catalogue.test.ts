import { describe, expect, it } from "vitest";
import { checkNamed } from "./catalogue/index.ts";
import { checkList } from "./checks.ts";

/** Each check with parameters that fit it, as few as it takes. */
const least: Record<string, Record<string, unknown>> = {
  "default.regexMatch": { rule: "\\d+" },
  "default.sentenceCount": {},
  "default.wordCount": { minWords: 1, maxWords: 5 },
  "default.characterCount": {},
  "default.jsonSchema": { schema: { type: "object" } },
  "default.jsonKeys": { keys: ["a"], operator: "all" },
  "default.contains": { words: ["a"] },
  "default.validUrls": { onlyDNS: true },
  "default.containsCode": { format: "C#" },
  "default.alluppercase": {},
  "default.alllowercase": {},
  "default.isAllLowerCase": { format: "x" },
  "default.endsWith": { suffix: "." },
  "default.notNull": {},
  "default.modelwhitelist": { models: ["m"] },
  "default.modelWhitelist": { models: ["m"] },
  "default.modelRules": { rules: { defaults: ["m"] } },
  "default.jwt": { jwksUri: "https://keys.example.com/jwks" },
  "default.requiredMetadataKeys": { metadataKeys: ["team"] },
  "default.requiredMetadataKeyPairs": { metadataPairs: { team: "a" } },
  "default.allowedRequestTypes": { allowedTypes: "embed,rerank" },
  "default.requestParametersCheck": { params: { blockedKeys: ["seed"] } },
  "default.blockedTools": { blockedTypes: ["function"] },
  "default.inlineImageUrls": {},
  "default.webhook": { webhookURL: "https://hooks.example.com" },
  "default.log": { logURL: "https://logs.example.com", headers: "" },
  "default.addPrefix": { prefix: "Please: " },
  "default.regexReplace": { rule: "/a+/gi" },
  "gateway.moderateContent": { categories: ["hate"] },
  "gateway.language": { language: ["eng_Latn"] },
  "gateway.pii": { categories: ["SSN"], redact: true },
  "gateway.gibberish": {},
  "acuvity.scan": { toxic_threshold: 0.4 },
  "Acuvity.scan": {},
  "akto.scan": {},
  "alibaba-cloud-ai.guard": {},
  "aporia.validateProject": { projectID: "p" },
  "azure.contentSafety": { categories: ["Hate"], severity: 2 },
  "azure.pii": { domain: "phi" },
  "azure.shieldPrompt": {},
  "azure.protectedMaterial": {},
  "bedrock.guard": { guardrailId: "g", guardrailVersion: 1 },
  "cato.analyze": {},
  "crowdstrike-aidr.guardChatCompletions": {},
  "exa.online": { numResults: 5 },
  "f5-guardrails.scan": { projectId: "p" },
  "javelin.guardrails": {},
  "lakera.guard": { projectID: "p" },
  "lasso.classify": {},
  "lasso.scan": {},
  "mistral.moderateContent": { categories: ["pii"] },
  "pangea.textGuard": { overrides: {} },
  "pangea.pii": { redact: true },
  "panw-prisma-airs.intercept": { scan_scope: "all_messages" },
  "panwPrismaAirs.intercept": {},
  ...Object.fromEntries(
    [
      ...["isConcise", "isHelpful", "isPolite", "noApologies", "noGenderBias", "noRacialBias", "pii", "phi"],
      ...["retrievalAnswerRelevance", "retrievalHallucination", "toxicity"],
    ].map((name) => [`patronus.${name}`, {}]),
  ),
  "patronus.custom": { profile: "judge:mine" },
  "pillar.scanPrompt": { scanners: ["pii"] },
  "pillar.scanResponse": { scanners: ["secrets"] },
  "promptfoo.guard": {},
  "promptfoo.pii": {},
  "promptfoo.harm": {},
  "promptsecurity.protectPrompt": {},
  "promptsecurity.protectResponse": { userGroups: ["a"] },
  ...Object.fromEntries(
    ["contentModeration", "promptInjections", "pii", "grounding", "hallucinations", "toolUseQuality"].map((name) => [
      `qualifire.${name}`,
      { mode: "speed" },
    ]),
  ),
  "qualifire.policy": { policies: ["be kind"] },
  "singulr.scan": {},
  "sydelabs.sydeguard": { evasion_threshold: 1 },
  "tavily.online": { topic: "news" },
  "walledai.walledprotect": {},
  "zscaler.scan": { policyId: "1" },
};

describe("the catalogue of checks", () => {
  it.each(Object.entries(least))("knows %s, and keeps what it does not know of it", (id, parameters) => {
    const given = { id, parameters: { ...parameters, of_a_later_version: 1, timeout: 100, failOnError: true } };
    expect(checkList.parse([given])[0]?.parameters).toMatchObject({ of_a_later_version: 1 });
  });

  it("knows other spellings of a check as the same one", () => {
    const spellings = {
      "default.isAllLowerCase": "default.alllowercase",
      "default.modelWhitelist": "default.modelwhitelist",
    };
    for (const [alias, id] of Object.entries(spellings)) expect(checkNamed(alias)?.id).toBe(id);
  });

  it.each<[string, unknown, string]>([
    ["default.none", {}, "0.id"],
    ["contains", { words: ["a"] }, "0.id"],
    ["default.regexMatch", {}, "0.parameters.rule"],
    ["default.regexMatch", { rule: "(" }, "0.parameters.rule"],
    ["default.regexReplace", { rule: "/a/q" }, ""],
    ["default.regexReplace", { rule: "/(/g" }, "0.parameters.rule"],
    ["default.wordCount", { minWords: "1" }, "0.parameters.minWords"],
    ["default.wordCount", { maxWords: 1.5 }, "0.parameters.maxWords"],
    ["default.jsonKeys", { keys: [] }, "0.parameters.keys"],
    ["default.jsonKeys", { keys: ["a"], operator: "some" }, "0.parameters.operator"],
    ["default.containsCode", { format: "COBOL" }, "0.parameters.format"],
    ["default.jwt", { headerKey: "x-token" }, "0.parameters"],
    ["default.webhook", { webhookURL: "hooks" }, "0.parameters.webhookURL"],
    ["default.webhook", { webhookURL: "https://a.b", headers: "{" }, "0.parameters.headers"],
    [
      "default.webhook",
      { webhookURL: "https://a.b", forwardHeaders: ["authorization"] },
      "0.parameters.forwardHeaders.0",
    ],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["X-A"] }, "0.parameters.forwardHeaders.0"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["x-gateway-trace-id"] }, ""],
    [
      "default.webhook",
      { webhookURL: "https://a.b", forwardHeaders: ["x-gateway-api-key"] },
      "0.parameters.forwardHeaders.0",
    ],
    ["gateway.pii", { categories: ["SHOE_SIZE"] }, "0.parameters.categories.0"],
    ["gateway.pii", { categories: [] }, "0.parameters.categories"],
    ["gateway.language", { language: "english" }, "0.parameters.language"],
    ["acuvity.scan", { biased_threshold: 2 }, "0.parameters.biased_threshold"],
    ["bedrock.guard", { guardrailId: "g" }, "0.parameters.guardrailVersion"],
    ["patronus.custom", {}, "0.parameters.profile"],
    ["default.notNull", { timeout: 0 }, "0.parameters.timeout"],
  ])("%s with %j: %s", (id, parameters, place) => {
    const { error } = checkList.safeParse([{ id, parameters }]);
    expect(error?.issues[0]?.path.join(".") ?? "").toBe(place);
  });
});
