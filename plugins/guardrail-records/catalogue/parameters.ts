import { z } from "../../../core/index.ts";

/** A check, by what it takes (guardrails.md sections 11 to 13). Defaults are those of whoever runs it. */
export interface CheckEntry {
  readonly id: string;
  /** Other spellings of its id. */
  readonly aliases?: readonly string[];
  /** What its parameters have to look like; those nobody knows are kept. */
  readonly parameters: z.ZodType<Readonly<Record<string, unknown>>>;
  /** Parameters that are called: their addresses are held to the rules. */
  readonly urls?: readonly string[];
}

type Shape = Readonly<Record<string, z.ZodType>>;

export const flag = z.boolean().optional();
export const count = z.number().optional();
export const whole = z.int().optional();
export const text = z.string().optional();
export const words = z.array(z.string()).optional();
export const map = z.record(z.string(), z.unknown()).optional();
export const milliseconds = z.number().positive().optional();
export const share = z.number().min(0).max(1).optional();
export const url = z.url({ protocol: /^https?$/ });
export const needed = z.string().min(1);
export const neededWords = z.array(z.string()).min(1);
export const oneOf = <const Words extends readonly [string, ...string[]]>(...all: Words) => z.enum(all);
export const someOf = <const Words extends readonly [string, ...string[]]>(...all: Words) => z.array(z.enum(all));

/** Which of several have to hold. */
export const operator = oneOf("any", "all", "none").optional();

/** A list, or the same with commas. */
export const listed = z.union([z.string(), z.array(z.string())]).optional();

/** Headers as a map, or as the JSON of one. */
export const headers = z
  .union([
    z.record(z.string(), z.string()),
    z.string().transform((json, context) => {
      try {
        return z.record(z.string(), z.string()).parse(JSON.parse(json === "" ? "{}" : json));
      } catch {
        context.addIssue({ code: "custom", message: "must be a map of texts, or the JSON of one" });
        return z.NEVER;
      }
    }),
  ])
  .optional();

/** A regular expression, bare or as `/pattern/flags`. */
export const pattern = needed.refine((rule) => {
  const [, body = rule, flags = ""] = /^\/(.+)\/([dgimsuy]*)$/s.exec(rule) ?? [];
  try {
    new RegExp(body, flags);
    return true;
  } catch {
    return false;
  }
}, "is not a regular expression");

/** Headers of clients that no check is ever given (guardrails.md section 8). */
const neverForwarded: ReadonlySet<string> = new Set([
  ...["authorization", "x-api-key", "ocp-apim-subscription-key", "proxy-authorization", "cookie"],
  ...["metadata", "metadata-flavor", "x-aws-ec2-metadata-token", "x-aws-ec2-metadata-token-ttl-seconds"],
  ...["x-google-metadata-request", "connection", "keep-alive", "host", "transfer-encoding", "te", "trailer"],
  ...["upgrade", "content-length", "proxy-connection"],
]);
const traceHeaders: ReadonlySet<string> = new Set(["x-gateway-trace-id", "x-gateway-span-id"]);

const forwardHeaders = z
  .array(
    z
      .string()
      .regex(/^[a-z0-9-]+$/, "holds lower-case letters, digits and hyphens")
      .refine(
        (name) => !neverForwarded.has(name) && (!name.startsWith("x-gateway-") || traceHeaders.has(name)),
        "is never forwarded to a check",
      ),
  )
  .optional();

/** What every check takes. */
const common = { failOnError: flag, soft_deny_200: flag, forwardHeaders, timeout: milliseconds };

export const check = (id: string, shape: Shape, more: Omit<CheckEntry, "id" | "parameters"> = {}): CheckEntry => ({
  id,
  parameters: z.looseObject({ ...common, ...shape }),
  ...more,
});
