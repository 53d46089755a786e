import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Answering, json, startUpstream } from "../support/upstream.ts";

const plugins = {
  "auth-open": {},
  routing: {},
  retry: {},
  "format-openai-chat": {},
  "format-openai-images": {},
  "format-openai-audio": {},
  "format-images": {},
  "format-gemini": {},
  "format-audio": {},
  "format-ocr": {},
};
const apiKey = "vendor-key-0123456789";
const sound = Buffer.from([0xff, 0xf3, 0x00, 0x0d, 0x0a]);

/** A gateway before vendors of one server, told by the first word of the path. */
async function start(answer: Answering) {
  const upstream = await startUpstream(answer);
  const at = (slug: string, more: object = {}) => ({ [slug]: { apiKey, baseUrl: `${upstream.url}/${slug}`, ...more } });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins,
      providers: {
        ...at("deepgram"),
        ...at("stability-ai"),
        ...at("segmind"),
        ...at("together-ai"),
        ...at("zhipu"),
        ...at("z-ai"),
        ...at("fal-ai"),
        ...at("fireworks-ai"),
        ...at("recraft-ai"),
        ...at("mistral-ai"),
        ...at("vertex-ai", { region: "us-central1", projectId: "p" }),
        ...at("bedrock"),
        ...at("azure-ai"),
        ...at("azure-openai", { apiVersion: "2024-10-21" }),
      },
    }),
  );
  const client = (provider?: string) =>
    openAiClient({ url: gateway.url, headers: provider ? { "x-gateway-provider": `@${provider}` } : {} });
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${gateway.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
  return { client, post, url: gateway.url, received: upstream.received };
}

describe("a transcription by a vendor with an API of its own", () => {
  const transcript = { results: { channels: [{ alternatives: [{ transcript: "Hello" }] }] } };
  const ask = { model: "nova-3", language: "en" };

  it("is the sound going out, and the usual answer coming back", async () => {
    const { client, received } = await start((_, response) => json(response, 200, transcript));
    const file = await toFile(sound, "a.mp3", { type: "audio/mpeg" });
    const own = client("deepgram").audio.transcriptions;
    expect((await own.create({ ...ask, file })).text).toBe("Hello");
    expect(await own.create({ ...ask, file, response_format: "text" })).toBe("Hello\n");
    const [{ url, headers, body } = {}] = received;
    expect(url).toBe("/deepgram/listen?model=nova-3&language=en&smart_format=true");
    expect(headers).toMatchObject({ "content-type": "audio/mpeg", authorization: `Token ${apiKey}` });
    expect(body).toEqual(sound);
    await expect(own.create({ ...ask, file, response_format: "srt" })).rejects.toMatchObject({ status: 400 });
    await expect(own.create({ ...ask, file, stream: true })).rejects.toMatchObject({ status: 400 });
  });
});

