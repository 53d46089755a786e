import OpenAI, { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type Answering, json, type Received, startUpstream } from "../support/upstream.ts";

const plugins = {
  "auth-open": {},
  routing: { default: "alpha" },
  "strategy-fallback": {},
  "cache-memory": {},
  cache: {},
  "format-openai-chat": {},
  "format-openai-images": {},
  "format-openai-audio": {},
  "format-openai-moderations": {},
};

/** A gateway before two vendors of one server, told by the first word of the path. */
async function start(answer: Answering, more: object = {}) {
  const upstream = await startUpstream(answer);
  const provider = (slug: string, use = "openai") => ({
    use,
    apiKey: `${slug}-key-012345`,
    baseUrl: `${upstream.url}/${slug}`,
  });
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins,
      providers: { alpha: provider("alpha"), beta: provider("beta"), grok: provider("grok", "x-ai") },
      ...more,
    }),
  );
  const client = (config?: object) =>
    openAiClient({ url: gateway.url, headers: config ? { "x-gateway-config": JSON.stringify(config) } : {} });
  return { client, gateway, received: upstream.received };
}

const sound = Buffer.from([0xff, 0xf3, 0x00, 0x0d, 0x0a, 0x0d, 0x0a, 0x2d, 0x2d, 0xfe]);
const file = () => toFile(sound, "said.mp3", { type: "audio/mpeg" });
const partNames = ({ body }: Received) =>
  [...body.toString("latin1").matchAll(/; name="([^"]+)"/g)].map(([, name]) => name).sort();
const events = (...all: object[]) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

