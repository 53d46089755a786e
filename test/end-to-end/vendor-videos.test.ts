import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Recording, startRecording } from "../../plugins/request-log/testing.ts";

/** What a vendor answers, by method and the end of the path. */
let answers: Readonly<Record<string, object>> = {};
let server: Server;
let recording: Recording;

const priced = { videoSecond: 0.1 };
const key = { apiKey: "own-key-0123" };

beforeAll(async () => {
  server = createServer((incoming, response) => {
    incoming.resume().on("end", () => {
      const { method, url = "" } = incoming;
      const [, found = {}] = Object.entries(answers).find(([end]) => `${method} ${url}`.endsWith(end)) ?? [];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(found));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const one = (use: string, more: object = {}) => ({ use, ...key, baseUrl, ...more });
  recording = await startRecording(
    {},
    {
      plugins: {
        pricing: {
          models: {
            "byteplus/seedance": { output: 10 },
            "x-ai/by-second": priced,
            "openai/by-call": { request: 0.3 },
            ...Object.fromEntries(
              [
                "google/veo",
                "vertex-ai/veo",
                "dashscope/wan",
                "minimax/hailuo",
                "siliconflow/wan",
                "zhipu/cogvideo",
              ].map((name) => [name, priced]),
            ),
            "google/veo-by-size": { videoSecond: { "1920x1080": 0.2, "1080x1920": 0.3 } },
          },
        },
      },
      providers: {
        grok: one("x-ai"),
        other: one("openai"),
        google: one("google"),
        vertex: one("vertex-ai", { projectId: "p", region: "global" }),
        ark: one("byteplus"),
        qwen: one("dashscope"),
        hailuo: one("minimax"),
        flow: one("siliconflow"),
        glm: one("zhipu"),
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
async function rowOf(provider: string, place: string, body: object | null = null, config?: object) {
  const [method = "", path = ""] = place.split(" ");
  const trace = `trace-${traces++}`;
  const headers = { "x-gateway-trace-id": trace, ...(!config && { "x-gateway-provider": `@${provider}` }) };
  const asked = config ? { config: { provider: `@${provider}`, ...config } } : {};
  await recording.ask(body, { path: `/v1/proxy${path}`, method, headers, ...asked });
  const [row] = await recording.trace(trace, 1);
  return row;
}

interface Made {
  readonly provider: string;
  readonly begin: string;
  readonly asked: object;
  readonly begun: object;
  readonly tell: string;
  readonly telling?: object;
  readonly waiting: object;
  readonly done: object;
  readonly row: object;
}

const veo = "/v1beta/models/veo";
const name = "models/veo/operations/op1";
const samples = [{ video: { uri: "https://a/b" } }, { video: { uri: "https://a/c" } }];
const made: Readonly<Record<string, Made>> = {
  "xAI's by what it charged": {
    provider: "grok",
    begin: "POST /v1/videos/generations",
    asked: { model: "grok-imagine-video", prompt: "Tea." },
    begun: { request_id: "r1" },
    tell: "GET /v1/videos/r1",
    waiting: { status: "pending" },
    done: {
      status: "done",
      model: "grok-imagine-video",
      video: { url: "https://a/b", duration: 8 },
      usage: { cost_in_usd_ticks: 4_000_000_000 },
    },
    row: { cost: 40, cost_source: "provider", ai_model: "grok-imagine-video" },
  },
  "xAI's by the second, where that has a price of one's own": {
    provider: "grok",
    begin: "POST /v1/videos/edits",
    asked: { model: "by-second", prompt: "Tea." },
    begun: { request_id: "r2" },
    tell: "GET /v1/videos/r2",
    waiting: { status: "pending" },
    done: { status: "done", model: "by-second", video: { duration: 5 }, usage: { cost_in_usd_ticks: 1 } },
    row: { cost: 50, cost_source: "config" },
  },
  "Veo's at Google, as long as was asked for": {
    provider: "google",
    begin: `POST ${veo}:predictLongRunning`,
    asked: { instances: [{ prompt: "Tea." }], parameters: { durationSeconds: "6", sampleCount: 2 } },
    begun: { name },
    tell: `GET /v1beta/${name}`,
    waiting: { name },
    done: { name, done: true, response: { generateVideoResponse: { generatedSamples: samples } } },
    row: { cost: 120, ai_model: "veo" },
  },
  "Veo's by the size that was asked for, and 8 seconds long": {
    provider: "google",
    begin: `POST ${veo}-by-size:predictLongRunning`,
    asked: { instances: [{ prompt: "Tea." }], parameters: { resolution: "1080p", aspectRatio: "9:16" } },
    begun: { name: "models/veo/operations/op2" },
    tell: "GET /v1beta/models/veo/operations/op2",
    waiting: { name: "models/veo/operations/op2" },
    done: {
      name: "models/veo/operations/op2",
      done: true,
      response: { generateVideoResponse: { generatedSamples: samples.slice(1) } },
    },
    row: { cost: 240, ai_model: "veo-by-size" },
  },
  "Veo's at Vertex AI": {
    provider: "vertex",
    begin: "POST /v1/projects/p/locations/global/publishers/google/models/veo:predictLongRunning",
    asked: { instances: [{ prompt: "Tea." }], parameters: {} },
    begun: { name: "projects/p/operations/op3" },
    tell: "POST /v1/projects/p/locations/global/publishers/google/models/veo:fetchPredictOperation",
    telling: { operationName: "projects/p/operations/op3" },
    waiting: { name: "projects/p/operations/op3" },
    done: { name: "projects/p/operations/op3", done: true, response: { videos: [{ gcsUri: "gs://a/b" }] } },
    row: { cost: 80, ai_model: "veo" },
  },
  "BytePlus' by the token": {
    provider: "ark",
    begin: "POST /contents/generations/tasks",
    asked: { model: "seedance", content: [{ type: "text", text: "Tea." }] },
    begun: { id: "cgt-1" },
    tell: "GET /contents/generations/tasks/cgt-1",
    waiting: { id: "cgt-1", model: "seedance", status: "running" },
    done: {
      ...{ id: "cgt-1", model: "seedance", status: "succeeded", duration: 5, resolution: "720p" },
      ...{ content: { video_url: "https://a/b" }, usage: { completion_tokens: 100_000, total_tokens: 100_000 } },
    },
    row: { cost: 100, res_units: 100_000, ai_model: "seedance" },
  },
  "DashScope's by the second": {
    provider: "qwen",
    begin: "POST /api/v1/services/aigc/video-generation/video-synthesis",
    asked: { model: "wan", input: { prompt: "Tea." } },
    begun: { output: { task_id: "t1", task_status: "PENDING" }, request_id: "x" },
    tell: "GET /api/v1/tasks/t1",
    waiting: { output: { task_id: "t1", task_status: "RUNNING" } },
    done: {
      output: { task_id: "t1", task_status: "SUCCEEDED", video_url: "https://a/b" },
      usage: { duration: 15, input_video_duration: 5, output_video_duration: 10, video_count: 1, SR: 720 },
    },
    row: { cost: 150, ai_model: "wan" },
  },
  "DashScope's of people that move, which say how long they are alone": {
    provider: "qwen",
    begin: "POST /api/v1/services/aigc/image2video/video-synthesis",
    asked: { model: "wan", input: { image_url: "https://a/b", video_url: "https://a/c" } },
    begun: { output: { task_id: "t7", task_status: "PENDING" }, request_id: "x" },
    tell: "GET /api/v1/tasks/t7",
    waiting: { output: { task_id: "t7", task_status: "RUNNING" } },
    done: {
      output: { task_id: "t7", task_status: "SUCCEEDED", results: { video_url: "https://a/b" } },
      usage: { video_duration: 5.2, video_ratio: "standard" },
    },
    row: { cost: 52, ai_model: "wan" },
  },
  "MiniMax' as long as was asked for": {
    provider: "hailuo",
    begin: "POST /video_generation",
    asked: { model: "hailuo", prompt: "Tea.", duration: 10 },
    begun: { task_id: "106", base_resp: { status_code: 0 } },
    tell: "GET /query/video_generation?task_id=106",
    waiting: { task_id: "106", status: "Processing" },
    done: { task_id: "106", status: "Success", file_id: "7", video_width: 1920, video_height: 1080 },
    row: { cost: 100, ai_model: "hailuo" },
  },
  "MiniMax' of the newer version": {
    provider: "hailuo",
    begin: "POST /v2/video_generation",
    asked: { model: "hailuo", duration: 10 },
    begun: { task_id: "107" },
    tell: "GET /v2/query/video_generation/107",
    waiting: { task: { id: "107", status: "running" } },
    done: { task: { id: "107", model: "hailuo", status: "succeeded", duration: 9 } },
    row: { cost: 90, ai_model: "hailuo" },
  },
  "SiliconFlow's, of which nobody says how long they are": {
    provider: "flow",
    begin: "POST /video/submit",
    asked: { model: "wan", prompt: "Tea." },
    begun: { requestId: "s1" },
    tell: "POST /video/status",
    telling: { requestId: "s1" },
    waiting: { status: "InQueue" },
    done: { status: "Succeed", results: { videos: [{ url: "https://a/b" }] } },
    row: { cost: null, ai_model: "wan" },
  },
  "Zhipu's": {
    provider: "glm",
    begin: "POST /videos/generations",
    asked: { model: "cogvideo", prompt: "Tea.", duration: 5 },
    begun: { id: "z1", model: "cogvideo", task_status: "PROCESSING" },
    tell: "GET /async-result/z1",
    waiting: { model: "cogvideo", task_status: "PROCESSING" },
    done: { model: "cogvideo", task_status: "SUCCESS", video_result: [{ url: "https://a/b" }] },
    row: { cost: 50, ai_model: "cogvideo" },
  },
};

const nothing = { cost: 0, total_units: null };
const endOf = (place: string) => place.replace(/^(\S+) .*(\/[^/]+)$/, "$2");

describe("videos of vendors with a way of their own", () => {
  it.each(Object.entries(made))("are billed once, when they are told to be there: %s", async (_, one) => {
    const { provider, begin, asked, begun, tell, telling = null, waiting, done, row } = one;
    answers = { [endOf(begin)]: begun };
    expect(await rowOf(provider, begin, asked)).toMatchObject(nothing);
    answers = { [endOf(tell)]: waiting };
    expect(await rowOf(provider, tell, telling)).toMatchObject(nothing);
    answers = { [endOf(tell)]: done };
    expect(await rowOf(provider, tell, telling)).toMatchObject(row);
    expect(await rowOf(provider, tell, telling)).toMatchObject(nothing);
  });

  it("cost nothing where none came of it", async () => {
    const operation = { name: "models/veo/operations/op9", done: true };
    answers = { ":predictLongRunning": { name: operation.name } };
    await rowOf("google", `POST ${veo}:predictLongRunning`, { parameters: {} });
    answers = { op9: { ...operation, response: { generateVideoResponse: { raiMediaFilteredCount: 1 } } } };
    expect(await rowOf("google", `GET /v1beta/${operation.name}`)).toMatchObject(nothing);
  });

  it("cost nobody knows what where none was begun, and where they are made longer", async () => {
    answers = { generations: { error: "No." } };
    expect(await rowOf("grok", "POST /v1/videos/generations", { model: "x" })).toMatchObject({ cost: null });
    answers = { extensions: { request_id: "r3" } };
    expect(await rowOf("grok", "POST /v1/videos/extensions", { model: "x" })).toMatchObject({ cost: null });
    answers = { r3: { status: "done", model: "by-second", video: { duration: 15 } } };
    expect(await rowOf("grok", "GET /v1/videos/r3")).toMatchObject(nothing);
  });

  it("cost what a call costs where nobody knows how their vendor tells of them, and that is the price", async () => {
    answers = { generations: { task: "t" } };
    const asked = { model: "by-call", prompt: "Tea." };
    expect(await rowOf("other", "POST /v1/videos/generations", asked)).toMatchObject({ cost: 30 });
    expect(await rowOf("other", "POST /v1/videos/generations", { model: "odd" })).toMatchObject({ cost: null });
  });

  it("are as long as a config has asked for", async () => {
    answers = { video_generation: { task_id: "108" } };
    const config = { override_params: { duration: 10 } };
    await rowOf("hailuo", "POST /video_generation", { model: "hailuo", prompt: "Tea." }, config);
    answers = { "task_id=108": { task_id: "108", status: "Success" } };
    expect(await rowOf("hailuo", "GET /query/video_generation?task_id=108")).toMatchObject({ cost: 100 });
  });

  it("are not what other tasks are", async () => {
    answers = { t2: { output: { task_id: "t2", task_status: "SUCCEEDED" }, usage: { image_count: 1 } } };
    expect(await rowOf("qwen", "GET /api/v1/tasks/t2")).toMatchObject(nothing);
  });
});
