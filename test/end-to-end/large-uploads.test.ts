import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { asking } from "../support/procedures.ts";
import { startUpstream } from "../support/upstream.ts";

const megabyte = 1024 * 1024;
const boundary = "x-boundary";

/** A vendor that reads an upload only when it is told to. */
async function startReader() {
  let arrived: (incoming: IncomingMessage) => void;
  const arrival = new Promise<IncomingMessage>((resolve) => {
    arrived = resolve;
  });
  const server = createServer((incoming, response) => {
    arrived(incoming);
    incoming.on("end", () => response.end('{"id":"file-1","object":"file"}'));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrival };
}

const vertex = {
  use: "vertex-ai",
  apiKey: "token-0123",
  projectId: "p",
  region: "us-central1",
  storageBucketName: "bucket-1",
  fileModel: "gemini-2.5-flash",
  fileName: "in.jsonl",
};

/** An upload whose file is written a line at a time. */
async function startUpload(options: object, url: string) {
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: { default: "own" },
        "format-openai-chat": {},
        "format-anthropic-messages": {},
        "format-gemini": {},
        "format-openai-files": {},
      },
      providers: { own: { baseUrl: url, ...options, ...("storageUrl" in options && { storageUrl: url }) } },
    }),
  );
  const outgoing = request(`${gateway.url}/v1/files`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, "transfer-encoding": "chunked" },
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  answered.catch(() => undefined);
  outgoing.write(
    `--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nbatch\r\n` +
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="in.jsonl"\r\n\r\n`,
  );
  const content = "x".repeat(megabyte / 4);
  return {
    /** Writes a line of a quarter of a megabyte; false where nobody takes it any more. */
    line: (number: number) =>
      outgoing.write(`${JSON.stringify(asking(`r-${number}`, { messages: [{ role: "user", content }] }))}\n`),
    drained: () => once(outgoing, "drain"),
    /** What has left for the gateway. */
    sent: () => outgoing.socket?.bytesWritten ?? 0,
    leave: () => outgoing.destroy(),
    async end() {
      outgoing.end(`\r\n--${boundary}--\r\n`);
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    },
  };
}

/** Lets everything happen that can happen without this side doing anything. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1, still = 0; still < 50; ) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = value();
    still = now === last ? still + 1 : 0;
    last = now;
  }
  return value();
}

const bedrock = {
  use: "bedrock",
  region: "eu-west-1",
  accessKeyId: "AKIDFILE",
  secretAccessKey: "secret-of-the-file",
  s3Bucket: "bucket-1",
  s3ObjectKey: "in.jsonl",
  fileModel: "anthropic.claude-sonnet-4-5-20250929-v1:0",
  storageUrl: true,
};

/** A bucket that takes uploads in parts, and tells of each call. */
async function startBucket() {
  const calls: string[] = [];
  const waiting = new Map<string, () => void>();
  const upstream = await startUpstream(({ method, url, body }, response) => {
    const call = `${method} ${url.split("?")[1]}`;
    calls.push(`${call} ${body.length}`);
    waiting.get(call)?.();
    response.writeHead(200, { etag: '"tag"' });
    response.end(method === "POST" && url.endsWith("uploads=") ? "<x><UploadId>u</UploadId></x>" : "<x/>");
  });
  const seen = (call: string) =>
    new Promise<void>((resolve) => {
      if (calls.some((one) => one.startsWith(`${call} `))) resolve();
      waiting.set(call, resolve);
    });
  return { url: upstream.url, calls, seen };
}

const inOne = { use: "openai", apiKey: "key-0123456789" };

describe.each([
  ["as it is", inOne],
  ["rewritten line by line", { ...vertex, storageUrl: true }],
])("an upload that goes on %s", (_, options) => {
  it("reaches the vendor before the client has sent all of it", async () => {
    const { url, arrival } = await startReader();
    const upload = await startUpload(options, url);
    upload.line(1);
    upload.line(2);
    const incoming = await arrival;
    const [first] = (await once(incoming, "data")) as [Buffer];
    expect(first.length).toBeGreaterThan(0);
    incoming.resume();
    expect(await upload.end()).toBe(200);
  });

  it("waits for a vendor that does not keep up, and is all there in the end", async () => {
    const { url, arrival } = await startReader();
    const upload = await startUpload(options, url);
    const total = 160;
    let number = 0;
    const writing = (async () => {
      while (number < total) if (!upload.line(++number)) await upload.drained();
    })();
    const incoming = await arrival;
    // Nobody reads: what is on its way is what sockets and streams hold, however much there is to come.
    expect(await settled(upload.sent)).toBeLessThan(20 * megabyte);
    let received = 0;
    let lines = 0;
    incoming.on("data", (bytes: Buffer) => {
      received += bytes.length;
      for (const byte of bytes) if (byte === 0x0a) lines++;
    });
    await writing;
    expect(await upload.end()).toBe(200);
    expect(lines).toBeGreaterThanOrEqual(total);
    expect(received).toBeGreaterThan(total * (megabyte / 4));
  });
});

describe("an upload that goes on in parts", () => {
  const part = 8 * megabyte;

  it("has its first part at the vendor before the client has sent all of it, and holds one at a time", async () => {
    const { url, calls, seen } = await startBucket();
    const upload = await startUpload(bedrock, url);
    const write = async (count: number) => {
      for (let at = 1; at <= count; at++) if (!upload.line(at)) await upload.drained();
    };
    await write(40);
    await seen("PUT partNumber=1&uploadId=u");
    expect(calls.map((call) => call.replace(/ \d+$/, ""))).toEqual(["POST uploads=", "PUT partNumber=1&uploadId=u"]);
    await write(40);
    expect(await upload.end()).toBe(200);
    const sizes = calls.filter((call) => call.startsWith("PUT")).map((call) => Number(call.split(" ")[2]));
    expect(sizes).toHaveLength(3);
    for (const size of sizes.slice(0, -1)) {
      expect(size).toBeGreaterThanOrEqual(part);
      expect(size).toBeLessThan(part + megabyte);
    }
    expect(calls.at(-1)).toMatch(/^POST uploadId=u /);
  });

  it("is cleared away where the client leaves in the middle of it", async () => {
    const { url, calls, seen } = await startBucket();
    const upload = await startUpload(bedrock, url);
    for (let at = 1; at <= 40; at++) if (!upload.line(at)) await upload.drained();
    await seen("PUT partNumber=1&uploadId=u");
    upload.leave();
    await seen("DELETE uploadId=u");
    expect(calls.some((call) => call.startsWith("POST uploadId"))).toBe(false);
  });
});
