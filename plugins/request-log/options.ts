import { z } from "../../core/index.ts";

const milliseconds = z.int().min(1);
const bytes = z.int().min(1);

/** A list, or the text of one as environment variables have it: `a, b`. */
const headerNames = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(","))])
  .transform((names) => names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ""));

export const captureMode = z.enum(["full", "metrics_only"]);

export const requestLogOptions = z.strictObject({
  capture: captureMode
    .default("full")
    .describe(
      "Whether requests and answers are kept with their content, or only what became of them. Organisations may want less.",
    ),
  enforceCapture: z
    .boolean()
    .default(false)
    .describe("Whether that is final; otherwise clients may ask for less with `x-gateway-debug: false`."),
  bodyBytes: bytes
    .max(1_500_000)
    .default(1_000_000)
    .describe("Bytes of a body that are kept; a larger one is cut and marked."),
  sensitiveHeaders: headerNames
    .default([])
    .describe("Headers of which only a digest is kept, besides those that are always masked."),
  headersToMetadata: headerNames
    .default([])
    .describe("Client headers that become metadata of records, unless a request says that itself."),
  batchRows: z.int().min(1).max(10_000).default(3_000).describe("Records that are written together at most."),
  batchMilliseconds: milliseconds.default(3_000).describe("Milliseconds a record waits to be written with others."),
  batchBytes: bytes.default(8_000_000).describe("Bytes of content that are written together, if there are so many."),
  queueRows: z.int().min(1).default(100_000).describe("Records that wait in memory while the store is away."),
  queueBytes: bytes
    .default(64_000_000)
    .describe("Bytes they may take. The oldest lose their content first, and are lost themselves after that."),
  failureThreshold: z.int().min(1).default(5).describe("Failures in a row after which the store is left alone."),
  backoff: milliseconds.default(60_000).describe("Milliseconds it is left alone before it is tried again."),
  timeout: milliseconds.default(15_000).describe("Milliseconds a batch may take; after that it has failed."),
  closeTimeout: z.int().min(0).default(5_000).describe("Milliseconds the end of the process waits for what is left."),
});

export type RequestLogOptions = z.output<typeof requestLogOptions>;
