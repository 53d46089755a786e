import { z } from "zod";
import type { ProxySettings } from "../model/proxy.ts";
import type { TlsSettings } from "../model/tls.ts";
import { secret } from "../secrets/secret.ts";
import { isAddressRange } from "../server/client-address.ts";

const milliseconds = () => z.int().nonnegative();
const bytes = () => z.int().positive();
const headerName = /^[a-z0-9]+(-[a-z0-9]+)*-$/;
const headerPrefix = () => z.string().regex(headerName, 'must be lower case and end with "-", as in "x-gateway-"');

const headers = z.strictObject({
  prefix: headerPrefix().default("x-gateway-").describe("What the names of the gateway's own headers begin with."),
  aliases: z.array(headerPrefix()).default([]).describe("Other prefixes that requests may use instead."),
  ignored: z
    .array(z.string().min(1).toLowerCase())
    .default([])
    .describe("Client headers that raw calls never pass on, besides those that never are."),
});

const limits = z.strictObject({
  jsonBodyBytes: bytes().default(52_428_800).describe("Largest JSON body of a request."),
  uploadBodyBytes: bytes().default(536_870_912).describe("Largest multipart or audio body of a request."),
  headerBytes: bytes().default(65_536).describe("Largest header section of a request."),
  upstreamBodyBytes: z
    .int()
    .nonnegative()
    .default(104_857_600)
    .describe(
      "Largest answer, whole or streamed, accepted from a host a caller chose; those of raw calls pass as they come. 0 is " +
        "no limit.",
    ),
});

/** `Clocks` of the model, and the one clock that watches the client. */
const clocks = z.strictObject({
  connect: milliseconds().default(10_000).describe("Until an upstream connection is there, in milliseconds."),
  headers: milliseconds()
    .exactOptional()
    .describe("From the connection until the upstream's status line, in milliseconds; unset is no such limit."),
  firstToken: milliseconds()
    .exactOptional()
    .describe("From the start of an attempt until a stream's first frame, in milliseconds; unset is no such limit."),
  idle: milliseconds().default(300_000).describe("Between two pieces of an answer, in milliseconds."),
  total: milliseconds()
    .default(300_000)
    .describe(
      "The whole attempt, in milliseconds; of a stream, until its first frame. Also a call of the management API.",
    ),
  body: milliseconds().default(60_000).describe("Reading the body of a client's request, in milliseconds."),
});

const shutdown = z.strictObject({
  notReady: milliseconds()
    .default(5_000)
    .describe("How long readiness says no before the gateway stops accepting, in milliseconds."),
  grace: milliseconds().default(25_000).describe("How long running requests may take to finish, in milliseconds."),
});

const log = z.strictObject({
  level: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])
    .default("info")
    .describe("The least severe line the process log gets."),
});

