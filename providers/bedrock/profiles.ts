import { AgedMap, isRecord, type Vendor } from "../../core/provider-kit/index.ts";
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

/** By where it was asked: a host of a caller's own knows its own models. */
const profiles = new AgedMap<string, Found>();
const underWay = new Map<string, Promise<void>>();

const isProfile = (name: string): boolean =>
  /^arn:aws[a-z-]*:bedrock:[a-z0-9-]+:\d{12}:(?:application-)?inference-profile\/[A-Za-z0-9.:-]+$/.test(name) &&
  familyOf(name) === undefined;

const placeOf = (name: string, options: Options): string =>
  `${options.baseUrl ?? ""} ${control(options, `/inference-profiles/${encodeURIComponent(name)}`)}`;

/** The model behind a profile, as far as that is known; anything else is its own name. */
export const modelBehind = (name: string, options: Options): string =>
  (isProfile(name) && profiles.get(placeOf(name, options))?.model) || name;

/** Asks what model is behind a profile whose name does not say it. */
export function findModel(name: string, vendor: () => Vendor, options: Options): Promise<void> | undefined {
  if (!isProfile(name)) return undefined;
  const place = placeOf(name, options);
  if ((profiles.get(place)?.until ?? 0) > Date.now()) return undefined;
  const asking = underWay.get(place) ?? lookUp(name, vendor(), options, place).finally(() => underWay.delete(place));
  underWay.set(place, asking);
  return asking;
}

async function lookUp(name: string, vendor: Vendor, options: Options, place: string): Promise<void> {
  const path = control(options, `/inference-profiles/${encodeURIComponent(name)}`);
  const model = await asked(vendor, { method: "GET", path }).then(modelIn, () => undefined);
  profiles.set(place, { ...(model && { model }), until: Date.now() + (model ? known : unknown) });
  if (profiles.size > mostKnown) profiles.shift();
}

/** All models of a profile are the same one, each in a region. */
function modelIn({ models }: Readonly<Record<string, unknown>>): string | undefined {
  const first: unknown = Array.isArray(models) ? models[0] : undefined;
  const arn = isRecord(first) ? first.modelArn : undefined;
  return typeof arn === "string" ? arn.slice(arn.lastIndexOf("/") + 1) || undefined : undefined;
}
