import { describe, expect, it } from "vitest";
import { startTestGateway } from "../../test/support/gateway.ts";
import { form, lines, tryProcedures } from "../../test/support/procedures.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";

const file = {
  id: "file_011",
  type: "file",
  filename: "a.pdf",
  mime_type: "application/pdf",
  size_bytes: 4,
  created_at: "2026-01-01T00:00:00Z",
  downloadable: true,
};
const told = {
  id: "file_011",
  object: "file",
  bytes: 4,
  created_at: 1_767_225_600,
  filename: "a.pdf",
  status: "processed",
};
const beta = { "anthropic-beta": "files-api-2025-04-14", "x-api-key": "sk-ant-1" };

const batch = (more: object = {}) => ({
  id: "msgbatch_1",
  type: "message_batch",
  processing_status: "in_progress",
  request_counts: { processing: 2, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
  created_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-02T00:00:00Z",
  ended_at: null,
  cancel_initiated_at: null,
  results_url: null,
  ...more,
});
const ended = (counts: object, more: object = {}) =>
  batch({
    processing_status: "ended",
    ended_at: "2026-01-01T01:00:00Z",
    request_counts: { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0, ...counts },
    ...more,
  });
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-4-5",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 2 },
};
const requests = [{ custom_id: "a", params: { model: "claude-sonnet-4-5", max_tokens: 9, messages: [] } }];

