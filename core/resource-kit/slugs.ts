import { randomBytes } from "node:crypto";
import { z } from "zod";

/** How the slugs of a resource begin, and how many characters of the name they keep (control-plane.md section 1.2). */
export interface SlugRule {
  readonly prefix?: string;
  readonly length: number;
}

/** A slug a caller chooses. */
export const givenSlug = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[a-zA-Z0-9_-]+$/, "may hold letters, digits, _ and - only");

/** A slug made of a name: `pc-night-0c7d52`. */
export function slugOf(name: string, { prefix = "", length }: SlugRule): string {
  const base = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, length)
    .replace(/-+$/, "");
  return `${prefix}${base || "item"}-${randomBytes(3).toString("hex")}`;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a reference is an id; any other is a slug. */
export const isId = (ref: string): boolean => uuid.test(ref);
