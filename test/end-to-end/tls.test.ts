import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { request } from "node:https";
import { connect as connectPlainly } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { authority, certified, client } from "../support/certificates.ts";
import { folderOfFile } from "../support/folder-of-file.ts";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { startUpstream } from "../support/upstream.ts";

const trusted = readFileSync(authority, "utf8");
const folder = folderOfFile();

beforeEach(() => {
  writeFileSync(join(folder, "server.key"), certified.key);
  writeFileSync(join(folder, "server.pem"), certified.cert);
  writeFileSync(join(folder, "client.pem"), client.cert);
  writeFileSync(join(folder, "client.key"), client.key);
  writeFileSync(join(folder, "empty.pem"), "");
  writeFileSync(join(folder, "broken.key"), certified.key.replaceAll("M", "N"));
  writeFileSync(join(folder, "cut.pem"), certified.cert + trusted.slice(0, 200));
  const pkcs8 = { type: "pkcs8", format: "pem" } as const;
  writeFileSync(join(folder, "other.key"), generateKeyPairSync("ed25519").privateKey.export(pkcs8));
  const locked = { ...pkcs8, cipher: "aes-256-cbc", passphrase: "open sesame" };
  writeFileSync(join(folder, "encrypted.key"), createPrivateKey(certified.key).export(locked));
});

const config = (tls: object) =>
  JSON.stringify({
    server: { tls },
    plugins: { "auth-open": {}, routing: { default: "simulator" }, "format-openai-chat": {} },
    providers: { simulator: {} },
  });
const configFor = (baseUrl: string) =>
  JSON.stringify({
    server: { tls: { key: "server.key", certificate: "server.pem" } },
    plugins: { "auth-open": {}, routing: { default: "local" }, "format-openai-chat": {} },
    providers: { local: { use: "openai", baseUrl, apiKey: "none" } },
  });
const started = (tls: object = { key: "server.key", certificate: "server.pem" }) =>
  startTestGateway(config(tls), {}, folder);

const post = ({ port }: TestGateway, options: object) =>
  request({
    host: "127.0.0.1",
    port,
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "content-type": "application/json" },
    agent: false,
    ...options,
  });

const fingerprintOf = (pem: string) => new X509Certificate(pem).fingerprint256;

/** The certificate that whoever connects now gets to see. */
async function shownBy({ port }: TestGateway): Promise<string | undefined> {
  const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const shown = socket.getPeerX509Certificate()?.fingerprint256;
  socket.destroy();
  return shown;
}

function ask({ port }: TestGateway, options: object, body?: object): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        host: "127.0.0.1",
        port,
        path: body ? "/v1/chat/completions" : "/v1/health",
        method: body ? "POST" : "GET",
        headers: { "content-type": "application/json" },
        agent: false,
        ...options,
      },
      async (response) => {
        let text = "";
        for await (const piece of response) text += piece;
        resolve({ status: response.statusCode ?? 0, text });
      },
    );
    asking.on("error", reject);
    asking.end(body && JSON.stringify(body));
  });
}

