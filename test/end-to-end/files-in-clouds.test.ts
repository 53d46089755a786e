import type OpenAI from "openai";
import { toFile } from "openai";
import { describe, expect, it } from "vitest";
import { openAiClient } from "../support/clients.ts";
import { startTestGateway } from "../support/gateway.ts";
import { asking, lines } from "../support/procedures.ts";
import { json, type Received, startUpstream } from "../support/upstream.ts";

const arn = "arn:aws:bedrock:eu-west-1:111122223333";

/** Clouds that keep what they are sent, and have done every job as soon as it is asked for. */
async function startClouds() {
  const objects = new Map<string, Buffer>();
  const parts: Buffer[] = [];
  const jobs: Record<string, unknown>[] = [];

  /** What a job has written, from the lines it was given. */
  const done = (path: string, output: string, write: (row: Record<string, unknown>) => object) => {
    const rows = objects.get(path)?.toString().trimEnd().split("\n") ?? [];
    objects.set(output, Buffer.from(lines(...rows.map((row) => write(JSON.parse(row))))));
  };
  const gemini = {
    candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  const claude = {
    type: "message",
    role: "assistant",
    model: "claude",
    content: [{ type: "text", text: "Hi" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
  };

  const nothing = Buffer.alloc(0);
  const keep = (path: string, bytes: Buffer) => {
    objects.set(path, bytes);
    return nothing;
  };
  const keepPart = ({ body }: Received) => {
    parts.push(body);
    return nothing;
  };

  const answers: readonly (readonly [RegExp, (received: Received, found: RegExpExecArray) => object | Buffer])[] = [
    [/^POST (\/store\/.*)\?uploads=$/, () => Buffer.from("<x><UploadId>u</UploadId></x>")],
    [/^PUT \/store\/.*\?partNumber=/, keepPart],
    [/^POST (\/store\/.*)\?uploadId=u$/, (_, [, path = ""]) => keep(path, Buffer.concat(parts.splice(0)))],
    [
      /^GET (\/store\/.*)\?attributes=$/,
      (_, [, path = ""]) => Buffer.from(`<x><ObjectSize>${objects.get(path)?.length}</ObjectSize></x>`),
    ],
    [/^PUT (\/store\/.*)$/, ({ body }, [, path = ""]) => keep(path, body)],
    [/^(?:GET|HEAD) (\/store\/.*)$/, (_, [, path = ""]) => objects.get(path) ?? nothing],
    [
      /^POST .*\/batchPredictionJobs$/,
      ({ body }) => {
        const number = jobs.length + 1;
        const job = {
          ...JSON.parse(`${body}`),
          name: `x/batchPredictionJobs/${number}`,
          state: "JOB_STATE_SUCCEEDED",
          createTime: `2026-01-01T00:00:0${number}Z`,
          outputInfo: { gcsOutputDirectory: `gs://bucket-1/out-${number}` },
        };
        jobs.push(job);
        const [uri] = job.inputConfig.gcsSource.uris;
        done(uri.replace("gs:/", "/store"), `/store/bucket-1/out-${number}/predictions.jsonl`, ({ requestId }) => ({
          requestId,
          response: gemini,
          status: "",
        }));
        return job;
      },
    ],
    [
      /^GET .*\/batchPredictionJobs\?pageSize=(\d+)(.*)$/,
      (_, [, size, rest = ""]) => {
        const before = /%22(.*)%22/.exec(rest)?.[1];
        const left = jobs
          .toReversed()
          .filter(({ createTime }) => before === undefined || `${createTime}` < decodeURIComponent(before));
        const batchPredictionJobs = left.slice(0, Number(size));
        return { batchPredictionJobs, ...(left.length > batchPredictionJobs.length && { nextPageToken: "more" }) };
      },
    ],
    [/^POST .*\/batchPredictionJobs\/\d+:cancel$/, () => ({})],
    [/^GET .*\/batchPredictionJobs\/(\d+)$/, (_, [, number]) => jobs[Number(number) - 1] ?? {}],
    [
      /^POST \/model-invocation-job$/,
      ({ body }) => {
        const job = {
          ...JSON.parse(`${body}`),
          jobArn: `${arn}:model-invocation-job/job${jobs.length + 1}`,
          status: "Completed",
        };
        jobs.push(job);
        const { s3Uri } = job.inputDataConfig.s3InputDataConfig;
        const folder = job.outputDataConfig.s3OutputDataConfig.s3Uri.replace("s3:/", "/store");
        const output = `${folder}job${jobs.length}/${s3Uri.split("/").at(-1)}.out`;
        done(s3Uri.replace("s3:/", "/store"), output, ({ recordId }) => ({ recordId, modelOutput: claude }));
        return { jobArn: job.jobArn };
      },
    ],
    [/^GET \/model-invocation-job\/.*job(\d+)$/, (_, [, number]) => jobs[Number(number) - 1] ?? {}],
  ];
  const upstream = await startUpstream((received, response) => {
    const call = `${received.method} ${received.url}`;
    const [pattern, answer] = answers.find(([one]) => one.test(call)) ?? [];
    const found = pattern?.exec(call);
    if (!found || !answer) return json(response, 418, { message: call });
    const said = answer(received, found);
    if (!Buffer.isBuffer(said)) return json(response, 200, said);
    response.writeHead(200, { etag: '"t"', "content-length": said.length });
    response.end(said);
  });
  return upstream.url;
}

async function start() {
  const url = await startClouds();
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: {
        "auth-open": {},
        routing: {},
        "format-openai-chat": {},
        "format-gemini": {},
        "format-anthropic-messages": {},
        "format-openai-files": {},
      },
      providers: {
        google: {
          use: "vertex-ai",
          apiKey: "token-0123",
          baseUrl: url,
          storageUrl: `${url}/store`,
          projectId: "p",
          region: "us-central1",
          storageBucketName: "bucket-1",
        },
        aws: {
          use: "bedrock",
          baseUrl: url,
          storageUrl: `${url}/store`,
          accessKeyId: "AKIDFILE",
          secretAccessKey: "secret-of-the-file",
          s3Bucket: "bucket-1",
        },
      },
    }),
  );
  return (provider: string, model: string): OpenAI =>
    openAiClient({
      url: gateway.url,
      headers: { "x-gateway-provider": `@${provider}`, "x-gateway-provider-model": model },
    });
}

