import { type IncomingHttpHeaders, type RequestOptions, request } from "node:http";
import { configFor, gatewayKey, secrets } from "./deployment.ts";
import { startTestGateway } from "./gateway.ts";
import { type Answering, startUpstream } from "./upstream.ts";

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Calls without a client library, which would decode and add things of its own. Rejects when the answer is cut. */
export function call(url: string, options: RequestOptions = {}, body?: Buffer | string): Promise<Answered> {
  const headers = { "x-gateway-provider": "@openai", authorization: `Bearer ${gatewayKey}`, ...options.headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { ...options, headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (bytes: Buffer) => pieces.push(bytes));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }),
      );
      response.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** A vendor, and a gateway before it that passes raw calls on. */
export async function startRaw(answer: Answering = (_, response) => response.end("{}"), more = "") {
  const upstream = await startUpstream(answer);
  const gateway = await startTestGateway(configFor(upstream.url) + more, secrets);
  return { upstream, gateway, url: gateway.url };
}