tryProcedures("anthropic", { apiKey: "sk-ant-1", baseUrl: "{url}/v1" }, [
  {
    name: "uploads the form as it came",
    ask: "POST /v1/files",
    body: form(Buffer.from([0, 255, 13, 10]), "user_data", "a.pdf"),
    calls: [
      {
        call: "POST /v1/files",
        headers: { ...beta, "content-type": /multipart\/form-data; boundary=/, "content-length": /\d+$/ },
        sent: ({ body }) => expect(body.includes(Buffer.from([0, 255, 13, 10]))).toBe(true),
        answer: file,
      },
    ],
    gets: { ...told, purpose: "user_data", mime_type: "application/pdf" },
    getsHeaders: { "x-gateway-provider": "anthropic" },
  },
  {
    name: "lists files, a page at a time",
    ask: "GET /v1/files?limit=1&after=file_010",
    headers: { "anthropic-beta": "other-1" },
    calls: [
      {
        call: "GET /v1/files?limit=1&after_id=file_010",
        headers: { "anthropic-beta": "other-1,files-api-2025-04-14", "content-type": undefined },
        answer: { data: [file], has_more: true, first_id: "file_011", last_id: "file_011" },
      },
    ],
    gets: { object: "list", data: [told], has_more: true, first_id: "file_011", last_id: "file_011" },
  },
  {
    name: "has no files for batches",
    ask: "GET /v1/files?purpose=batch",
    calls: [],
    gets: { data: [], has_more: false },
  },
  {
    name: "tells of a file, whatever its id is made of",
    ask: "GET /v1/files/file%2F..%2Fx",
    calls: [{ call: "GET /v1/files/file%2F..%2Fx", headers: beta, answer: file }],
    gets: told,
  },
  {
    name: "gives the content with its own type",
    ask: "GET /v1/files/file_011/content",
    calls: [
      {
        call: "GET /v1/files/file_011/content",
        headers: beta,
        answerHeaders: { "content-type": "application/pdf" },
        answer: "%PDF",
      },
    ],
    gets: "%PDF",
    getsHeaders: { "content-type": "application/pdf", "content-length": "4" },
  },
  {
    name: "deletes a file",
    ask: "DELETE /v1/files/file_011",
    calls: [{ call: "DELETE /v1/files/file_011", headers: beta, answer: { id: "file_011", type: "file_deleted" } }],
    gets: { id: "file_011", object: "file", deleted: true },
  },
  {
    name: "says why a vendor refused, with its status",
    ask: "GET /v1/files/file_012",
    calls: [
      {
        call: "GET /v1/files/file_012",
        status: 404,
        answerHeaders: { "request-id": "req_1" },
        answer: { type: "error", error: { type: "not_found_error", message: "no sk-ant-1" } },
      },
    ],
    status: 404,
    gets: { error: { message: "anthropic error: no ***", type: "not_found_error" }, provider: "anthropic" },
    getsHeaders: { "request-id": "req_1", "content-type": "application/json" },
  },
  {
    name: "begins a batch of the requests in it",
    ask: "POST /v1/batches",
    body: { requests, endpoint: "/v1/chat/completions", completion_window: "24h", metadata: { a: "b" }, job_name: "x" },
    calls: [
      {
        call: "POST /v1/messages/batches",
        headers: { "content-type": "application/json", "anthropic-beta": undefined },
        sent: { requests },
        answer: batch(),
      },
    ],
    gets: {
      id: "msgbatch_1",
      object: "batch",
      endpoint: "/v1/batches",
      status: "in_progress",
      created_at: 1_767_225_600,
      expires_at: 1_767_312_000,
      request_counts: { total: 2, completed: 0, failed: 0 },
    },
    getsHeaders: { "x-gateway-dropped-params": "metadata,job_name" },
  },
  {
    name: "takes no file of requests",
    ask: "POST /v1/batches",
    body: { input_file_id: "file-1", endpoint: "/v1/chat/completions", completion_window: "24h" },
    calls: [],
    status: 400,
    gets: { error: { param: "requests" } },
  },
  {
    name: "runs nothing at once",
    ask: "POST /v1/batches",
    body: { requests, completion_window: "immediate" },
    calls: [],
    status: 400,
    gets: { error: { param: "completion_window" } },
  },
  {
    name: "lists batches",
    ask: "GET /v1/batches?limit=2&after=msgbatch_0",
    calls: [
      { call: "GET /v1/messages/batches?limit=2&after_id=msgbatch_0", answer: { data: [batch()], has_more: false } },
    ],
    gets: { object: "list", data: [{ id: "msgbatch_1" }], has_more: false },
  },
  {
    name: "refuses a limit nobody has",
    ask: "GET /v1/batches?limit=101",
    calls: [],
    status: 400,
    gets: { error: { param: "limit", message: 'limit must be a whole number from 1 to 100, got "101".' } },
  },
  ...(
    [
      [ended({ succeeded: 1, errored: 1 }), "completed", { completed_at: 1_767_229_200 }],
      [ended({ errored: 2 }), "failed", { failed_at: 1_767_229_200, request_counts: { total: 2, failed: 2 } }],
      [ended({ canceled: 2 }), "cancelled", { cancelled_at: 1_767_229_200 }],
      [ended({ expired: 2 }), "expired", { expired_at: 1_767_229_200 }],
      [batch({ processing_status: "canceling", cancel_initiated_at: "2026-01-01T00:00:01Z" }), "cancelling", {}],
      [
        ended({ succeeded: 1 }, { results_url: "https://x.example/r" }),
        "completed",
        { results_url: "https://x.example/r" },
      ],
    ] as const
  ).map(([answer, status, more], at) => ({
    name: `tells of a batch that is ${status} (${at + 1})`,
    ask: "GET /v1/batches/msgbatch_1",
    calls: [{ call: "GET /v1/messages/batches/msgbatch_1", answer }],
    gets: { status, ...more },
  })),
  {
    name: "does not guess what a status means",
    ask: "GET /v1/batches/msgbatch_1",
    calls: [{ call: "GET /v1/messages/batches/msgbatch_1", answer: batch({ processing_status: "napping" }) }],
    status: 502,
    gets: { error: { message: 'The batch has a status nobody knows: "napping".' } },
  },
  {
    name: "cancels a batch without a body",
    ask: "POST /v1/batches/msgbatch_1/cancel",
    calls: [
      {
        call: "POST /v1/messages/batches/msgbatch_1/cancel",
        headers: { "content-length": "0" },
        sent: "",
        answer: batch({ processing_status: "canceling" }),
      },
    ],
    gets: { status: "cancelling" },
  },
  {
    name: "gives results as OpenAI's lines, and follows no address",
    ask: "GET /v1/batches/msgbatch_1/output",
    calls: [
      { call: "GET /v1/messages/batches/msgbatch_1", answer: ended({}, { results_url: "https://evil.example/r" }) },
      {
        call: "GET /v1/messages/batches/msgbatch_1/results",
        answer: lines(
          { custom_id: "a", result: { type: "succeeded", message } },
          {
            custom_id: "b",
            result: {
              type: "errored",
              error: { type: "error", error: { type: "invalid_request_error", message: "no" } },
            },
          },
          { custom_id: "c", result: { type: "expired" } },
          { custom_id: "d", result: { type: "succeeded", message: { type: "message" } } },
        ),
      },
    ],
    gets: [
      {
        id: "msgbatch_1_1",
        custom_id: "a",
        response: {
          status_code: 200,
          request_id: "msg_1",
          body: {
            object: "chat.completion",
            model: "claude-sonnet-4-5",
            choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
            usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
          },
        },
        error: null,
      },
      { custom_id: "b", response: null, error: { code: "invalid_request_error", message: "no" } },
      { custom_id: "c", response: null, error: { code: "expired", message: "The request is expired." } },
      { custom_id: "d", response: null, error: { code: "upstream_invalid" } },
    ],
    getsHeaders: { "content-type": "application/octet-stream" },
  },
  {
    name: "has no output before the end",
    ask: "GET /v1/batches/msgbatch_1/output",
    calls: [{ call: "GET /v1/messages/batches/msgbatch_1", answer: batch() }],
    status: 400,
    gets: { error: { message: "The batch is in_progress: it has an output when it has ended." } },
  },
  {
    name: "has no fine-tuning",
    ask: "POST /v1/fine_tuning/jobs",
    body: { model: "m", training_file: "f" },
    calls: [],
    status: 400,
    gets: { error: { message: "createFinetune is not supported by anthropic." } },
  },
]);

