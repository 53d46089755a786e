import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";

/** Videos by their names, as they are told by now. */
const videos: Record<string, object> = {};

function vendor(method: string, url: string, body: string, response: ServerResponse): void {
  const [, kind = "", id = "", rest] = url.replace(/^\/v1/, "").split("?")[0]?.split("/") ?? [];
  response.setHeader("content-type", "application/json");
  if (kind !== "videos") return void response.writeHead(404).end("{}");
  if (rest === "content") {
    response.setHeader("content-type", "video/mp4");
    return void response.end(Buffer.alloc(1000, 1));
  }
  if (method === "GET") return void response.end(JSON.stringify(videos[id]));
  if (id === "generations") return void response.end(JSON.stringify({ request_id: "elsewhere" }));
  const { name, ...asked } = JSON.parse(body);
  const made = { id: name, object: "video", status: "queued", ...asked };
  videos[name] = made;
  response.end(JSON.stringify(made));
}

let server: Server;
let recording: Recording;

beforeAll(async () => {
  server = createServer((incoming, response) => {
    let body = "";
    incoming.on("data", (piece: Buffer) => {
      body += piece;
    });
    incoming.on("end", () => vendor(incoming.method ?? "", incoming.url ?? "", body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  recording = await startRecording(
    {},
    {
      plugins: {
        "format-openai-files": {},
        pricing: {
          models: {
            "@own/by-second": { videoSecond: 0.1 },
            "@own/by-size": { videoSecond: { "720x1280": 0.3, "1024x1792": 0.5 } },
            "@own/by-video": { video: 0.25 },
            "@own/by-token": { input: 1, output: 2 },
          },
        },
      },
      providers: {
        own: { use: "openai", apiKey: "own-key-0123", baseUrl },
        router: { use: "openrouter", apiKey: "router-key-0123", baseUrl },
      },
    },
  );
});

afterAll(async () => {
  await recording.stop();
  server.closeAllConnections();
  server.close();
});

let traces = 0;
async function rowOf(method: string, path: string, body: object | null = null, provider = "@own") {
  const trace = `trace-${traces++}`;
  const headers = { "x-gateway-provider": provider, "x-gateway-trace-id": trace };
  await recording.ask(body, { path, method, headers });
  const [row] = await recording.trace(trace, 1);
  return row;
}

const begin = (video: object, path = "/v1/videos", provider = "@own") => rowOf("POST", path, video, provider);
const read = (name: string, provider = "@own") => rowOf("GET", `/v1/videos/${name}`, null, provider);
const completed = (name: string, more: object = {}) => {
  videos[name] = { ...videos[name], status: "completed", ...more };
};
const nothing = { cost: 0, total_units: null };

describe("a video", () => {
  it.each([
    ["by the second", "by-second", { seconds: "8", size: "720x1280" }, 80],
    ["by the second of its size", "by-size", { seconds: "4", size: "1024x1792" }, 200],
    ["as such", "by-video", { seconds: "8" }, 25],
    ["as unknown, where its size has no price", "by-size", { seconds: "4", size: "1280x720" }, null],
    ["as unknown, where there are prices of tokens only", "by-token", { seconds: "4" }, null],
    ["as unknown, where nobody knows its model", "nobodys", { seconds: "4" }, null],
  ])("is billed %s, once, when it is told to be completed", async (how, model, more, cost) => {
    const name = `video_${how.replaceAll(/\W/g, "_")}`;
    expect(await begin({ name, model, ...more })).toMatchObject(nothing);
    expect(await read(name)).toMatchObject(nothing);
    completed(name);
    expect(await read(name)).toMatchObject({ cost, ai_model: model });
    expect(await read(name)).toMatchObject(nothing);
    expect(await rowOf("GET", `/v1/videos/${name}/content`)).toMatchObject(nothing);
  });

  it("is billed when what was made is given, by what it was to be", async () => {
    await begin({ name: "video_given", model: "by-second", seconds: "8" });
    expect(await rowOf("GET", "/v1/videos/video_given/content")).toMatchObject({ cost: 80 });
    completed("video_given");
    expect(await read("video_given")).toMatchObject(nothing);
  });

  it("that is asked for below the proxy, or made of another one, is billed as well", async () => {
    await begin({ name: "video_raw", model: "by-second", seconds: "8" }, "/v1/proxy/videos");
    completed("video_raw");
    expect(await rowOf("GET", "/v1/proxy/videos/video_raw")).toMatchObject({ cost: 80 });
    expect(
      await begin({ name: "video_again", model: "by-second", seconds: "8" }, "/v1/videos/video_raw/remix"),
    ).toMatchObject(nothing);
    completed("video_again");
    expect(await read("video_again")).toMatchObject({ cost: 80 });
  });

  it("that fails costs nothing", async () => {
    await begin({ name: "video_failed", model: "by-second", seconds: "8" });
    videos.video_failed = { ...videos.video_failed, status: "failed" };
    expect(await read("video_failed")).toMatchObject(nothing);
  });

  it("that is made longer costs nobody knows what, and is not billed for all it is then", async () => {
    const longer = { name: "video_longer", model: "by-second", seconds: "16" };
    expect(await begin(longer, "/v1/videos/extensions")).toMatchObject({ cost: null });
    completed("video_longer");
    expect(await read("video_longer")).toMatchObject(nothing);
  });

  it("costs what its vendor says it charged, where its word counts", async () => {
    await begin({ name: "job-1", object: "job", polling_url: "/api/v1/videos/job-1" }, "/v1/videos", "@router");
    completed("job-1", { usage: { cost: 0.5 } });
    expect(await read("job-1", "@router")).toMatchObject({ cost: 50, cost_source: "provider" });
  });

  it("of a vendor that tells of it in words nobody here knows stays unknown where it is begun", async () => {
    expect(await begin({ prompt: "tea" }, "/v1/videos/generations")).toMatchObject({ cost: null });
  });
});
