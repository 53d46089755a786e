import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Kernel } from "../../core/kernel.ts";
import { startFreeGateway, type TestGateway } from "../../test/support/gateway.ts";
import { openApiDocument } from "./document.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-openapi-"));
let gateway: TestGateway;
let kernel: Kernel;
beforeAll(async () => {
  const config = readFileSync(new URL("../../config/gateway.yaml", import.meta.url), "utf8");
  gateway = await startFreeGateway(config, { BOOTSTRAP_ADMIN_KEY: "the-first-key-of-a-test" }, folder);
  kernel = gateway.generation.kernel;
});
afterAll(async () => {
  await gateway.shutdown(0, 0);
  rmSync(folder, { recursive: true, force: true });
});

const calls = () =>
  Object.entries(openApiDocument(kernel.endpoints, kernel.aliases).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({ path, method, call })),
  );

it("has a sentence on every call of the default config", () => {
  for (const { path, method, call } of calls()) expect(call.summary, `${method} ${path}`).toMatch(/^[A-Z][^{]*\.$/);
});

/** Whose formats are told by whose name; OpenAI's are by none. */
const makers = { anthropic: "Anthropic's", gemini: "Gemini's", bedrock: "Bedrock's", cohere: "Cohere's" };

it("says of every call whose format it is in", () => {
  const described = calls();
  const served = kernel.endpoints.filter(({ format }) => format !== undefined);
  expect(served.length).toBeGreaterThan(20);
  for (const { method, path } of served) {
    const place = path.replace(/:(\w+)/g, "{$1}").replace(/\*$/, "{rest}");
    const { call } = described.find((one) => one.path === place && one.method === method.toLowerCase()) ?? {};
    const named = Object.values(makers).filter((maker) => call?.summary.includes(maker));
    const formats = served.filter((one) => one.path === path && one.method === method).map(({ format = "" }) => format);
    const own = Object.entries(makers).flatMap(([begin, maker]) =>
      formats.some((format) => format.startsWith(begin)) ? maker : [],
    );
    expect(named, `${method} ${path}: ${call?.summary}`).toEqual(own);
  }
});

it("says of a place that several calls share what each of them does", () => {
  const { paths } = openApiDocument(kernel.endpoints, kernel.aliases);
  expect(paths["/v1beta/{rest}"]?.post).toMatchObject({
    tags: ["gemini", "passthrough"],
    summary:
      "Answers, in Gemini's format. Makes vectors of texts, in Gemini's format. Counts tokens, in Gemini's format. " +
      "Any other call of a provider, passed through as it is.",
  });
  expect(paths["/v1/models"]?.get?.summary).toMatch(/^Lists [^.]*\.$/);
});

it("has the places behind a model's name, as they are without it", () => {
  const { paths, info } = openApiDocument(kernel.endpoints, kernel.aliases);
  const behind = Object.keys(paths).filter((path) => path.startsWith("/openai/deployments/{model}/"));
  expect(behind.map((path) => path.replace("openai/deployments/{model}", "v1"))).toEqual(
    expect.arrayContaining(["/v1/chat/completions", "/v1/embeddings", "/v1/images/edits", "/v1/audio/transcriptions"]),
  );
  expect(paths["/openai/deployments/{model}/audio/transcriptions"]?.post).toEqual({
    ...paths["/v1/audio/transcriptions"]?.post,
    operationId: "postOpenaiDeploymentsModelAudioTranscriptions",
    parameters: [{ name: "model", in: "path", required: true, schema: { type: "string" } }],
  });
  expect(info).toMatchObject({ description: expect.stringContaining("below /openai/, too") });
});