const gemini = "gemini-2.5-flash";
const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const line = (id: string) => asking(id, { model: "any", messages: [{ role: "user", content: "Hello" }] });

describe.each([
  ["google", gemini, {}],
  ["aws", claude, { role_arn: "arn:aws:iam::1:role/r" }],
])("the OpenAI client before the files and batches of %s", (provider, model, more) => {
  it("uploads, begins a batch and reads what became of it, by the ids it is given", async () => {
    const client = (await start())(provider, model);
    const written = await toFile(Buffer.from(lines(line("a"), line("b"))), "in.jsonl");
    const file = await client.files.create({ file: written, purpose: "batch" });
    expect(file).toMatchObject({ object: "file", filename: "in.jsonl", purpose: "batch", status: "processed" });
    expect(await client.files.retrieve(file.id)).toMatchObject({ id: file.id, bytes: file.bytes });
    const content = await (await client.files.content(file.id)).text();
    expect(content.trimEnd().split("\n")).toHaveLength(2);
    expect(Buffer.byteLength(content)).toBe(file.bytes);

    const asked = {
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      model,
      ...more,
    };
    const batch = await client.batches.create(asked as OpenAI.BatchCreateParams);
    expect(batch).toMatchObject({ object: "batch", input_file_id: file.id });
    expect(await client.batches.retrieve(batch.id)).toMatchObject({ id: batch.id, status: "completed" });
    const output = await client.get(`/batches/${encodeURIComponent(batch.id)}/output`).asResponse();
    const rows = (await output.text()).trimEnd().split("\n");
    expect(rows.map((row) => JSON.parse(row))).toMatchObject(
      ["a", "b"].map((custom_id) => ({
        custom_id,
        response: { status_code: 200, body: { choices: [{ message: { content: "Hi" } }] } },
        error: null,
      })),
    );
  });
});

it("pages through batches by the ids of the last ones", async () => {
  const client = (await start())("google", gemini);
  const file = await client.files.create({
    file: await toFile(Buffer.from(lines(line("a"))), "a.jsonl"),
    purpose: "batch",
  });
  const asked = { input_file_id: file.id, endpoint: "/v1/chat/completions", completion_window: "24h" } as const;
  for (let count = 0; count < 3; count++) await client.batches.create(asked);
  const ids: string[] = [];
  for await (const { id } of client.batches.list({ limit: 1 })) ids.push(id);
  expect(ids).toEqual(["3", "2", "1"]);
  expect(await client.batches.cancel("1")).toMatchObject({ id: "1" });
});
