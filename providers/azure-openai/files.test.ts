import { expect } from "vitest";
import { form, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";

const dated = (base: string, version = "?api-version=2024-10-21"): ProcedureCase[] => [
  {
    name: `passes an upload as it came, below ${base}`,
    ask: "POST /v1/files",
    body: form(Buffer.from([0, 255]), "batch"),
    calls: [
      {
        call: `POST ${base}/files${version}`,
        headers: { "api-key": "key-0123", "content-type": /multipart\/form-data/ },
        sent: ({ body }) => expect(body.includes(Buffer.from([0, 255]))).toBe(true),
        answer: { id: "file-1", purpose: "batch", own: 1 },
      },
    ],
    gets: { id: "file-1", own: 1 },
  },
  {
    name: `passes a batch with fields of its own, below ${base}`,
    ask: "POST /v1/batches",
    body: { input_blob: "https://x", output_folder: { url: "https://y" }, endpoint: "/chat/completions" },
    calls: [
      {
        call: `POST ${base}/batches${version}`,
        sent: { input_blob: "https://x", output_folder: { url: "https://y" }, endpoint: "/chat/completions" },
        answer: { id: "b" },
      },
    ],
    gets: { id: "b" },
  },
  {
    name: `asks for an output in two calls, below ${base}`,
    ask: "GET /v1/batches/b1/output",
    calls: [
      { call: `GET ${base}/batches/b1${version}`, answer: { status: "completed", output_file_id: "file-2" } },
      { call: `GET ${base}/files/file-2/content${version}`, answer: "{}\n" },
    ],
    gets: "{}\n",
  },
  ...(
    [
      ["POST", "", { status: "pending", id: "f" }, { status: "queued", id: "f" }],
      ["GET", "/f", { status: "created", id: "f" }, { status: "queued", id: "f" }],
      ["GET", "/f", { status: "running", id: "f" }, { status: "running", id: "f" }],
      ["POST", "/f/cancel", { status: "cancelled" }, { status: "cancelled" }],
      ["GET", "", { data: [{ status: "pending" }, { status: "failed" }] }, { data: [{ status: "queued" }, {}] }],
    ] as const
  ).map(([method, rest, answer, gets]) => ({
    name: `says of ${method} ${rest || "jobs"} what it says itself, but for ${JSON.stringify(answer)}, below ${base}`,
    ask: `${method} /v1/fine_tuning/jobs${rest}`,
    ...(rest === "" && method === "POST" && { body: { model: "m", training_file: "t" } }),
    calls: [{ call: `${method} ${base}/fine_tuning/jobs${rest}${version}`, answer }],
    gets,
  })),
  {
    name: `passes a refusal as it came, below ${base}`,
    ask: "GET /v1/fine_tuning/jobs/f",
    calls: [{ call: `GET ${base}/fine_tuning/jobs/f${version}`, status: 404, answer: { error: { code: "NotFound" } } }],
    status: 404,
    gets: { error: { code: "NotFound" } },
  },
];

const azure = { resourceName: "r1", apiKey: "key-0123", baseUrl: "{url}/openai" };
tryProcedures("azure-openai", { ...azure, apiVersion: "2024-10-21" }, dated("/openai"));
tryProcedures("azure-openai", { ...azure, apiVersion: "v1" }, dated("/openai/v1", ""));

tryProcedures("azure-ai", { apiKey: "key-0123", baseUrl: "{url}/models", apiVersion: "2024-10-21" }, [
  {
    name: "passes files to the resource, not to its models",
    ask: "GET /v1/files?purpose=batch",
    calls: [{ call: "GET /openai/files?purpose=batch&api-version=2024-10-21", answer: { object: "list", data: [] } }],
    gets: { object: "list" },
  },
  {
    name: "asks for an output there, too",
    ask: "GET /v1/batches/b1/output",
    calls: [
      { call: "GET /openai/batches/b1?api-version=2024-10-21", answer: { output_file_id: "file-2" } },
      { call: "GET /openai/files/file-2/content?api-version=2024-10-21", answer: "{}\n" },
    ],
    gets: "{}\n",
  },
]);

tryProcedures("azure-ai", { apiKey: "key-0123", baseUrl: "{url}/anthropic" }, [
  { name: "has no files beside Claude", ask: "GET /v1/files", calls: [], status: 400 },
]);
