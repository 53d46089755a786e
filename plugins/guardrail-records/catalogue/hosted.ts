import { z } from "../../../core/index.ts";
import { type CheckEntry, check, flag, needed, someOf } from "./parameters.ts";

const moderation = someOf(
  "hate",
  "hate/threatening",
  "harassment",
  "harassment/threatening",
  "self-harm",
  "self-harm/intent",
  "self-harm/instructions",
  "sexual",
  "sexual/minors",
  "violence",
  "violence/graphic",
).min(1);

const personal = someOf(
  "EMAIL_ADDRESS",
  "PHONE_NUMBER",
  "LOCATION_ADDRESS",
  "NAME",
  "IP_ADDRESS",
  "CREDIT_CARD",
  "SSN",
).min(1);

/** `eng_Latn`: a language and its script (FLORES). */
const language = needed.regex(/^[a-z]{3}_[A-Z][a-z]{3}$/, "must be a language with its script, as in eng_Latn");

/** Checks that ask a service of the deployment (guardrails.md section 12). */
export const hosted: readonly CheckEntry[] = [
  check("gateway.moderateContent", { categories: moderation, not: flag }),
  check("gateway.language", { language: z.union([language, z.array(language).min(1)]), not: flag }),
  check("gateway.pii", { categories: personal, redact: flag, not: flag }),
  check("gateway.gibberish", { not: flag }),
];
