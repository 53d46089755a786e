import { describe, expect, it } from "vitest";
import { silentLogger } from "../../core/log.ts";
import { builtInChecks } from "./built-in.ts";
import { CheckRegistry } from "./registry.ts";

const nobody = () => Promise.reject(new Error("nobody is asked here"));
const registry = new CheckRegistry({
  ask: nobody,
  call: nobody,
  log: silentLogger,
  credentials: {},
  timeout: undefined,
});
for (const check of await builtInChecks()) registry.add(check);

function mistakes(id: string, parameters: Record<string, unknown>) {
  const check = registry.named(id);
  return check ? registry.mistakes(check, parameters) : [{ path: ["id"], message: "unknown" }];
}

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
    [
      ...["contentModeration", "promptInjections", "pii", "grounding", "hallucinations", "toolUseQuality"],
      "instructionFollowing",
    ].map((name) => [`qualifire.${name}`, { mode: "speed" }]),
  ),
  "qualifire.policy": { policies: ["be kind"] },
  "singulr.scan": {},
  "sydelabs.sydeguard": { evasion_threshold: 1 },
  "tavily.online": { topic: "news" },
  "walledai.walledprotect": {},
  "zscaler.scan": { policyId: "1" },
};

describe("the checks", () => {
  it("are those of the list below, and a few more", () => {
    const listed = new Set(Object.keys(least).map((id) => registry.named(id)?.id));
    const others = [...registry.all].map(({ id }) => id).filter((id) => !listed.has(id));
    expect(others.filter((id) => !id.startsWith("gateway."))).toEqual([]);
  });

  it.each(Object.entries(least))("know %s, and tolerate what they do not know of it", (id, parameters) => {
    const given = { ...parameters, of_a_later_version: 1, timeout: 100, failOnError: true };
    expect(mistakes(id, given)).toEqual([]);
  });

  it("have other spellings", () => {
    const spellings = {
      "default.isAllLowerCase": "default.alllowercase",
      "default.modelWhitelist": "default.modelwhitelist",
    };
    for (const [alias, id] of Object.entries(spellings)) expect(registry.named(alias)?.id).toBe(id);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["default.none", {}, "id"],
    ["contains", { words: ["a"] }, "id"],
    ["default.regexMatch", {}, "rule"],
    ["default.regexMatch", { rule: "(" }, "rule"],
    ["default.regexReplace", { rule: "/a/q" }, ""],
    ["default.regexReplace", { rule: "/(/g" }, "rule"],
    ["default.wordCount", { minWords: "1" }, "minWords"],
    ["default.wordCount", { maxWords: 1.5 }, "maxWords"],
    ["default.jsonKeys", { keys: [] }, "keys"],
    ["default.jsonKeys", { keys: ["a"], operator: "some" }, "operator"],
    ["default.containsCode", { format: "COBOL" }, "format"],
    ["default.jwt", { headerKey: "x-token" }, "."],
    ["default.webhook", { webhookURL: "hooks" }, "webhookURL"],
    ["default.webhook", { webhookURL: "https://a.b", headers: "{" }, "headers"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["authorization"] }, "forwardHeaders.0"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["X-A"] }, "forwardHeaders.0"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["x-gateway-trace-id"] }, ""],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["x-gateway-api-key"] }, "forwardHeaders.0"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["x-goog-api-key"] }, "forwardHeaders.0"],
    ["default.webhook", { webhookURL: "https://a.b", forwardHeaders: ["api-key"] }, "forwardHeaders.0"],
    ["gateway.pii", { categories: ["SHOE_SIZE"] }, "categories.0"],
    ["gateway.pii", { categories: [] }, "categories"],
    ["gateway.language", { language: "english" }, "language"],
    ["acuvity.scan", { biased_threshold: 2 }, "biased_threshold"],
    ["bedrock.guard", { guardrailId: "g" }, "guardrailVersion"],
    ["patronus.custom", {}, "profile"],
    ["default.notNull", { timeout: 0 }, "timeout"],
  ])("%s with %j: %s", (id, parameters, place) => {
    const [first] = mistakes(id, parameters);
    expect(first ? first.path.join(".") || "." : "").toBe(place);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["default.contains", { words: ["a"], operatr: "none" }, "operator"],
    ["default.wordCount", { max_words: 3 }, "maxWords"],
    ["default.wordCount", { maxWords: 3, max_words: 3 }, undefined],
    ["default.regexMatch", { rule: "a", fail_on_error: true }, "failOnError"],
    ["default.regexMatch", { rule: "a", Not: true }, "not"],
    ["default.contains", { words: ["a"], oeprator: "none" }, "operator"],
    ["default.blockedTools", { blockedModels: ["m"], allowedModels: ["m"] }, undefined],
    ["azure.contentSafety", { blocklistsMatch: true }, undefined],
    ["default.webhook", { webhookURL: "https://a.b", id: "x", url: "https://a.b", is_enabled: true }, undefined],
    ["panw-prisma-airs.intercept", { id: "x" }, undefined],
    ["default.isAllLowerCase", { format: "x" }, undefined],
  ])("%s with %j may be misspelt: %s", (id, parameters, meant) => {
    const check = registry.named(id);
    const [mistake] = check ? registry.misspelt(check, parameters) : [];
    expect(mistake?.message).toBe(meant && `is unknown; did you mean "${meant}"?`);
    expect(mistakes(id, parameters)).toEqual([]);
  });

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ type: "strnig" }, 'schema.type is "strnig", which is no type: did you mean "string"?'],
    [
      { properties: { type: { type: ["null", "date"] } } },
      'schema.properties.type.type is "date", which is no type: known types: string, number, integer, boolean, object, array, null',
    ],
    [{ anyOf: [{}, { items: { type: 1 } }] }, expect.stringContaining("schema.anyOf[1].items.type is 1")],
    [{ type: "object", enum: [{ type: "cat" }], properties: { type: { const: { type: "dog" } } } }, undefined],
    [{ properties: { pet: { type: "object", example: { type: "cat" }, "x-form": { type: "select" } } } }, undefined],
  ])("a schema %j is doubted where a guardrail is made: %s", (schema, doubt) => {
    const check = registry.named("default.jsonSchema");
    expect(check ? registry.doubt(check, { schema }) : "").toEqual(doubt);
    expect(mistakes("default.jsonSchema", { schema })).toEqual([]);
  });
});