describe("sound at Mistral, which has paths of OpenAI's and words of its own", () => {
  const usage = { prompt_tokens: 4, completion_tokens: 9, total_tokens: 40, prompt_audio_seconds: 2 };
  const segments = [{ type: "transcription_segment", text: "Hello", start: 0, end: 1.5, speaker_id: "speaker_7" }];
  const transcript = { model: "voxtral-mini-2602", text: "Hello", language: "en", segments, usage };
  const spoken = { audio_data: sound.toString("base64") };
  const event = (data: { readonly type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const events = event({ type: "transcription.text.delta" }) + event({ type: "transcription.done", ...transcript });
  const vendor: Answering = ({ url, body }, response) => {
    if (/name="stream"\r\n\r\ntrue/.test(body.toString("latin1")))
      response.writeHead(200, { "content-type": "text/event-stream" }).end(events);
    else json(response, 200, url.endsWith("/speech") ? spoken : transcript);
  };
  const model = "voxtral-mini-latest";

  /** Asks as `fetch` does, and tells what came back and which fields the vendor was sent. */
  async function ask(place: string, fields: Readonly<Record<string, string | Blob>>, asForm = true) {
    const { url, received } = await start(vendor);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    const headers = { "x-gateway-provider": "@mistral-ai", ...(!asForm && { "content-type": "application/json" }) };
    const body = asForm ? form : JSON.stringify(fields);
    const response = await fetch(`${url}/v1/audio/${place}`, { method: "POST", headers, body });
    const names = received.map(({ body }) =>
      [...body.toString("latin1").matchAll(/; name="(.*?)"/g)].map(([, n]) => n),
    );
    return { response, received, names: names[0] };
  }
  const file = new Blob([sound]);

  it.each<[string, Record<string, string | Blob>, string, object | string]>([
    ["its own clients", { model, file, stream: "false", diarize: "false" }, "model file stream diarize", transcript],
    ["who asks the least", { model, file }, "model file", transcript],
    ["an address", { model, file_url: "https://a/b.mp3", language: "en" }, "model file_url language", transcript],
    ["the id of a file", { model, file_id: "f-1" }, "model file_id", transcript],
    ["streams", { model, file, stream: "true", diarize: "false" }, "model file stream diarize", events],
    [
      "speakers for OpenAI's clients",
      { model, file, response_format: "diarized_json", chunking_strategy: "auto" },
      "file model timestamp_granularities diarize",
      {
        task: "transcribe",
        text: "Hello",
        duration: 2,
        segments: [{ type: "transcript.text.segment", id: "seg_0", text: "Hello", start: 0, end: 1.5, speaker: "A" }],
      },
    ],
    [
      "times for OpenAI's clients",
      { model, url: "https://a/b.mp3", response_format: "verbose_json" },
      "file_url model timestamp_granularities",
      { text: "Hello", language: "en", duration: 2, segments: [{ id: 0, text: "Hello", start: 0, end: 1.5 }] },
    ],
    ["a text for OpenAI's clients", { model, file, response_format: "text" }, "file model", "Hello\n"],
  ])("is written down for %s", async (_, fields, sent, answer) => {
    const { response, received, names } = await ask("transcriptions", fields);
    const text = await response.text();
    expect(typeof answer === "string" ? text : JSON.parse(text)).toEqual(answer);
    expect(names?.join(" ")).toBe(sent);
    expect(received[0]?.url).toBe("/mistral-ai/audio/transcriptions");
  });

  it("is spoken, as sound for OpenAI's clients and as JSON or events for its own", async () => {
    const input = { model, input: "Hi" };
    const asOpenAi = await ask(
      "speech",
      { ...input, voice: "gb_jane", response_format: "wav", instructions: "slowly" },
      false,
    );
    expect(Buffer.from(await asOpenAi.response.arrayBuffer())).toEqual(sound);
    expect(asOpenAi.response.headers.get("content-type")).toBe("audio/wav");
    expect(asOpenAi.response.headers.get("x-gateway-dropped-params")).toBe("instructions");
    const wire = { ...input, voice_id: "gb_jane", response_format: "wav" };
    expect(JSON.parse(`${asOpenAi.received[0]?.body}`)).toEqual(wire);
    const asOwn = await ask("speech", { ...input, voice_id: "gb_jane" }, false);
    expect(await asOwn.response.json()).toEqual(spoken);
    const inUnknownWords = await ask("transcriptions", { model, file, stream: "true" });
    for (const { response } of [inUnknownWords, await ask("speech", input, false)]) expect(response.status).toBe(400);
  });
});

describe("images of vendors with an API of their own", () => {
  it.each([
    ["stability-ai/stable-diffusion-v1-6", "/stability-ai/v1/generation/stable-diffusion-v1-6/text-to-image"],
    ["stability-ai/core", "/stability-ai/v2beta/stable-image/generate/core"],
    ["stability-ai/sd3.5-large", "/stability-ai/v2beta/stable-image/generate/sd3"],
    ["segmind/sdxl", "/segmind/sdxl"],
    ["together-ai/black-forest-labs/FLUX.1-schnell", "/together-ai/v1/images/generations"],
    ["zhipu/cogview-4-250304", "/zhipu/images/generations"],
    ["z-ai/glm-image", "/z-ai/images/generations"],
    ["fal-ai/fal-ai/flux/dev", "/fal-ai/fal-ai/flux/dev"],
    [
      "fireworks-ai/accounts/fireworks/models/flux-1-schnell-fp8",
      "/fireworks-ai/workflows/accounts/fireworks/models/flux-1-schnell-fp8/text_to_image",
    ],
    [
      "vertex-ai/imagen-4.0",
      "/vertex-ai/v1/projects/p/locations/us-central1/publishers/google/models/imagen-4.0:predict",
    ],
    [
      "vertex-ai/gemini-2.5-flash-image",
      "/vertex-ai/v1/projects/p/locations/us-central1/publishers/google/models/gemini-2.5-flash-image:generateContent",
    ],
    ["bedrock/amazon.titan-image-generator-v1", "/bedrock/model/amazon.titan-image-generator-v1/invoke"],
    ["bedrock/stability.sd3-large-v1:0", "/bedrock/model/stability.sd3-large-v1%3A0/invoke"],
  ])("are made by %s", async (model, place) => {
    const { client, received } = await start((_, response) =>
      json(response, 200, {
        artifacts: [{ base64: "aGk=" }],
        data: [{ b64_json: "aGk=" }],
        image: "aGk=",
        base64: ["aGk="],
        images: ["aGk="],
        predictions: [{ bytesBase64Encoded: "aGk=" }],
        candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }] } }],
      }),
    );
    const { data } = await client().images.generate({ model, prompt: "a cat", response_format: "b64_json" });
    expect(data).toEqual([{ b64_json: "aGk=" }]);
    expect(received[0]?.url).toBe(place);
    const form = received[0]?.headers["content-type"]?.startsWith("multipart/form-data; boundary=");
    expect(form).toBe(/^stability-ai\/(?:core|sd3)/.test(model));
  });

  it("are the image itself where the vendor sends that", async () => {
    const { client } = await start((_, response) => response.writeHead(200, { "content-type": "image/png" }).end("hi"));
    const { data } = await client().images.generate({ model: "segmind/sdxl", prompt: "a cat" });
    expect(data).toEqual([{ b64_json: "aGk=" }]);
  });

  it("is as large as the vendor makes images at least", async () => {
    const { post, received } = await start((_, response) => json(response, 200, { artifacts: [{ base64: "aGk=" }] }));
    const ask = { model: "stability-ai/stable-diffusion-v1-6", prompt: "a cat", size: "256x512" };
    expect(await post("/v1/images/generations", ask)).toMatchObject({ status: 200 });
    expect(JSON.parse(`${received[0]?.body}`)).toMatchObject({ width: 320, height: 512 });
  });

  it("are not streamed, and say why a vendor refused", async () => {
    const { client } = await start((_, response) => json(response, 400, { name: "bad_request", errors: ["no cats"] }));
    const ask = { model: "stability-ai/core", prompt: "a cat" };
    await expect(client().images.generate(ask)).rejects.toMatchObject({
      status: 400,
      error: { message: "stability-ai error: no cats", type: "bad_request" },
    });
    await expect(client().images.generate({ ...ask, stream: true })).rejects.toThrow("stream");
  });

  it("are refused, and asked for once only, where filters left none", async () => {
    const filtered = { image: "Ymx1cg==", finish_reason: "CONTENT_FILTERED", seed: 1 };
    const { url, received } = await start((_, response) => json(response, 200, filtered));
    const answer = await fetch(`${url}/v1/images/generations`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-gateway-config": JSON.stringify({ retry: { attempts: 2, on_status_codes: [400, 502] } }),
      },
      body: JSON.stringify({ model: "@stability-ai/core", prompt: "a cat" }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: "content_filter", message: expect.stringContaining("CONTENT_FILTERED") },
    });
    expect(received).toHaveLength(1);
  });

  it("are made by the deployment a form's model means", async () => {
    const { client, received } = await start((_, response) => json(response, 200, { data: [{ b64_json: "aGk=" }] }));
    const image = await toFile(sound, "a.png", { type: "image/png" });
    await client("azure-openai").images.edit({ model: "gpt-image-1", prompt: "less", image });
    await client("azure-openai").images.generate({ prompt: "a cat" });
    expect(received.map(({ url }) => url)).toEqual([
      "/azure-openai/deployments/gpt-image-1/images/edits?api-version=2024-10-21",
      "/azure-openai/deployments/dall-e-3/images/generations?api-version=2024-10-21",
    ]);
  });
});

