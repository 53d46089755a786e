import { hash } from "node:crypto";
import { AgedMap, GatewayError, isRecord, type Vendor } from "../../core/provider-kit/index.ts";
import { familyOf } from "./families.ts";
import { asked, control } from "./jobs.ts";
import type { BedrockOptions } from "./options.ts";

type Options = BedrockOptions & { readonly baseUrl?: string };

interface Found {
  /** Absent where it could not be found out. */
  readonly model?: string;
  /** Unix milliseconds. */
  readonly until: number;
}

const hour = 3_600_000;
/** How long a profile stands for its model (providers.md section 9.1), and how long nobody asks again who was refused. */
const known = 24 * hour;
const unknown = hour / 12;
const mostKnown = 1000;

/** By who asks where: a host of a caller's own knows its own models, and what one may not look up another one may. */
const profiles = new AgedMap<string, Found>();
const underWay = new Map<string, Promise<void>>();

/** A profile whose name does not say its model. */
export const isProfile = (name: string): boolean =>
  /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:(?:application-)?inference-profile\/[A-Za-z0-9.:-]+$/.test(name) &&
  familyOf(name) === undefined;

const pathOf = (name: string, options: Options): string =>
  control(options, `/inference-profiles/${encodeURIComponent(name)}`);

const keyOf = (name: string, options: Options): string => {
  const { baseUrl, accessKeyId, roleArn, externalId, apiKey } = options;
  return hash(
    "sha256",
    JSON.stringify([pathOf(name, options), baseUrl, accessKeyId?.reveal(), roleArn, externalId, apiKey?.reveal()]),
  );
};

/** The model behind a profile, as far as that is known; anything else is its own name. */
export const modelBehind = (name: string, options: Options): string =>
  (isProfile(name) && profiles.get(keyOf(name, options))?.model) || name;

/** Asks what model is behind a profile whose name does not say it. */
export function findModel(name: string, vendor: () => Vendor, options: Options): Promise<void> | undefined {
  if (!isProfile(name)) return undefined;
  const key = keyOf(name, options);
  return isFresh(key) ? undefined : found(key, pathOf(name, options), vendor);
}

const isFresh = (key: string): boolean => (profiles.get(key)?.until ?? 0) > Date.now();

/** One asks for all who want to know at once; where that one leaves before it was told, the next one asks. */
async function found(key: string, path: string, vendor: () => Vendor): Promise<void> {
  for (let other = underWay.get(key); other; other = underWay.get(key)) {
    await other;
    if (isFresh(key)) return;
  }
  const asking = lookUp(key, path, vendor()).finally(() => underWay.delete(key));
  underWay.set(key, asking);
  await asking;
}

/** What was known stays known where nobody says otherwise. */
async function lookUp(key: string, path: string, vendor: Vendor): Promise<void> {
  const before = profiles.get(key)?.model;
  try {
    keep(key, modelIn(await asked(vendor, { method: "GET", path })) ?? before, known);
  } catch (error) {
    if (!(error instanceof GatewayError && error.code === "client_gone")) keep(key, before, unknown);
  }
}

function keep(key: string, model: string | undefined, milliseconds: number): void {
  const until = Date.now() + (model ? milliseconds : unknown);
  profiles.set(key, model ? { model, until } : { until });
  if (profiles.size > mostKnown) profiles.shift();
}

/** All models of a profile are the same one, each in a region. */
function modelIn({ models }: Readonly<Record<string, unknown>>): string | undefined {
  const first: unknown = Array.isArray(models) ? models[0] : undefined;
  const arn = isRecord(first) ? first.modelArn : undefined;
  return typeof arn === "string" ? arn.slice(arn.lastIndexOf("/") + 1) || undefined : undefined;
}