describe("a gateway with a certificate", () => {
  it("serves HTTPS: whole answers and streams", async () => {
    const gateway = await started();
    const asked = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
    const trusting = { ca: trusted };
    expect(await ask(gateway, trusting)).toMatchObject({ status: 200 });
    expect((await ask(gateway, trusting, asked)).text).toContain("Simulated answer");
    expect((await ask(gateway, trusting, { ...asked, stream: true })).text).toMatch(/data: \[DONE\]\n\n$/);
    await expect(ask(gateway, { ca: [] })).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${gateway.port}/v1/health`)).rejects.toThrow();
  });

  it("speaks no TLS older than 1.2", async () => {
    const { port } = await started();
    const old = connect({
      host: "127.0.0.1",
      port,
      rejectUnauthorized: false,
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
    });
    await expect(
      new Promise((resolve, reject) => old.on("secureConnect", resolve).on("error", reject)),
    ).rejects.toThrow();
  });

  it("asks clients for theirs, where it knows who signs them", async () => {
    const gateway = await started({ key: "server.key", certificate: "server.pem", clientAuthorities: "client.pem" });
    await expect(ask(gateway, { rejectUnauthorized: false })).rejects.toThrow();
    expect(await ask(gateway, { ...client, rejectUnauthorized: false })).toMatchObject({ status: 200 });
    await expect(ask(gateway, { ...certified, rejectUnauthorized: false })).rejects.toThrow();
    const failed = gateway.log.lines.filter(({ message }) => message === "a TLS handshake failed");
    expect(failed.map(({ level, fields }) => [level, (fields as { reason?: string }).reason])).toEqual([
      ["debug", "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE"],
      ["debug", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ]);
  });

  it("finishes what runs when it stops, and reads renewed files at a reload", async () => {
    const gateway = await started();
    expect(await gateway.reload()).toBe(true);
    expect(await ask(gateway, { ca: trusted })).toMatchObject({ status: 200 });
    writeFileSync(join(folder, "server.pem"), "nothing");
    expect(await gateway.reload()).toBe(false);
    expect(await ask(gateway, { ca: trusted })).toMatchObject({ status: 200 });
    await gateway.shutdown(0, 1_000);
    await expect(ask(gateway, { ca: trusted })).rejects.toThrow();
  });

  it("shows a renewed certificate to whoever connects, and goes on with the streams that run", async () => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream((_, response) => {
      held.push(response.writeHead(200, { "content-type": "text/event-stream" }));
      response.write('data: {"choices":[{"index":0,"delta":{"content":"one"}}]}\n\n');
    });
    const gateway = await startTestGateway(configFor(upstream.url), {}, folder);
    const asked = { model: "demo", stream: true, messages: [{ role: "user", content: "Hello" }] };
    const asking = post(gateway, { ca: trusted });
    asking.end(JSON.stringify(asked));
    const [stream] = (await once(asking, "response")) as [IncomingMessage];
    let text = String((await once(stream, "data"))[0]);
    stream.on("data", (bytes) => {
      text += bytes;
    });
    writeFileSync(join(folder, "server.pem"), client.cert);
    expect(await gateway.reload()).toBe(false);
    expect(gateway.log.lines.at(-1)?.message).toMatch(/the old one stays.*\n.*server\.tls: the key is not that of/);
    expect(await shownBy(gateway)).toBe(fingerprintOf(certified.cert));
    writeFileSync(join(folder, "server.key"), client.key);
    expect(await gateway.reload()).toBe(true);
    expect(await shownBy(gateway)).toBe(fingerprintOf(client.cert));
    held[0]?.end('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    await once(stream, "end");
    expect(text).toMatch(/one.*data: \[DONE\]\n\n$/s);
  });

  it("asks whoever connects for a certificate from the reload on that says so, and no more from the one that does not", async () => {
    const gateway = await started();
    const open = { rejectUnauthorized: false };
    gateway.write(config({ key: "server.key", certificate: "server.pem", clientAuthorities: "client.pem" }));
    expect(await gateway.reload()).toBe(true);
    await expect(ask(gateway, open)).rejects.toThrow();
    expect(await ask(gateway, { ...client, ...open })).toMatchObject({ status: 200 });
    gateway.write(config({ key: "server.key", certificate: "server.pem" }));
    expect(await gateway.reload()).toBe(true);
    expect(await ask(gateway, open)).toMatchObject({ status: 200 });
  });

  it("waits for nobody who has connected and not yet shaken hands when it stops", async () => {
    const gateway = await started();
    const silent = connectPlainly(gateway.port, "127.0.0.1");
    await once(silent, "connect");
    expect(await ask(gateway, { ca: trusted })).toMatchObject({ status: 200 });
    const left = once(silent, "close");
    await gateway.shutdown(0, 1_000);
    await left;
  });

  it("says of a certificate that it is out of date, or not yet good", async () => {
    onTestFinished(() => void vi.useRealTimers());
    const gateway = await started();
    const warned = () => gateway.log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2200-01-01") });
    expect(await gateway.reload()).toBe(true);
    expect(warned()).toEqual([
      expect.stringMatching(/^server\.tls\.certificate: certificate 1 expired on Oct 29 .* 2126/),
    ]);
    vi.setSystemTime(Date.parse("2020-01-01"));
    expect(await gateway.reload()).toBe(true);
    expect(warned()[1]).toMatch(/certificate 1 is not valid before Nov 22 .* 2026/);
  });

  it.each<[string, object, RegExp]>([
    [
      "a key without a certificate",
      { key: "server.key" },
      /server\.tls: needs key and certificate; certificate is missing/,
    ],
    [
      "a file that is not there",
      { key: "none.key", certificate: "server.pem" },
      /tls\.key: .*cannot be read \(ENOENT\)/,
    ],
    [
      "a key that is none",
      { key: "server.pem", certificate: "server.pem" },
      /server\.tls\.key: names a file that holds no private key; give the path/,
    ],
    [
      "an empty key",
      { key: "empty.pem", certificate: "server.pem" },
      /server\.tls\.key: names a file that holds no private key/,
    ],
    [
      "a key that cannot be read",
      { key: "broken.key", certificate: "server.pem" },
      /server\.tls\.key: names a file that holds a private key that cannot be read; give the path/,
    ],
    [
      "an empty certificate",
      { key: "server.key", certificate: "empty.pem" },
      /server\.tls\.certificate: names a file that holds no certificate/,
    ],
    [
      "a chain that is cut short",
      { key: "server.key", certificate: "cut.pem" },
      /server\.tls\.certificate: .* something else than a certificate at place 2/,
    ],
    [
      "the key of another certificate",
      { key: "client.key", certificate: "server.pem" },
      /server\.tls: the key is not that of the certificate/,
    ],
    [
      "the key of another certificate, of another kind",
      { key: "other.key", certificate: "server.pem" },
      /server\.tls: the key is not that of the certificate/,
    ],
    [
      "a key that has a passphrase",
      { key: "encrypted.key", certificate: "server.pem" },
      /server\.tls\.key: names a file that holds a key with a passphrase, .* decrypt it with "openssl pkey"/,
    ],
    [
      "authorities of clients that are none",
      { key: "server.key", certificate: "server.pem", clientAuthorities: "empty.pem" },
      /server\.tls\.clientAuthorities: names a file that holds no certificate/,
    ],
    ["authorities alone", { clientAuthorities: "client.pem" }, /needs key and certificate/],
  ])("does not start with %s", async (_, tls, message) => {
    await expect(started(tls)).rejects.toThrow(message);
  });
});