const cors = z.strictObject({
  origins: z
    .array(z.string().min(1))
    .default([])
    .describe('Origins of pages that may call from a browser, as in "https://app.example"; "*" is all of them.'),
  methods: z
    .array(z.string().min(1).toUpperCase())
    .default(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    .describe("What they may ask with."),
  headers: z.array(z.string().min(1)).default(["*"]).describe('Headers they may send; "*" is whichever they ask for.'),
  exposedHeaders: z
    .array(z.string().min(1))
    .exactOptional()
    .describe(
      "Headers of answers they may read. Unset: the gateway's own trace-id, cache-status, retry-attempt-count, " +
        "last-used-option-index and provider.",
    ),
});

const tls = z.strictObject({
  key: secret().exactOptional().describe("The private key: a PEM file, relative to the config file, or its text."),
  certificate: z.string().min(1).exactOptional().describe("The certificate, with those between it and its authority."),
  clientAuthorities: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Authorities of clients' certificates, which every connection then has to show."),
});

const proxy = z.strictObject({
  https: secret()
    .exactOptional()
    .describe(
      "The proxy that https and wss targets are reached through, as http://USER:PASSWORD@HOST:PORT. Unset: the " +
        "environment variable HTTPS_PROXY.",
    ),
  http: secret()
    .exactOptional()
    .describe("The same for http and ws targets. Unset: the environment variable HTTP_PROXY."),
  except: z
    .array(z.string().min(1))
    .exactOptional()
    .describe(
      "Hosts that are called without a proxy, with their subdomains: names, addresses, either with a port, ranges of " +
        "addresses, or * for all. This machine is one only where it is listed. Unset: the environment variable NO_PROXY.",
    ),
});

export const serverSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("The address to listen on."),
  port: z.int().min(0).max(65_535).default(8787).describe("The port to listen on; 0 takes any free one."),
  workers: z
    .union([z.int().min(1), z.literal("auto")])
    .default(1)
    .describe('How many processes serve; "auto" is one per core.'),
  headers: headers.prefault({}).describe("The gateway's own headers."),
  limits: limits.prefault({}).describe("Sizes beyond which a request or an answer is refused."),
  clocks: clocks.prefault({}).describe("How long anything may take."),
  keepAliveComments: milliseconds()
    .default(15_000)
    .describe(
      "Silence after which a stream gets a comment, or what its format has in place of one, in milliseconds; 0 is never.",
    ),
  keepAliveTimeout: milliseconds()
    .default(65_000)
    .describe("How long an idle client connection stays open, in milliseconds."),
  hookDeadline: z
    .int()
    .positive()
    .default(30_000)
    .describe("How long a plugin's tap may take, or an answer of a plugin's own, in milliseconds."),
  shutdown: shutdown.prefault({}).describe("How the gateway stops."),
  connectionsPerHost: z
    .int()
    .positive()
    .default(10_000)
    .describe(
      "Most connections to one upstream host, of each worker. A stream has one to itself as long as it lasts; calls beyond " +
        "them wait for one until `clocks.connect` is over.",
    ),
  upstreamIdleTimeout: z
    .int()
    .positive()
    .default(4_000)
    .describe(
      "How long an idle connection to a provider stays open where that does not say it itself (`keep-alive: timeout`), in " +
        "milliseconds. It has to be shorter than the provider's own time, which is five seconds with many servers of models: " +
        "what is sent just as they close is lost.",
    ),
  trustedHosts: z
    .array(z.string().min(1))
    .exactOptional()
    .describe(
      "Private hosts callers may name, with their subdomains. Unset: the environment variable TRUSTED_CUSTOM_HOSTS, " +
        "or else this machine, and in production none.",
    ),
  trustedProxies: z
    .array(z.string().refine(isAddressRange, "must be an address, or a range of them as in 10.0.0.0/8"))
    .default([])
    .describe(
      "Proxies in front of the gateway whose `x-forwarded-*` headers are believed: addresses and ranges of them.",
    ),
  tls: tls
    .prefault({})
    .describe(
      "Serves HTTPS instead of HTTP, from TLS 1.2 on, where key and certificate are there. Renewed by a reload.",
    ),
  cors: cors.prefault({}).describe("Pages of other origins that may call from a browser."),
  proxy: proxy.prefault({}).describe("The proxies that calls leave through."),
  trustedAuthorities: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "A PEM file with certificate authorities that are believed besides the usual ones, relative to the config file. " +
        "Unset: the environment variable TLS_CA.",
    ),
  log: log.prefault({}).describe("The process log."),
});

/** The `server` section, every default filled in. */
export type ServerSettings = Omit<
  z.output<typeof serverSchema>,
  "workers" | "trustedHosts" | "proxy" | "trustedAuthorities" | "tls"
> & {
  /** `auto` resolved. */
  readonly workers: number;
  /** Host names and addresses in lower case, nothing else. */
  readonly trustedHosts: readonly string[];
  /** Undefined where it serves plain HTTP. */
  readonly tls: TlsSettings | undefined;
  /** Undefined where calls leave directly. */
  readonly proxy: ProxySettings | undefined;
  /** Certificates in PEM, besides the usual ones. */
  readonly trustedAuthorities: readonly string[];
};
