import { z } from "zod";
import { secret } from "../secrets/secret.ts";

/**
 * The options every plugin has that keeps something in MongoDB; `collections` is what it calls them there, `timeout` the
 * milliseconds a call may take unless told otherwise.
 */
export const mongoOptions = (collections: string, timeout: number) => ({
  url: secret()
    .refine((url) => /^mongodb(\+srv)?:\/\/./.test(url.reveal()), {
      error: "must begin with mongodb:// or mongodb+srv://",
    })
    .describe("The connection string, with user, password and everything else the driver understands."),
  database: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,63}$/)
    .default("sluice")
    .describe(`The database; its collections are called ${collections}.`),
  timeout: z
    .int()
    .min(1)
    .default(timeout)
    .describe("Milliseconds a call may take; after that the server counts as away."),
  waitAtStart: z
    .int()
    .min(0)
    .default(10_000)
    .describe("Milliseconds the start waits for the server before it fails. 0 starts without waiting for one."),
});