it("speech by Google is sound again for the client, of the kind it asked for", async () => {
  const { client, received } = await start((_, response) =>
    json(response, 200, { audioContent: sound.toString("base64") }),
  );
  const ask = { model: "vertex-ai/gemini-2.5-flash-tts", input: "Hello", voice: "Kore" } as const;
  const response = await client().audio.speech.create({ ...ask, response_format: "opus" });
  expect(response.headers.get("content-type")).toBe("audio/ogg");
  expect(Buffer.from(await response.arrayBuffer())).toEqual(sound);
  expect(received[0]?.url).toBe("/vertex-ai/v1/text:synthesize");
});

describe("ocr", () => {
  const answer = { pages: [{ index: 0, markdown: "# Hi" }], model: "ocr", usage_info: { pages_processed: 1 } };
  const document = { type: "document_url", document_url: "https://example.com/a.pdf" };

  it("passes through, and is refused where it is no request", async () => {
    const { post, received } = await start((_, response) => json(response, 200, answer));
    expect(await post("/v1/ocr", { model: "mistral-ai/ocr", document })).toEqual({
      status: 200,
      json: { ...answer, provider: "mistral-ai" },
    });
    expect(received.map(({ url, body }) => [url, `${body}`])).toEqual([
      ["/mistral-ai/ocr", JSON.stringify({ model: "ocr", document })],
    ]);
    expect((await post("/v1/ocr", { model: "mistral-ai/ocr" })).status).toBe(400);
    expect((await post("/v1/ocr", { model: "segmind/ocr", document })).status).toBe(400);
  });

  it("takes nothing but what is in the request at a vendor that fetches nothing", async () => {
    const { post, received } = await start((_, response) => json(response, 200, answer));
    const refused = await post("/v1/ocr", { model: "azure-ai/ocr", document });
    expect([refused.status, refused.json.message]).toEqual([400, expect.stringContaining("data URL")]);
    const data = { type: "document_url", document_url: "data:application/pdf;base64,aGk=" };
    expect((await post("/v1/ocr", { model: "azure-ai/ocr", document: data })).status).toBe(200);
    expect(received.map(({ url }) => url)).toEqual(["/providers/mistral/azure/ocr"]);
  });
});