/** The same API at AWS, where calls are signed. */
const signature = / AWS4-HMAC-SHA256 Credential=AKIDFILE\/\d{8}\/eu-west-1\/aws-external-anthropic\/aws4_request, /;
const { "anthropic-beta": filesBeta } = beta;

tryProcedures(
  "claude-platform-aws",
  {
    region: "eu-west-1",
    accessKeyId: "AKIDFILE",
    secretAccessKey: "s",
    workspaceId: "wrkspc_1",
    baseUrl: "{url}/v1",
  },
  [
    {
      name: "uploads the form as it came, with a signature that does not cover it",
      ask: "POST /v1/files",
      body: form("abcd", "user_data", "a.pdf"),
      calls: [
        {
          call: "POST /v1/files",
          headers: {
            authorization: signature,
            "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
            "anthropic-beta": filesBeta,
            "anthropic-workspace-id": "wrkspc_1",
            "content-type": /multipart\/form-data; boundary=/,
          },
          sent: ({ body }) => expect(body.toString()).toContain("abcd"),
          answer: file,
        },
      ],
      gets: told,
    },
    {
      name: "gives results of batches, each call signed",
      ask: "GET /v1/batches/msgbatch_1/output",
      calls: [
        {
          call: "GET /v1/messages/batches/msgbatch_1",
          headers: { authorization: signature, "x-amz-content-sha256": undefined },
          answer: ended({ expired: 1 }),
        },
        {
          call: "GET /v1/messages/batches/msgbatch_1/results",
          headers: { authorization: signature },
          answer: lines({ custom_id: "a", result: { type: "expired" } }),
        },
      ],
      gets: [{ custom_id: "a", response: null, error: { code: "expired" } }],
    },
  ],
);

describe("clients of Anthropic's own", () => {
  it("get its answers as they are, at the same paths", async () => {
    const upstream = await startUpstream((_, response) => json(response, 200, file));
    const gateway = await startTestGateway(
      JSON.stringify({
        plugins: {
          "auth-open": {},
          routing: { default: "anthropic" },
          "format-openai-files": {},
          "format-anthropic-messages": {},
        },
        providers: { anthropic: { apiKey: "sk-ant-1", baseUrl: `${upstream.url}/v1` } },
      }),
    );
    const headers = { "anthropic-version": "2023-06-01" };
    const response = await fetch(`${gateway.url}/v1/files/file_011?beta=true`, { headers });
    expect(await response.json()).toEqual(file);
    expect(upstream.received[0]?.url).toBe("/v1/files/file_011?beta=true");
  });
});
