import type { z } from "zod";
import type { ErrorDetail } from "../errors/error-detail.ts";
import type { Headers } from "../model/headers.ts";
import type { OperationSpec } from "../model/operation-spec.ts";
import type { OperationName } from "../model/operations.ts";
import type { ModelQuery, ProcedureTable, Vendor } from "../model/procedure.ts";
import type { RawAsked, SocketPath } from "../model/provider.ts";
import type { SignableCall, Transport } from "../model/transport.ts";
import type { VideoWire } from "../model/video-wire.ts";
import type { Secret } from "../secrets/secret.ts";

/** The options as a provider's functions see them. */
export interface CommonOptions {
  readonly apiKey?: Secret;
  /** Absent only where the provider makes it from its other options. */
  readonly baseUrl?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly forwardHeaders: readonly string[];
  readonly clocks: Readonly<Record<string, number>>;
}

type OptionsOf<Options extends z.ZodObject> = CommonOptions & z.output<Options>;

/** An operation: the name of a format when the vendor does nothing differently, else what it does differently. */
export type OperationInput = string | (Partial<OperationSpec> & Pick<OperationSpec, "format">);

/** What a vendor offers, in the order it is chosen from. */
export type OperationInputs = { readonly [Name in OperationName]?: OperationInput | readonly OperationInput[] };

export type HeaderFilters = Readonly<Record<string, (value: string) => string | undefined>>;

export type SocketPaths = Readonly<Record<string, SocketPath>>;

export interface ProviderInput<Options extends z.ZodObject> {
  /** The public name: lower case, digits, hyphens. */
  readonly name: string;
  /** One sentence for `sluice plugins`. */
  readonly summary: string;
  /**
   * Where the API is, with its version path; a function where other options are part of it. The option `baseUrl` wins.
   * Absent: every deployment names its own.
   */
  readonly baseUrl?: string | ((options: OptionsOf<Options>) => string);
  /** Options besides those every provider has (apiKey, baseUrl, headers, forwardHeaders, clocks); same names win. */
  readonly options?: Options;
  /** Options a caller may bring along: the option, and its `x-gateway-…` header without prefix. */
  readonly headerOptions?: { readonly [Option in keyof OptionsOf<Options>]?: string };
  /** More names options have in routing configs, besides the one of their header: `{ resource: ["resource_name"] }`. */
  readonly configFields?: { readonly [Option in keyof OptionsOf<Options>]?: readonly string[] };
  /** Fields of routing configs that say nothing which the credentials beside them do not say: known, and not looked at. */
  readonly impliedFields?: readonly string[];
  /** Names of options that only stored credentials may set, and never a caller: `{ authType: ["aws_auth_type"] }`. */
  readonly storedFields?: { readonly [Option in keyof OptionsOf<Options>]?: readonly string[] };
  /** Those of them that choose whose host is called: a stored credential never goes to another one. */
  readonly tenantOptions?: readonly string[];
  /**
   * Options that let credentials of the machine be used, and so stand for a secret: like secrets, those of the file are
   * kept from hosts and tenants that a caller chooses.
   */
  readonly machineOptions?: readonly string[];
  /**
   * Values of options that let credentials of the machine be used: an operator's word only. A caller who asks for one
   * that the operator did not choose is refused.
   */
  readonly machineValues?: { readonly [Option in keyof OptionsOf<Options>]?: readonly unknown[] };
  /**
   * Builds the credential headers; a function where they take time, asked before each call and never earlier. Default:
   * the API key as a bearer token. Undefined means something is missing.
   */
  readonly authenticate?: (options: OptionsOf<Options>) => Headers | (() => Promise<Headers>) | undefined;
  /** What is still missing before a call can be made, as it goes on after "needs": options that depend on others. */
  readonly lacks?: (options: OptionsOf<Options>) => string | undefined;
  /** The model behind a name it is asked for by, for vendors that know deployments: what is paid for is the model. */
  readonly modelBehind?: (name: string, options: OptionsOf<Options>) => string;
  /**
   * Asks the vendor what model is behind a name, before a request is written for it; from then on `modelBehind` says it.
   * Undefined where nobody has to be asked. Never rejects: what cannot be found out is not known.
   */
  readonly findModel?: (name: string, vendor: () => Vendor, options: OptionsOf<Options>) => Promise<void> | undefined;
  /** Why none of the formats of an operation serves a model, as it goes on after a colon. */
  readonly whyNot?: (operation: OperationName, model: string) => string | undefined;
  /** The vendor serves without a credential. */
  readonly anonymous?: boolean;
  /** Client headers the vendor understands, copied when present. Lower case. */
  readonly forwards?: readonly string[];
  /**
   * What the vendor is told of a header, whoever set it; undefined leaves it out. Lower case. Not for raw calls. A function where
   * options decide.
   */
  readonly headerFilters?: HeaderFilters | ((options: OptionsOf<Options>) => HeaderFilters);
  /** What is offered and how; a function where options decide. */
  readonly operations: OperationInputs | ((options: OptionsOf<Options>) => OperationInputs);
  /** The same for lines of batches, of operations that the vendor takes differently there. */
  readonly batchOperations?: OperationInputs | ((options: OptionsOf<Options>) => OperationInputs);
  /**
   * How files, batches and fine-tuning are done, where it is not how the vendor of the client's API does it. Whoever says
   * something here says all there is: what is left out is refused.
   */
  readonly procedures?: ProcedureTable | ((options: OptionsOf<Options>) => ProcedureTable | undefined);
  /** Where the vendor has websockets, by the type of the endpoint: `{ realtime: "/realtime" }`. */
  readonly sockets?: SocketPaths | ((options: OptionsOf<Options>) => SocketPaths);
  readonly sign?: (call: SignableCall, options: OptionsOf<Options>) => Headers | Promise<Headers>;
  /** How calls leave when it is not by HTTP. */
  readonly transport?: (options: OptionsOf<Options>) => Transport;
  /** Reads the vendor's error body when it is not the format's. */
  readonly readError?: (
    status: number,
    wire: unknown,
    headers?: Readonly<Record<string, string | string[] | undefined>>,
  ) => ErrorDetail | undefined;
  /** Rewrites the path of raw calls; with the origin in front for what is not below the base URL. `asked` is what a client sent. */
  readonly proxyPath?: (path: string, options: OptionsOf<Options>, asked?: RawAsked) => string;
  /**
   * Asks for the list of models where the vendor gives it in pages: all of it, in the vendor's own words. `query` is what the client
   * asks with. Absent: the client's call goes on as it came.
   */
  readonly listModels?: (
    query: ModelQuery,
    vendor: Vendor,
    options: OptionsOf<Options>,
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** What its answers say they cost (`chargedIn` of their `usage`) is what it charges: prices of one's own go before it, and no others. */
  readonly statesCost?: true;
  /** How it begins videos and tells of them, where that is not as OpenAI does: raw calls for them are billed by it. */
  readonly videos?: VideoWire;
  /** Service tiers, as answers are read to have been served in (`Usage.serviceTier`), that are paid for as a whole: calls cost nothing. */
  readonly paidTiers?: (options: OptionsOf<Options>) => readonly string[];
  /** Everything passes untouched: bodies, parameters, client headers. */
  readonly raw?: boolean;
}

export interface ProviderDefinition extends Omit<ProviderInput<z.ZodObject>, "options"> {
  readonly kind: "provider";
  /** The whole options schema, the common ones included. */
  readonly options: z.ZodObject;
}
