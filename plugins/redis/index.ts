import { resolve } from "node:path";
import { definePlugin, Redis, secret, z } from "../../core/index.ts";
import { openClient, RedisConnection } from "./connection.ts";

const milliseconds = z.int().min(1);

const tls = z.strictObject({
  ca: z.string().optional().describe("A PEM file with the authorities to trust, instead of those of the system."),
  cert: z.string().optional().describe("A PEM file with the certificate this gateway shows."),
  key: z.string().optional().describe("A PEM file with its private key."),
  servername: z.string().optional().describe("The name the server's certificate is for, where the url has another."),
});

const options = z.strictObject({
  url: secret()
    .refine((url) => /^rediss?:\/\/./.test(url.reveal()), { error: "must begin with redis:// or rediss://" })
    .prefault("redis://127.0.0.1:6379")
    .describe("Where it is, with user, password and database: rediss://user:password@host:6380/0. rediss is with TLS."),
  keyPrefix: z.string().default("sluice:").describe("What all keys and channels of this deployment begin with."),
  commandTimeout: milliseconds.default(500).describe("Milliseconds a command may take."),
  connectTimeout: milliseconds.default(5000).describe("Milliseconds a connection may take."),
  tls: tls.optional().describe("TLS beyond what rediss:// asks for. Paths are relative to the config file."),
});

export default definePlugin({
  name: "redis",
  summary: "The connection to Redis that other plugins share. The gateway starts and runs without it.",
  options,
  provides: [Redis],
  async setup({ provide, onReady, onClose, log, folder }, { url, keyPrefix, commandTimeout, connectTimeout, tls }) {
    const files = tls && { ...tls, ...pathsOf(tls, folder) };
    const client = await openClient({ url: url.reveal(), commandTimeout, connectTimeout, tls: files });
    const connection = new RedisConnection(client, { keyPrefix, commandTimeout, log });
    onClose(() => connection.close());
    provide(Redis, connection);
    // The first requests are to be counted where all others are.
    onReady(() => connection.open());
  },
});

const pathsOf = (tls: Readonly<Record<string, string | undefined>>, folder: string) =>
  Object.fromEntries(
    ["ca", "cert", "key"].flatMap((name) => (tls[name] === undefined ? [] : [[name, resolve(folder, tls[name])]])),
  );
