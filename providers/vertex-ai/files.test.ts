import { expect } from "vitest";
import { asking, form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { fileId, keeping } from "./testing.ts";

/** As the OpenAI client writes an id into a URL. */
const inUrl = encodeURIComponent(fileId);
const headers = {
  "x-gateway-vertex-storage-bucket-name": "bucket-1",
  "x-gateway-provider-model": "gemini-2.5-flash",
  "x-gateway-provider-file-name": "dir/in.jsonl",
};
const chat = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 9 };
const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
const put = "PUT /storage/bucket-1/dir/in.jsonl";
const written = lines(
  ...["a", "b"].map((requestId) => ({ request: { contents, generationConfig: { maxOutputTokens: 9 } }, requestId })),
);

function withField(data: FormData, name: string, value: string): FormData {
  data.append(name, value);
  return data;
}

const files: ProcedureCase[] = [
  {
    name: "writes the lines of a batch in the model's own format",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat), asking("b", chat)), "batch"),
    calls: [
      {
        call: put,
        headers: { authorization: "Bearer token-0123", "x-goog-meta-purpose": "batch", "transfer-encoding": "chunked" },
        sent: written,
      },
    ],
    gets: {
      id: fileId,
      object: "file",
      bytes: written.length,
      filename: "in.jsonl",
      purpose: "batch",
      status: "processed",
    },
  },
  {
    name: "takes a file whose purpose stands behind it for a batch",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch", "x.jsonl", true),
    calls: [{ call: put, sent: ({ body }) => expect(JSON.parse(`${body}`).requestId).toBe("a") }],
    gets: { purpose: "batch" },
  },
  {
    name: "writes Claude's lines in the rows of its maker",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-provider-model": "anthropic.claude-sonnet-4" },
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      {
        call: put,
        sent: {
          custom_id: "a",
          request: {
            messages: [{ role: "user", content: "Hello" }],
            max_tokens: 9,
            anthropic_version: "vertex-2023-10-16",
          },
        },
      },
    ],
  },
  {
    name: "leaves lines of open models what they are, but for the model",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-provider-model": "meta.llama-3.3-70b" },
    body: form(lines(asking("a", chat)), "batch"),
    calls: [{ call: put, sent: asking("a", { ...chat, model: "meta/llama-3.3-70b" }) }],
  },
  {
    name: "writes lines of embeddings as instances",
    ask: "POST /v1/files",
    headers: {
      ...headers,
      "x-gateway-provider-model": "text-embedding-005",
      "x-gateway-provider-batch-endpoint": "/v1/embeddings",
    },
    body: form(lines(asking("a", { model: "x", input: "Hello", dimensions: 8 }, "/v1/embeddings")), "batch"),
    calls: [{ call: put, sent: { content: "Hello", requestId: "a" } }],
    getsHeaders: { "x-gateway-dropped-params": "dimensions" },
  },
  {
    name: "writes examples to learn from as conversations",
    ask: "POST /v1/files",
    headers,
    body: form(lines({ messages: [...chat.messages, { role: "assistant", content: "Hi" }] }), "fine-tune"),
    calls: [{ call: put, sent: { contents: [...contents, { role: "model", parts: [{ text: "Hi" }] }] } }],
    gets: { purpose: "fine-tune" },
  },
  {
    name: "leaves other files what they are",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-file-purpose": "upload" },
    body: form(Buffer.from([0, 255, 13, 10])),
    calls: [{ call: put, sent: ({ body }) => expect(body).toEqual(Buffer.from([0, 255, 13, 10])) }],
    gets: { purpose: "upload", bytes: 4 },
  },
  {
    name: "names what an upload needs",
    ask: "POST /v1/files",
    body: form("", "batch"),
    calls: [],
    status: 400,
    gets: {
      error: {
        message: expect.stringContaining("vertex-storage-bucket-name and provider-model"),
      },
    },
  },
  ...(
    [
      ["is not JSON", `${lines(asking("a", chat))}{"custom_id":`, "line 2 is not valid JSON", "file"],
      ["is no object", `${lines(asking("a", chat))}\n[]\n`, "line 3 is not a JSON object", "file"],
      [
        "has no id",
        lines({ url: "/v1/chat/completions", body: chat }),
        "line 1: custom_id is required",
        "line 1: custom_id",
      ],
      ["asks nobody", lines(asking("a", chat, "/v1/audio/speech")), "line 1: url must be", "line 1: url"],
      ["has a mistake in it", lines(asking("a", { messages: 7 })), "line 1: messages must be", "line 1: messages"],
      ["wants a stream", lines(asking("a", { ...chat, stream: true })), "line 1: body.stream", "line 1: body.stream"],
      [
        "wants two vectors",
        lines(asking("a", { input: ["a", "b"] }, "/v1/embeddings")),
        "line 1: body.input",
        "line 1: body.input",
      ],
    ] as const
  ).map(([what, body, message, param]) => ({
    name: `refuses a line that ${what}, by its number`,
    ask: "POST /v1/files",
    headers: { ...headers, ...(body.includes("embeddings") && { "x-gateway-provider-model": "text-embedding-005" }) },
    body: form(body, "batch"),
    calls: [],
    status: 400,
    gets: { error: { message: expect.stringContaining(message), param } },
  })),
  {
    name: "says which fields of the form it cannot take",
    ask: "POST /v1/files",
    headers,
    body: withField(form(lines(asking("a", chat)), "batch"), "expires_after[seconds]", "9"),
    calls: [{ call: put }],
    getsHeaders: { "x-gateway-dropped-params": "expires_after[seconds]" },
  },
  {
    name: "refuses such fields where nothing may be lost",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-strict-params": "true" },
    body: withField(form(lines(asking("a", chat)), "batch"), "expires_after[seconds]", "9"),
    calls: [],
    status: 400,
    gets: { errors: ["path: expires_after[seconds], message: not supported by vertex-ai"] },
  },
  {
    name: "gives an upload up whose purpose turns out to be another",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "fine-tune", "x.jsonl", true),
    calls: [],
    status: 400,
    gets: {
      error: { message: expect.stringContaining('purpose "fine-tune" stands behind the file'), param: "purpose" },
    },
  },
  {
    name: "wants a purpose",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat))),
    calls: [],
    status: 400,
    gets: { error: { param: "purpose" } },
  },
  ...(
    [
      ["a bucket that is a path", { "x-gateway-vertex-storage-bucket-name": "b/../c" }],
      ["a bucket that is none", { "x-gateway-vertex-storage-bucket-name": "Bucket" }],
      ["a name that leaves the bucket", { "x-gateway-provider-file-name": "../other/x" }],
    ] as const
  ).map(([what, more]) => ({
    name: `refuses ${what}`,
    ask: "POST /v1/files",
    headers: { ...headers, ...more },
    body: form("", "batch"),
    calls: [],
    status: 400,
  })),
  {
    name: "tells of an object",
    ask: `GET /v1/files/${inUrl}`,
    calls: [
      {
        call: "HEAD /storage/bucket-1/dir/in.jsonl",
        answerHeaders: {
          "x-goog-stored-content-length": "212",
          "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
          "x-goog-meta-purpose": "batch",
        },
      },
    ],
    gets: {
      id: fileId,
      bytes: 212,
      created_at: 1_767_225_600,
      filename: "in.jsonl",
      purpose: "batch",
      status: "processed",
    },
  },
  {
    name: "says with the status what an answer without a body does not",
    ask: `GET /v1/files/${fileId}`,
    calls: [{ call: "HEAD /storage/bucket-1/dir/in.jsonl", status: 404 }],
    status: 404,
    gets: { error: { message: "vertex-ai error: Not Found" } },
  },
  {
    name: "gives the content of an object as it is",
    ask: `GET /v1/files/${inUrl}/content`,
    calls: [
      {
        call: "GET /storage/bucket-1/dir/in.jsonl",
        answerHeaders: { "content-type": "application/jsonl" },
        answer: Buffer.from("{}\n"),
      },
    ],
    gets: "{}\n",
    getsHeaders: { "content-type": "application/jsonl" },
  },
  {
    name: "tells what the storage says is wrong",
    ask: `GET /v1/files/${fileId}/content`,
    calls: [
      {
        call: "GET /storage/bucket-1/dir/in.jsonl",
        status: 404,
        answer: "<?xml version='1.0'?><Error><Code>NoSuchKey</Code><Message>No &quot;such&quot; key.</Message></Error>",
      },
    ],
    status: 404,
    gets: { error: { message: 'vertex-ai error: No "such" key.', code: "NoSuchKey" } },
  },
  ...[
    "file-1",
    encodeURIComponent("s3://bucket-1/x"),
    encodeURIComponent("gs://a@evil.example/x"),
    "gs%3A%2F%2Fb-1%2F..%2Fx",
  ].map((bad) => ({
    name: `refuses the id ${bad}`,
    ask: `GET /v1/files/${encodeURIComponent(bad)}/content`,
    calls: [],
    status: 400,
    gets: { error: { param: "file_id" } },
  })),
  {
    name: "keeps to the buckets of the config file",
    ask: `GET /v1/files/${fileId}/content`,
    options: { storageBuckets: ["other-1"] },
    calls: [],
    status: 400,
    gets: { error: { message: expect.stringContaining("not among those of the config file") } },
  },
  { name: "lists no files", ask: "GET /v1/files", calls: [], status: 400 },
  { name: "deletes no files", ask: `DELETE /v1/files/${fileId}`, calls: [], status: 400 },
];

tryProcedures("vertex-ai", keeping, files);
