import { z } from "../../core/index.ts";

/** Headers of clients that no check is ever given (guardrails.md section 8). */
const neverForwarded: ReadonlySet<string> = new Set([
  ...["authorization", "x-api-key", "api-key", "x-goog-api-key", "ocp-apim-subscription-key", "proxy-authorization"],
  "cookie",
  ...["metadata", "metadata-flavor", "x-aws-ec2-metadata-token", "x-aws-ec2-metadata-token-ttl-seconds"],
  ...["x-google-metadata-request", "connection", "keep-alive", "host", "transfer-encoding", "te", "trailer"],
  ...["upgrade", "content-length", "proxy-connection"],
]);
const traceHeaders: ReadonlySet<string> = new Set(["x-gateway-trace-id", "x-gateway-span-id"]);

const forwardHeaders = z.array(
  z
    .string()
    .regex(/^[a-z0-9-]+$/, "holds lower-case letters, digits and hyphens")
    .refine(
      (name) => !neverForwarded.has(name) && (!name.startsWith("x-gateway-") || traceHeaders.has(name)),
      "is never forwarded to a check",
    ),
);

/** How much of a stream is held back so that a check can look at it: up to one of these. */
const hold = z.strictObject({
  characters: z.int().min(1).optional().describe("So many characters."),
  sentences: z.int().min(1).optional().describe("So many sentences."),
  milliseconds: z.int().min(1).optional().describe("What came within so many milliseconds."),
});

/** What every check takes, besides its own. */
export const commonParameters = z.looseObject({
  failOnError: z
    .boolean()
    .optional()
    .describe("Whether an error of the check counts as a failure; it passes otherwise."),
  soft_deny_200: z.boolean().optional().describe("Whether a denial is an answer with status 200."),
  forwardHeaders: forwardHeaders.optional().describe("Client headers a check that asks elsewhere passes on."),
  timeout: z.number().positive().optional().describe("Milliseconds whoever is asked may take."),
  hold: hold.optional().describe("In streams: the most that is held back until the check has judged it."),
});
