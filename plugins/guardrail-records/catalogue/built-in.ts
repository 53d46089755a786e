import { z } from "../../../core/index.ts";
import {
  type CheckEntry,
  check,
  count,
  flag,
  headers,
  listed,
  map,
  milliseconds,
  needed,
  neededWords,
  oneOf,
  operator,
  pattern,
  text,
  url,
  whole,
  words,
} from "./parameters.ts";

const not = flag;
const codeFormats = [
  ...["SQL", "Python", "TypeScript", "JavaScript", "Java", "C#", "C++", "C", "Ruby", "PHP", "Swift", "Kotlin", "Go"],
  ...["Rust", "Scala", "R", "Perl", "Shell", "HTML", "CSS", "XML", "JSON", "YAML", "Markdown", "Dockerfile"],
] as const;

/** Where a token is checked: one of these at least. */
const keySources = ["jwks", "jwksUri", "introspectEndpoint"] as const;
const jwt = check("default.jwt", {
  jwks: map,
  jwksUri: url.optional(),
  introspectEndpoint: url.optional(),
  introspectContentType: text,
  introspectCacheMaxAge: count,
  headerKey: text,
  algorithms: words,
  cacheMaxAge: count,
  clockTolerance: count,
  maxTokenAge: text,
  requiredClaims: words,
  claimValues: map,
  headerPayloadMatch: words,
  extractClaims: words,
  claimPrefix: text,
});

/** Checks that run inside the gateway (guardrails.md section 11). */
export const builtIn: readonly CheckEntry[] = [
  check("default.regexMatch", { rule: pattern, not, redact: flag, redactText: text }),
  check("default.sentenceCount", { minSentences: count, maxSentences: count, not }),
  check("default.wordCount", { minWords: whole, maxWords: whole, not }),
  check("default.characterCount", { minCharacters: whole, maxCharacters: whole, not }),
  check("default.jsonSchema", { schema: z.record(z.string(), z.unknown()), not }),
  check("default.jsonKeys", { keys: neededWords, operator }),
  check("default.contains", { words: neededWords, operator }),
  check("default.validUrls", { onlyDNS: flag, not }),
  check("default.containsCode", { format: z.enum(codeFormats), not }),
  check("default.alluppercase", { not }),
  check("default.alllowercase", { not }, { aliases: ["default.isAllLowerCase"] }),
  check("default.endsWith", { suffix: needed, not }),
  check("default.notNull", { not }),
  check("default.modelwhitelist", { models: neededWords, not }, { aliases: ["default.modelWhitelist"] }),
  check("default.modelRules", { rules: z.record(z.string(), z.unknown()), not }),
  {
    ...jwt,
    parameters: jwt.parameters.refine(
      (parameters) => keySources.some((name) => parameters[name] !== undefined),
      `needs one of ${keySources.join(", ")}`,
    ),
    urls: ["jwksUri", "introspectEndpoint"],
  },
  check("default.requiredMetadataKeys", { metadataKeys: neededWords, operator }),
  check("default.requiredMetadataKeyPairs", {
    metadataPairs: z.record(z.string(), z.unknown()),
    operator,
    matchType: oneOf("exact", "contains", "containsAll", "regex").optional(),
  }),
  check("default.allowedRequestTypes", { allowedTypes: listed, blockedTypes: listed }),
  check("default.requestParametersCheck", { tools: map, params: map }),
  check("default.blockedTools", {
    blockedTypes: words,
    allowedTypes: words,
    blockedFunctionNames: words,
    allowedFunctionNames: words,
  }),
  check("default.inlineImageUrls", { providers: words, maxSizeBytes: whole, timeoutMs: milliseconds }),
  check("default.webhook", { webhookURL: url, headers }, { urls: ["webhookURL"] }),
  check("default.log", { logURL: url, headers }, { urls: ["logURL"] }),
  check("default.addPrefix", {
    prefix: needed,
    applyToRole: oneOf("user", "system", "assistant").optional(),
    addToExisting: flag,
    onlyIfEmpty: flag,
  }),
  check("default.regexReplace", { rule: pattern, redactText: text, failOnDetection: flag }),
];
