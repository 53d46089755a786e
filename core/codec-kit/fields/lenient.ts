import { z } from "zod";
import { leaves } from "./fits.ts";

/** Text in an answer. Some vendors write a number there; anything else says nothing, and spoils no answer. */
export const lenientText = leaves(
  z
    .unknown()
    .transform((value) => (typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined))
    .optional(),
  (value) => value === undefined || typeof value === "string",
);

/** A number in an answer, which some vendors write as text. */
export const lenientNumber = leaves(
  z
    .unknown()
    .transform((value) => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) ? number : undefined;
    })
    .optional(),
  (value) => value === undefined || Number.isFinite(value),
);

/** Text in an answer where a number would mean nothing. */
export const lenientWord = leaves(
  z
    .unknown()
    .transform((value) => (typeof value === "string" ? value : undefined))
    .optional(),
  (value) => value === undefined || typeof value === "string",
);
