import { expect } from "vitest";
import { asking, form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { avroFile, double, list, text } from "./testing.ts";

const dataset = (more: object = {}) => ({
  id: "ds-1",
  name: "gateway-1",
  created_at: "2026-01-01T00:00:00Z",
  dataset_type: "embed-input",
  validation_status: "validated",
  dataset_parts: [{ id: "p", url: "https://x.example", index: 0, size_bytes: 7 }],
  ...more,
});
const told = { id: "ds-1", object: "file", bytes: 7, created_at: 1_767_225_600, purpose: "batch", status: "processed" };

const files: ProcedureCase[] = [
  {
    name: "uploads lines as a dataset",
    ask: "POST /v1/files",
    body: form(
      lines(asking("a", { input: "Hello" }, "/v1/embeddings"), asking("b", { input: ["Bye"] }, "/v1/embeddings")),
      "batch",
    ),
    calls: [
      {
        call: /^POST \/v1\/datasets\?name=gateway-[0-9a-f-]{36}&type=embed-input&keep_fields=custom_id%2Cid$/,
        headers: {
          authorization: "Bearer key-0123",
          "content-type": /^content-type: multipart\/form-data; boundary=form-/,
        },
        sent({ body }) {
          const [, file = ""] =
            /name="data"; filename="data.jsonl"\r\nContent-Type: application\/jsonl\r\n\r\n(.*)\r\n--form-.*--\r\n$/s.exec(
              `${body}`,
            ) ?? [];
          expect(
            file
              .trimEnd()
              .split("\n")
              .map((line) => JSON.parse(line)),
          ).toEqual([
            { custom_id: "a", text: "Hello", id: expect.any(String) },
            { custom_id: "b", text: "Bye", id: expect.any(String) },
          ]);
        },
        answer: { id: "ds-1" },
      },
    ],
    gets: { id: "ds-1", filename: "lines.jsonl", purpose: "batch", status: "uploaded" },
  },
  ...(
    [
      ["a line that asks for chat", lines(asking("a", { messages: [] })), "batch", "line 1: url"],
      [
        "a line with two texts",
        lines(asking("a", { input: ["a", "b"] }, "/v1/embeddings")),
        "batch",
        "line 1: body.input",
      ],
      ["a broken line", '{"custom_id"', "batch", "file"],
      ["another purpose", "{}", "fine-tune", "purpose"],
    ] as const
  ).map(([what, body, purpose, param]) => ({
    name: `refuses ${what}`,
    ask: "POST /v1/files",
    body: form(body, purpose),
    calls: [],
    status: 400,
    gets: { error: { param } },
  })),
  {
    name: "lists datasets made before one",
    ask: "GET /v1/files?limit=1&after=ds-2",
    calls: [
      { call: "GET /v1/datasets/ds-2", answer: { dataset: dataset() } },
      {
        call: "GET /v1/datasets?dataset_type=embed-input&limit=1&before=2026-01-01T00%3A00%3A00Z",
        answer: { datasets: [dataset()] },
      },
    ],
    gets: { object: "list", data: [told], has_more: true },
  },
  {
    name: "tells of a dataset that was not taken",
    ask: "GET /v1/files/ds-1",
    calls: [
      {
        call: "GET /v1/datasets/ds-1",
        answer: { dataset: dataset({ validation_status: "failed", validation_error: "no texts" }) },
      },
    ],
    gets: { ...told, status: "error", status_details: "no texts" },
  },
  {
    name: "deletes a dataset",
    ask: "DELETE /v1/files/ds-1",
    calls: [{ call: "DELETE /v1/datasets/ds-1", answer: {} }],
    gets: { id: "ds-1", deleted: true },
  },
  { name: "gives no content back", ask: "GET /v1/files/ds-1/content", calls: [], status: 400 },
];

const job = (more: object = {}) => ({
  job_id: "job-1",
  status: "complete",
  model: "embed-english-v3.0",
  created_at: "2026-01-01T00:00:00Z",
  input_dataset_id: "ds-1",
  output_dataset_id: "ds-9",
  ...more,
});
const ask = {
  input_file_id: "ds-1",
  endpoint: "/v1/embeddings",
  completion_window: "24h",
  model: "embed-english-v3.0",
};

/** Rows as the vendor writes them. */
const schema = {
  type: "record",
  name: "Row",
  fields: [
    { name: "custom_id", type: "string" },
    { name: "text", type: "string" },
    {
      name: "embeddings",
      type: { type: "record", name: "Kinds", fields: [{ name: "float", type: { type: "array", items: "double" } }] },
    },
  ],
};
const row = (id: string, ...vector: number[]) => Buffer.concat([text(id), text("Hello"), list(...vector.map(double))]);
const vectors = (embedding: number[]) => ({
  response: {
    status_code: 200,
    body: { object: "list", model: "embed-english-v3.0", data: [{ object: "embedding", index: 0, embedding }] },
  },
  error: null,
});

const batches: ProcedureCase[] = [
  {
    name: "begins an embed job",
    ask: "POST /v1/batches",
    body: { ...ask, job_name: "night", truncate: "END", metadata: { a: "b" } },
    calls: [
      {
        call: "POST /v1/embed-jobs",
        sent: {
          model: "embed-english-v3.0",
          dataset_id: "ds-1",
          input_type: "search_document",
          name: "night",
          truncate: "END",
        },
        answer: { job_id: "job-1", meta: {} },
      },
    ],
    gets: { id: "job-1", object: "batch", endpoint: "/v1/embed", status: "in_progress", input_file_id: "ds-1" },
    getsHeaders: { "x-gateway-dropped-params": "metadata" },
  },
  ...(
    [
      [{ endpoint: undefined }, "endpoint"],
      [{ endpoint: "/v1/chat/completions" }, "endpoint"],
      [{ model: undefined }, "model"],
      [{ input_file_id: undefined }, "input_file_id"],
      [{ completion_window: "48h" }, "completion_window"],
    ] as const
  ).map(([more, param]) => ({
    name: `begins no job with ${JSON.stringify(more)}`,
    ask: "POST /v1/batches",
    body: { ...ask, ...more },
    calls: [],
    status: 400,
    gets: { error: { param } },
  })),
  {
    name: "cuts a page out of the list",
    ask: "GET /v1/batches?limit=1&after=job-0",
    calls: [
      {
        call: "GET /v1/embed-jobs",
        answer: { embed_jobs: [job({ job_id: "job-0" }), job(), job({ job_id: "job-2" })] },
      },
    ],
    gets: { data: [{ id: "job-1" }], has_more: true, last_id: "job-1" },
  },
  ...(
    [
      ["processing", "in_progress"],
      ["complete", "completed"],
      ["cancelling", "cancelling"],
      ["cancelled", "cancelled"],
      ["failed", "failed"],
    ] as const
  ).map(([status, said]) => ({
    name: `says ${said} for ${status}`,
    ask: "GET /v1/batches/job-1",
    calls: [{ call: "GET /v1/embed-jobs/job-1", answer: job({ status }) }],
    gets: { id: "job-1", status: said, output_file_id: "ds-9" },
  })),
  {
    name: "cancels a job",
    ask: "POST /v1/batches/job-1/cancel",
    calls: [
      { call: "POST /v1/embed-jobs/job-1/cancel", sent: "" },
      { call: "GET /v1/embed-jobs/job-1", answer: job({ status: "processing" }) },
    ],
    gets: { status: "cancelling" },
  },
  {
    name: "gives the parts of the output as OpenAI's lines, and shows its key to nobody else",
    ask: "GET /v1/batches/job-1/output",
    calls: [
      { call: "GET /v1/embed-jobs/job-1", answer: job() },
      {
        call: "GET /v1/datasets/ds-9",
        answer: {
          dataset: dataset({
            dataset_parts: [
              { index: 1, url: "{url}/signed/2?sig=b" },
              { index: 0, url: "{url}/signed/1?sig=a" },
            ],
          }),
        },
      },
      {
        call: "GET /signed/1?sig=a",
        headers: { authorization: undefined },
        answer: avroFile(schema, [[row("a", 0.5, 1)], [row("b", 2)]]),
      },
      {
        call: "GET /signed/2?sig=b",
        headers: { authorization: undefined },
        answer: lines({ custom_id: "c", text: "x", embedding: [3] }, { custom_id: "d", text: "x" }),
      },
    ],
    gets: [
      { id: "job-1_1", custom_id: "a", ...vectors([0.5, 1]) },
      { custom_id: "b", ...vectors([2]) },
      { custom_id: "c", ...vectors([3]) },
      { custom_id: "d", response: null, error: { code: "upstream_invalid" } },
    ],
  },
  {
    name: "has no output before the end",
    ask: "GET /v1/batches/job-1/output",
    calls: [{ call: "GET /v1/embed-jobs/job-1", answer: job({ status: "processing" }) }],
    status: 400,
  },
  { name: "has no fine-tuning", ask: "GET /v1/fine_tuning/jobs", calls: [], status: 400 },
];

tryProcedures("cohere", { apiKey: "key-0123", baseUrl: "{url}" }, [...files, ...batches]);
