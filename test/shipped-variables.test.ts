import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { environmentOf, moduleLoader, parseConfig } from "../core/config/index.ts";

const file = new URL("../config/gateway.yaml", import.meta.url).pathname;

const serverWith = async (variables: Record<string, string>) =>
  (await parseConfig(await readFile(file, "utf8"), file, moduleLoader(), environmentOf(variables))).server;

it("what `npm start` runs listens to the variables of the server (operations.md section 3.2)", async () => {
  const server = await serverWith({
    PORT: "9000",
    REQUEST_TIMEOUT: "1000",
    CUSTOM_HOST_MAX_RESPONSE_BYTES: "0",
    CUSTOM_HEADERS_TO_IGNORE: "X-Internal, x-team",
    CORS_ALLOWED_ORIGINS: "https://a.example,https://b.example",
    CORS_ALLOWED_METHODS: "get,post",
    CORS_ALLOWED_EXPOSE_HEADERS: "x-request-id",
  });
  expect(server).toMatchObject({
    port: 9000,
    clocks: { total: 1000 },
    limits: { upstreamBodyBytes: 0 },
    headers: { ignored: ["x-internal", "x-team"] },
    cors: {
      origins: ["https://a.example", "https://b.example"],
      methods: ["GET", "POST"],
      headers: ["*"],
      exposedHeaders: ["x-request-id"],
    },
  });
});

it("and has its defaults without them", async () => {
  const { clocks, limits, headers, cors } = await serverWith({});
  expect([clocks.total, limits.upstreamBodyBytes, headers.ignored, cors.origins]).toEqual([
    300_000,
    104_857_600,
    [],
    [],
  ]);
});
