import { type Fields, isRecord } from "./records.ts";

/**
 * A vendor's list of models as OpenAI's clients read one (inference-api.md section 17). What the vendor says besides stays
 * where it is, and so does a list called `models` (Google, Cohere), whose own clients ask at the same path.
 */
export function modelList(wire: unknown, provider: string): unknown {
  const said = isRecord(wire) ? wire : {};
  const place = Object.keys(places).find((name) => Array.isArray(said[name]));
  const listed = Array.isArray(wire) ? wire : place && said[place];
  if (!Array.isArray(listed)) return wire;
  const { [place === "models" ? "data" : (place ?? "data")]: _, ...rest } = said;
  const key = place === undefined ? "id" : places[place as keyof typeof places];
  return { ...rest, object: "list", data: listed.map((one) => model(one, provider, key)), provider };
}

/** Where vendors list their models, and the field of a model by which it is asked for: AWS, Databricks and Cloudflare have their own. */
const places = { data: "id", models: "id", modelSummaries: "modelId", endpoints: "name", result: "name" } as const;

/** Where a list of models is asked for: not all vendors know theirs with a slash behind it. */
export const modelListUrl = (url: string): string => url.replace(/\/models\/(?=\?|$)/, "/models");

function model(one: unknown, provider: string, key: string): unknown {
  if (!isRecord(one)) return one;
  // Google says `models/NAME`, as in the paths of its API; Cohere has names and no ids.
  const id = one[key] ?? one.id ?? (typeof one.name === "string" ? one.name.replace(/^models\//, "") : undefined);
  if (id === undefined) return one;
  const owner = typeof one.owned_by === "string" ? one.owned_by : provider;
  return { ...one, id, object: "model", created: createdAt(one), owned_by: owner };
}

/** Databricks counts in milliseconds. */
const createdAt = ({ created, created_at: at, creation_timestamp: stamp }: Readonly<Fields>): number =>
  typeof stamp === "number" ? Math.floor(stamp / 1000) : seconds(created ?? at);

/** Instants are numbers or ISO texts; 0 where there is none. */
function seconds(instant: unknown): number {
  if (typeof instant === "number") return instant;
  const milliseconds = typeof instant === "string" ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}
