import type { Asked, Fields } from "./trees.ts";

/** Whether a condition holds of a request, below a node that says `metadata` (routing-config.md section 7.5). */
export function isMet(query: Fields, metadata: Fields | undefined, asked: Asked): boolean {
  const said = saidOf(metadata, asked);
  return Object.entries(query).every(([at, wanted]) => holds(valueAt(at, said, asked), wanted));
}

/** The metadata of a request below a node that says some itself. */
export const saidOf = (metadata: Fields | undefined, { headers, body }: Asked): Fields => ({
  ...metadata,
  ...(typeof body.user === "string" && { _user: body.user }),
  ...JSON.parse(headers["x-gateway-metadata"] ?? "{}"),
});

export const valueAt = (at: string, metadata: Fields, { body, path = "/v1/chat/completions" }: Asked): unknown => {
  const [root, key = ""] = at.split(".");
  if (root === "metadata") return metadata[key];
  return root === "params" ? body[key] : path.replace(/\?.*/, "");
};

type Operators = { $gt?: number; $in?: readonly unknown[]; $ne?: unknown; $regex?: string };

function holds(value: unknown, wanted: unknown): boolean {
  if (value === undefined) return false;
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  const { $gt, $in, $ne, $regex } = wanted as Operators;
  if ($gt !== undefined) return Number.parseFloat(String(value)) > $gt;
  if ($in) return $in.includes(value);
  if ($ne !== undefined) return value !== $ne;
  return new RegExp($regex ?? "").test(String(value));
}
