import { createHmac, randomBytes } from "node:crypto";
import { processEnvironment } from "../environment.ts";

/** Nobody else has it, and nobody keeps it: a mark is good for comparing in this process, and tells nothing elsewhere. */
const key = randomBytes(32);

/** A text for a value with all its secrets, to see later whether one is the same. Never to leave this process. */
export const processMark = (value: unknown): string => markUnder(key, value);

/** What a supervisor hands its workers in their environment. */
export const workersKeyName = "SLUICE_WORKERS_KEY";

/** Drawn at every start, and known to the workers of one gateway only. */
export const workersKey = processEnvironment().value(workersKeyName) ?? randomBytes(32).toString("base64url");

/**
 * The same for all workers of a gateway, who may tell each other, also where others listen: without their key nobody can
 * try out secrets on it. Undefined for a value without secrets, which needs none.
 */
export const workersMark = (value: unknown): string | undefined =>
  holdsSecret(value) ? markUnder(workersKey, value) : undefined;

const markUnder = (under: Buffer | string, value: unknown): string =>
  createHmac("sha256", under)
    .update(JSON.stringify(revealed(value)) ?? "")
    .digest("base64");

/** A package with its own copy of the gateway has a Secret class of its own. */
const isSecret = (value: object): value is { reveal(): string } =>
  "reveal" in value && typeof value.reveal === "function";

const holdsSecret = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (isSecret(value) || Object.values(value).some(holdsSecret));

function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (isSecret(value)) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, revealed(inner)]));
}