it("images beyond what a vendor makes at once are not asked for, which is said, or refused where that was asked for", async () => {
  const { client, received } = await start((_, response) => json(response, 200, { data: [{ url: "https://i/1" }] }));
  const asked = { model: "recraftv3", prompt: "a tree", n: 5 } as const;
  const { response } = await client("recraft-ai").images.generate(asked).withResponse();
  expect(JSON.parse(String(received[0]?.body))).toMatchObject({ n: 2 });
  expect(response.headers.get("x-gateway-dropped-params")).toBe("n");
  const strict = { headers: { "x-gateway-strict-params": "true" } };
  await expect(client("recraft-ai").images.generate(asked, strict)).rejects.toMatchObject({ status: 400 });
  expect(received).toHaveLength(1);
});

it("bytes of images are asked for in the vendor's word, whichever the client has", async () => {
  const { post, received } = await start((_, response) => json(response, 200, { data: [{ b64_json: "aGk=" }] }));
  const asked = { prompt: "a tree", response_format: "base64", style: "own" };
  for (const model of ["recraft-ai/recraftv3", "together-ai/FLUX"])
    await post("/v1/images/generations", { model, ...asked });
  expect(received.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
    { prompt: "a tree", response_format: "b64_json", style: "own" },
    { prompt: "a tree", response_format: "base64" },
  ]);
});
