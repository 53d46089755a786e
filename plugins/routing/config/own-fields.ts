import { type Clocks, type ConfigField, headerName, Secret, statusCodes, z } from "../../../core/index.ts";

const text = z.string().min(1);

const dropPath = text.regex(/^[^.[\]]+(?:\.[^.[\]]+|\[(?:\d+|\*)\])*$/, {
  error: "must be a path such as logprobs or tools[*].function.strict",
});

const nameOfHeader = text
  .regex(headerName, { error: "must be the name of a header" })
  .transform((name) => name.toLowerCase());

const forwardedHeader = z.union([
  nameOfHeader.transform((name) => ({ from: name, to: name })),
  z.strictObject({ from: nameOfHeader, to: nameOfHeader }),
]);

const credential = z.union([
  text.transform((value) => new Secret(value)),
  z.custom<Secret>((value) => value instanceof Secret, { error: "must be text" }),
]);

const label = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const own = (name: string, schema: z.ZodType, inherit: ConfigField["inherit"] = "none"): ConfigField => ({
  name,
  schema,
  inherit,
});

const milliseconds = z.int().positive().exactOptional();

/** The clocks of a call, in milliseconds (DESIGN section 4). */
const timeouts = z
  .strictObject({
    connect: milliseconds,
    headers: milliseconds,
    first_token: milliseconds,
    idle: milliseconds,
    total: milliseconds,
  })
  .transform(({ first_token, ...others }) => ({
    ...others,
    ...(first_token !== undefined && { firstToken: first_token }),
  }));

/** What the routing plugin itself understands of a node, besides `strategy` and `targets` (routing-config.md section 2). */
export const ownFields: readonly ConfigField[] = [
  own("name", text),
  own("weight", z.number().min(0)),
  own("provider", text),
  own("virtual_key", text),
  own("api_key", credential),
  own("passthrough", z.boolean()),
  own("on_status_codes", statusCodes),
  own("custom_host", text, "nearest"),
  own("forward_headers", z.array(forwardedHeader), "nearest"),
  own("request_timeout", z.int().positive(), "nearest"),
  own("timeouts", timeouts, "merge"),
  own("strict_open_ai_compliance", z.boolean(), "nearest"),
  { ...own("override_params", z.record(z.string(), z.unknown()), "merge"), opaque: true },
  { ...own("default_params", z.record(z.string(), z.unknown()), "merge"), opaque: true },
  { ...own("drop_params", z.array(dropPath), "join"), opaque: true },
  { ...own("metadata", z.record(z.string(), label), "merge"), opaque: true },
  // Once a field of the reference, without an effect: accepted so that old configs stay valid.
  own("allow_subdomain", z.unknown()),
];

/** The fields above as a node that has them all would hold them. */
export interface OwnFields {
  readonly provider?: string;
  readonly virtual_key?: string;
  readonly api_key?: Secret;
  readonly passthrough?: boolean;
  readonly custom_host?: string;
  readonly forward_headers?: readonly { readonly from: string; readonly to: string }[];
  readonly request_timeout?: number;
  readonly timeouts?: Clocks;
  readonly strict_open_ai_compliance?: boolean;
  readonly override_params?: Readonly<Record<string, unknown>>;
  readonly default_params?: Readonly<Record<string, unknown>>;
  readonly drop_params?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
}
