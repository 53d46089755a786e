import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { addressRules } from "../../core/http/upstream/address-rules.ts";
import { outbound } from "../../core/http/upstream/outbound.ts";
import { undiciTransport } from "../../core/http/upstream/undici-transport.ts";
import { Records, type RecordsService, Sealing, type SealingService } from "../../core/index.ts";
import { startKernel } from "../../core/kernel.ts";
import { providerRegistry } from "../../core/provider-kit/registry.ts";
import { keepingLogger } from "../../test/support/gateway.ts";
import recordsFile from "../records-file/index.ts";
import encryption from "./index.ts";

export interface Deployment {
  readonly sealing: SealingService & Required<Pick<SealingService, "rotate">>;
  readonly records: RecordsService;
  readonly folder: string;
  readonly log: readonly { readonly level: string; readonly message: string; readonly fields: object }[];
}

/** A kernel with records and encryption in a folder, which several may share; `file` are options of that of the records. */
export async function deployment(
  options: object = {},
  folder = temporaryFolder(),
  file: object = {},
): Promise<Deployment> {
  const log = keepingLogger();
  const given = [
    { plugin: recordsFile, options: { pollInterval: 20, ...file } },
    { plugin: encryption, options },
  ];
  const rules = addressRules({ trustedHosts: [], ownHosts: [] });
  const transport = undiciTransport({ connectionsPerHost: 2, connectTimeout: 1_000, rules });
  onTestFinished(() => transport.close());
  const kernel = await startKernel({
    ask: outbound(transport, rules, log),
    plugins: given.map((one) => ({
      name: one.plugin.name,
      plugin: one.plugin,
      options: one.plugin.options.parse(one.options),
    })),
    log,
    folder,
    server: { host: "127.0.0.1", port: 1 },
    hookDeadline: 1_000,
    providers: (formats) =>
      providerRegistry({
        configured: [],
        formats,
        builtIn: new Set(),
        load: () => Promise.reject(new Error("there are no providers")),
        rules,
        log,
        headerPrefixes: ["x-gateway-"],
      }),
  });
  onTestFinished(() => kernel.close());
  const sealing = kernel.offered(Sealing);
  const records = kernel.offered(Records);
  if (!sealing?.rotate || !records) throw new Error("nobody encrypts");
  return { sealing: sealing as Deployment["sealing"], records, folder, log: log.lines };
}

/** What a stand-in of KMS was asked. */
export interface KmsCall {
  readonly action: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "a-secret-access-key" };

/** Signature Version 4 of a POST to `/`, computed once more from what arrived. */
function isSigned(headers: KmsCall["headers"], body: Buffer): boolean {
  const [, scope = "", names = "", signature] =
    /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(String(headers.authorization)) ?? [];
  const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const canonical = names.split(";").map((name) => `${name}:${String(headers[name])}\n`);
  const request = ["POST", "/", "", canonical.join(""), names, sha256(body)].join("\n");
  const text = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(request)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  return signature === createHmac("sha256", key).update(text).digest("hex");
}

/** A stand-in of AWS KMS, which believes one caller's signature only: what it encrypts, it gives back for the same key and context only. */
export async function startKms(): Promise<{ url: string; calls: KmsCall[]; down: boolean }> {
  const state = { url: "", calls: [] as KmsCall[], down: false };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (bytes: Buffer) => pieces.push(bytes));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, string>;
      const action = String(request.headers["x-amz-target"]).replace("TrentService.", "");
      state.calls.push({ action, body, headers: request.headers });
      const answer = (status: number, json: object) => {
        response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(json));
      };
      if (!isSigned(request.headers, Buffer.concat(pieces))) return answer(403, { __type: "SignatureDoesNotMatch" });
      if (state.down) return answer(503, { __type: "ServiceUnavailable", message: "down" });
      const context = JSON.stringify([body.KeyId, body.EncryptionContext]);
      const mark = (plain: string) => createHmac("sha256", context).update(plain).digest("hex");
      const blob = (plain: string) => Buffer.from(JSON.stringify({ plain, mark: mark(plain) })).toString("base64");
      if (action === "GenerateDataKey") {
        const Plaintext = Buffer.from(`${state.calls.length}`.padStart(32, "k")).toString("base64");
        return answer(200, { KeyId: body.KeyId, Plaintext, CiphertextBlob: blob(Plaintext) });
      }
      if (action === "Encrypt") return answer(200, { CiphertextBlob: blob(String(body.Plaintext)) });
      const read = JSON.parse(Buffer.from(String(body.CiphertextBlob), "base64").toString());
      if (read.mark !== mark(read.plain)) return answer(400, { __type: "InvalidCiphertextException" });
      return answer(200, { KeyId: body.KeyId, Plaintext: read.plain });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}