describe("images", () => {
  const image = { created: 1_786_000_000, data: [{ b64_json: "aGk=", revised_prompt: "a cat" }] };

  it("are made for the OpenAI client, byte for byte in both directions", async () => {
    const { client, received } = await start((_, response) => json(response, 200, image));
    const made = await client().images.generate({ model: "alpha/dall-e-3", prompt: "a cat", size: "1024x1024" });
    expect(made.data).toEqual(image.data);
    const [{ url, body } = {}] = received;
    expect([url, JSON.parse(`${body}`)]).toEqual([
      "/alpha/images/generations",
      { model: "dall-e-3", prompt: "a cat", size: "1024x1024" },
    ]);
  });

  it("are made by the model the API means where the client names none", async () => {
    const { client, received } = await start((_, response) => json(response, 200, image));
    await client().images.generate({ prompt: "a cat" });
    expect(JSON.parse(`${received[0]?.body}`)).toEqual({ prompt: "a cat" });
  });

  it("are not asked for as bytes where a model gives nothing else", async () => {
    const { client, received } = await start((_, response) => json(response, 200, image));
    await client().images.generate({ model: "gpt-image-1", prompt: "a cat", response_format: "b64_json" });
    await client().images.generate({ model: "dall-e-2", prompt: "a cat", response_format: "b64_json" });
    expect(received.map(({ body }) => JSON.parse(`${body}`).response_format)).toEqual([undefined, "b64_json"]);
  });

  it("are said to come as bytes where their addresses were asked for", async () => {
    const { client, received } = await start((_, response) => json(response, 200, image));
    const ask = { model: "gpt-image-1", prompt: "a cat", response_format: "url" } as const;
    const { response } = await client().images.generate(ask).withResponse();
    expect(response.headers.get("x-gateway-dropped-params")).toBe("response_format");
    const strict = { headers: { "x-gateway-strict-params": "true" } };
    await expect(client().images.generate(ask, strict)).rejects.toMatchObject({ status: 400 });
    expect(received).toHaveLength(1);
  });

  const partial = { type: "image_generation.partial_image", b64_json: "aA==", partial_image_index: 0 };
  const completed = { type: "image_generation.completed", b64_json: "aGk=", usage: { input_tokens: 3 } };
  it("are streamed", async () => {
    const { client } = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events(partial, completed));
    });
    const stream = await client().images.generate({ model: "gpt-image-1", prompt: "a cat", stream: true });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual(["image_generation.partial_image", "image_generation.completed"]);
  });

  it("end in an error where the stream ends before the last of them", async () => {
    const { client } = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(events(partial));
    });
    const stream = await client().images.generate({ model: "gpt-image-1", prompt: "a cat", stream: true });
    const read = async () => {
      for await (const _ of stream);
    };
    await expect(read()).rejects.toThrow("before it was finished");
  });

  it("are given whole where the vendor does not stream", async () => {
    const { gateway } = await start((_, response) => json(response, 200, image));
    const response = await fetch(`${gateway.url}/v1/images/generations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ prompt: "a cat", stream: true }),
    });
    expect(await response.json()).toEqual(image);
  });

  it("are changed by a form, which passes on as it came", async () => {
    const { client, received } = await start((_, response) => json(response, 200, image));
    const edited = await client().images.edit({
      model: "gpt-image-1",
      image: [await file(), await file()],
      prompt: "less",
    });
    expect(edited.data).toEqual(image.data);
    const varied = await client().images.createVariation({ image: await file() });
    expect(varied.data).toEqual(image.data);
    expect(received.map((one) => [one.url, partNames(one)])).toEqual([
      ["/alpha/images/edits", ["image[]", "image[]", "model", "prompt"]],
      ["/alpha/images/variations", ["image"]],
    ]);
    expect(received[0]?.body.includes(sound)).toBe(true);
  });

  const shown = `data:image/png;base64,${sound.toString("base64")}`;
  const place = "https://a.example/cat.png";
  it.each([
    ["of OpenAI's", "alpha/gpt-image-1", { images: [{ image_url: place }, { file_id: "file-1" }], n: 2 }, {}],
    ["of xAI's", "alpha/gpt-image-1", { image: { url: place, type: "image_url" } }, { images: [{ image_url: place }] }],
    [
      "of OpenAI's",
      "grok/grok-imagine",
      { images: [{ image_url: place }] },
      { image: { url: place, type: "image_url" } },
    ],
    [
      "of xAI's",
      "grok/grok-imagine",
      {
        images: [
          { url: place, type: "image_url" },
          { url: shown, type: "image_url" },
        ],
      },
      {},
    ],
  ])("are changed as JSON in the words %s, by %s: %j", async (_, model, said, told) => {
    const { edit, received } = await editing();
    expect(await edit({ model, prompt: "less", ...said })).toMatchObject({ status: 200 });
    const { images: _images, image: _image, ...rest } = said as Record<string, unknown>;
    const asItWas = Object.keys(told).length === 0 ? said : { ...rest, ...told };
    expect(JSON.parse(`${received[0]?.body}`)).toEqual({ model: model.split("/")[1], prompt: "less", ...asItWas });
  });

  it("are changed as JSON by a model that takes forms, where they are in the request", async () => {
    const { edit, received } = await editing();
    const asked = { model: "alpha/dall-e-2", prompt: "less", n: 2 };
    expect(await edit({ ...asked, image: { url: shown }, mask: { image_url: shown } })).toMatchObject({ status: 200 });
    expect(received.map(partNames)).toEqual([["image", "mask", "model", "n", "prompt"]]);
    expect(received[0]?.body.includes(sound)).toBe(true);
    for (const image of [{ url: place }, { file_id: "file-1" }]) {
      const { status, text } = await edit({ ...asked, image });
      expect([status, text]).toEqual([400, expect.stringContaining("image must be a data URL")]);
    }
    const none = await edit(asked);
    expect([none.status, none.text]).toEqual([400, expect.stringContaining("images is required")]);
    expect(received).toHaveLength(1);
  });

  it("are changed by xAI, which takes JSON, for a client that sends a form", async () => {
    const { client, received } = await editing();
    const ask = { model: "grok-imagine", image: await file(), prompt: "less", n: 2, size: "1024x1024" } as const;
    const { data, response } = await client({ provider: "grok" }).images.edit(ask).withResponse();
    expect(data.data).toEqual(image.data);
    expect(response.headers.get("x-gateway-dropped-params")).toBe("size");
    const url = `data:audio/mpeg;base64,${sound.toString("base64")}`;
    expect(JSON.parse(`${received[0]?.body}`)).toEqual({
      ...{ model: "grok-imagine", prompt: "less", n: 2 },
      image: { url, type: "image_url" },
    });
  });

  async function editing() {
    const { client, gateway, received } = await start((_, response) => json(response, 200, image));
    const edit = async (body: object) => {
      const headers = { "content-type": "application/json" };
      const sent = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(`${gateway.url}/v1/images/edits`, sent);
      return { status: response.status, text: await response.text() };
    };
    return { client, edit, received };
  }
});

describe("speech", () => {
  const speak = { model: "alpha/tts-1", input: "Hello", voice: "alloy" } as const;

  it("arrives as it is sent, with the vendor's content type", async () => {
    let finish: (() => void) | undefined;
    const { client, received } = await start((_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.write(sound);
      finish = () => response.end(sound);
    });
    const response = await client().audio.speech.create(speak);
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    const reader = (response.body as unknown as ReadableStream<Uint8Array>).getReader();
    // The first piece is here although the vendor has not finished.
    expect(Buffer.from((await reader.read()).value ?? [])).toEqual(sound);
    finish?.();
    expect(Buffer.from((await reader.read()).value ?? [])).toEqual(sound);
    expect(JSON.parse(`${received[0]?.body}`)).toEqual({ ...speak, model: "tts-1" });
  });

  it("is a cut connection where the vendor's is cut", async () => {
    const { client } = await start((_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": "1000" });
      response.write(sound, () => response.destroy());
    });
    const response = await client().audio.speech.create(speak);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it("comes from the next target where the first one fails", async () => {
    const { client, received } = await start(({ url }, response) => {
      if (url.startsWith("/alpha")) return json(response, 503, { error: { message: "down" } });
      response.writeHead(200, { "content-type": "audio/wav" }).end(sound);
    });
    const both = { strategy: { mode: "fallback" }, targets: [{ provider: "@alpha" }, { provider: "@beta" }] };
    const response = await client(both).audio.speech.create({ ...speak, model: "tts-1" });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(sound);
    expect(received).toHaveLength(2);
  });

  it("comes as events where that is asked for, and not as finished before the last one", async () => {
    const delta = { type: "speech.audio.delta", audio: "aGk=" };
    const done = { type: "speech.audio.done", usage: { input_tokens: 2, output_tokens: 9 } };
    let said = events(delta, done);
    const { client } = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(said);
    });
    const text = async () => (await client().audio.speech.create({ ...speak, stream_format: "sse" })).text();
    expect(await text()).toBe(said);
    said = events(delta);
    expect(await text()).toMatch(/"type":"speech\.audio\.delta".*event: error/s);
  });

  it("is an error in the usual shape where the vendor refuses", async () => {
    const { client } = await start((_, response) =>
      json(response, 429, { error: { message: "slow down", type: "busy" } }),
    );
    await expect(client().audio.speech.create(speak)).rejects.toMatchObject({
      status: 429,
      error: { message: "openai error: slow down", type: "busy" },
    });
  });
});

describe("transcriptions", () => {
  it("pass on the form as it came, under any provider", async () => {
    const { client, received } = await start((_, response) => json(response, 200, { text: "Hello" }));
    const { text } = await client().audio.transcriptions.create({ model: "openai/whisper-1", file: await file() });
    expect(text).toBe("Hello");
    const [{ url, headers, body } = {}] = received;
    expect(url).toBe("/alpha/audio/transcriptions");
    expect(headers?.["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    // In a form a name in front of the model is part of it.
    expect(body?.includes("openai/whisper-1")).toBe(true);
    expect(body?.includes(sound)).toBe(true);
  });

  it("are texts where that is asked for", async () => {
    const { client } = await start((_, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("1\nHi"),
    );
    const create = { model: "whisper-1", file: await file(), response_format: "srt" } as const;
    expect(await client().audio.transcriptions.create(create)).toBe("1\nHi");
  });

  it("stream", async () => {
    const { client, received } = await start((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        events({ type: "transcript.text.delta", delta: "Hi" }, { type: "transcript.text.done", text: "Hi" }),
      );
    });
    const stream = await client().audio.transcriptions.create({
      model: "gpt-4o-transcribe",
      file: await file(),
      stream: true,
    });
    const types: string[] = [];
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual(["transcript.text.delta", "transcript.text.done"]);
    expect(partNames(received[0] as Received)).toEqual(["file", "model", "stream"]);
  });

  it("go on to the next target whole, with the model its config says", async () => {
    const { client, received } = await start(({ url }, response) =>
      json(response, url.startsWith("/alpha") ? 500 : 200, { text: "Hello", error: { message: "down" } }),
    );
    const config = {
      strategy: { mode: "fallback" },
      targets: [
        { provider: "@alpha" },
        { provider: "@beta", override_params: { model: "whisper-large", temperature: 1 } },
      ],
    };
    await client(config).audio.translations.create({ model: "whisper-1", file: await file() });
    const [first, second] = received.map(({ body }) => body.toString("latin1"));
    expect(received.map(({ url }) => url)).toEqual(["/alpha/audio/translations", "/beta/audio/translations"]);
    expect(second).toBe(first?.replace("whisper-1", "whisper-large"));
  });

  it("are not answered from the cache: nobody reads what was uploaded", async () => {
    const { client, received } = await start((_, response) => json(response, 200, { text: "Hello" }));
    const cached = client({ provider: "@alpha", cache: { mode: "simple" } });
    for (const _ of [1, 2]) await cached.audio.transcriptions.create({ model: "whisper-1", file: await file() });
    expect(received).toHaveLength(2);
  });

  it("are refused beyond the largest upload", async () => {
    const server = { limits: { uploadBodyBytes: 200 } };
    const { client } = await start((_, response) => json(response, 200, { text: "Hello" }), { server });
    const asked = client().audio.transcriptions.create({ model: "whisper-1", file: await file() });
    await expect(asked).rejects.toMatchObject({ status: 413, message: expect.stringContaining("uploadBodyBytes") });
  });
});

describe("moderations", () => {
  const result = { flagged: true, categories: { hate: true }, category_scores: { hate: 0.9 } };
  const answer = { id: "modr-1", model: "omni", results: [result] };

  it("are given to the OpenAI client, and kept by the cache", async () => {
    const { client, received } = await start((_, response) => json(response, 200, answer));
    const cached = client({ provider: "@alpha", cache: { mode: "simple" } });
    for (const _ of [1, 2]) expect((await cached.moderations.create({ input: ["a", "b"] })).results).toEqual([result]);
    expect(received.map(({ url, body }) => [url, `${body}`])).toEqual([["/alpha/moderations", '{"input":["a","b"]}']]);
  });

  it("are asked of vendors that speak OpenAI's chat API, and of no others", async () => {
    const { gateway, received } = await start((_, response) => json(response, 200, answer), {
      providers: {
        alpha: { use: "openai", apiKey: "k-0123456789" },
        jina: { apiKey: "k-0123456789" },
      },
    });
    const client = new OpenAI({ apiKey: "none", baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    await expect(client.moderations.create({ model: "jina/m", input: "a" })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("not supported by jina"),
    });
    expect(received).toHaveLength(0);
  });
});
