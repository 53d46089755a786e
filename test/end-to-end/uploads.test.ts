import { describe, expect, it } from "vitest";
import { startTestGateway } from "../support/gateway.ts";
import { call } from "../support/raw-call.ts";
import { json, startUpstream } from "../support/upstream.ts";

const boundary = "x-boundary";
const form = `--${boundary}\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nassistants\r\n--${boundary}--\r\n`;

/** A gateway before two vendors, of whom the first has trouble. */
async function start(status: number, server: object = {}) {
  const upstream = await startUpstream(({ url }, response) => {
    const down = url.startsWith("/alpha");
    json(response, down ? status : 200, { from: down ? "alpha" : "beta" });
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      server,
      plugins: { "auth-open": {}, routing: {}, "strategy-fallback": {}, retry: {}, proxy: {} },
      providers: Object.fromEntries(
        ["alpha", "beta"].map((slug) => [
          slug,
          { use: "openai", apiKey: `${slug}-key-012345`, baseUrl: `${upstream.url}/${slug}` },
        ]),
      ),
    }),
  );
  async function upload(config: object, headers: Record<string, string> = {}) {
    const answered = await call(
      `${gateway.url}/v1/files`,
      {
        method: "POST",
        headers: {
          "content-type": `multipart/form-data; boundary=${boundary}`,
          "x-gateway-config": JSON.stringify(config),
          ...headers,
        },
      },
      form,
    );
    return { status: answered.status, text: answered.body.toString() };
  }
  return { upload, upstream };
}

const both = { strategy: { mode: "fallback" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };

describe("an upload", () => {
  it("goes on to the next target whole", async () => {
    const { upload, upstream } = await start(503);
    expect(await upload(both)).toMatchObject({ status: 200, text: '{"from":"beta"}' });
    expect(upstream.received.map(({ url, body }) => [url, `${body}`])).toEqual([
      ["/alpha/files", form],
      ["/beta/files", form],
    ]);
  });

  it("is sent again by a retry", async () => {
    const { upload, upstream } = await start(429);
    const config = {
      provider: "@alpha",
      retry: { attempts: 1, use_retry_after_headers: true, on_status_codes: [429] },
    };
    expect(await upload(config)).toMatchObject({ status: 429 });
    expect(upstream.received.map(({ body }) => `${body}`)).toEqual([form, form]);
  });

  it("too large to be kept goes to its first target only, whose answer counts", async () => {
    const { upload, upstream } = await start(503, { limits: { jsonBodyBytes: 10 } });
    expect(await upload(both)).toMatchObject({ status: 503, text: '{"from":"alpha"}' });
    expect(upstream.received).toHaveLength(1);
  });
});
