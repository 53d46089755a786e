import { type CommonOptions, type Secret, secret, z } from "../../core/provider-kit/index.ts";

const word = (what: string) => z.string().regex(/^[A-Za-z0-9._:-]+$/, { error: what });

export const options = z.strictObject({
  region: word("a region, as in us-chicago-1").describe("The region; part of the host."),
  authType: z
    .enum(["signature", "apiKey"])
    .default("signature")
    .describe(
      "Whether calls are signed with the key below, or apiKey, a key of Generative AI, is shown to what speaks as OpenAI does.",
    ),
  project: word("an OCID")
    .exactOptional()
    .describe("The OCID of a project, which responses belong to that a key asks for."),
  tenancy: word("an OCID").exactOptional().describe("The OCID of the tenancy whose key signs."),
  user: word("an OCID").exactOptional().describe("The OCID of the user whose key signs."),
  fingerprint: word("a fingerprint, as in 12:34:56:…").exactOptional().describe("The fingerprint of that key."),
  privateKey: secret().exactOptional().describe("The key that signs, in PEM."),
  keyPassphrase: secret().exactOptional().describe("What opens that key, where it is locked."),
  compartmentId: word("an OCID").exactOptional().describe("The OCID of the compartment that is billed."),
  servingMode: z
    .enum(["ON_DEMAND", "DEDICATED"])
    .default("ON_DEMAND")
    .describe("Whether models are shared, or on a cluster of one's own: its endpoint's OCID is the model then."),
  apiVersion: word("a version, as in 20231130")
    .default("20231130")
    .describe("The version of the API; part of the path."),
});

export type OracleOptions = CommonOptions & z.output<typeof options>;

export const headerOptions = {
  region: "oracle-region",
  authType: "oracle-auth-type",
  project: "oracle-project",
  tenancy: "oracle-tenancy",
  user: "oracle-user",
  fingerprint: "oracle-fingerprint",
  privateKey: "oracle-private-key",
  keyPassphrase: "oracle-key-passphrase",
  compartmentId: "oracle-compartment-id",
  servingMode: "oracle-serving-mode",
  apiVersion: "oracle-api-version",
} as const;

/** A key of the service, for calls that are not signed. */
export const keyOf = ({ apiKey, authType }: Pick<OracleOptions, "apiKey" | "authType">): Secret | undefined =>
  authType === "apiKey" ? apiKey : undefined;

/** What every signed call needs. */
const needed = ["tenancy", "user", "fingerprint", "privateKey", "compartmentId"] as const;

export function lacksIn(options: OracleOptions): string | undefined {
  if (options.authType === "apiKey") return undefined;
  const missing = needed.filter((name) => options[name] === undefined);
  return missing.length > 0 ? `${missing.join(", ")} (or the authType apiKey, for a key of Generative AI)` : undefined;
}
