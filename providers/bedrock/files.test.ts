import { expect } from "vitest";
import { asking, form, lines, type ProcedureCase, tryProcedures } from "../../test/support/procedures.ts";
import { fileId, inUrl, keeping, s3Signature } from "./testing.ts";

const claude = "anthropic.claude-sonnet-4-5-20250929-v1:0";
const headers = {
  "x-gateway-aws-s3-bucket": "bucket-1",
  "x-gateway-aws-s3-object-key": "dir/in.jsonl",
  "x-gateway-aws-bedrock-model": claude,
};
const chat = { model: "any", messages: [{ role: "user", content: "Hello" }], max_tokens: 9 };
const object = "/storage/bucket-1/dir/in.jsonl";

/** What S3 is asked for one upload of one part. */
const uploading = (sent: string | object, more: object = {}): ProcedureCase["calls"] => [
  {
    call: `POST ${object}?uploads=`,
    headers: {
      authorization: s3Signature,
      "content-type": "application/jsonl",
      "x-amz-meta-purpose": /batch|fine-tune|user_data/,
      "x-amz-content-sha256": /[0-9a-f]{64}$/,
    },
    answer: "<InitiateMultipartUploadResult><UploadId>up/1</UploadId></InitiateMultipartUploadResult>",
    ...more,
  },
  {
    call: `PUT ${object}?partNumber=1&uploadId=up%2F1`,
    headers: { authorization: s3Signature },
    sent: typeof sent === "string" ? sent : lines(sent),
    answerHeaders: { etag: '"tag-1"' },
  },
  {
    call: `POST ${object}?uploadId=up%2F1`,
    sent:
      '<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
      '<Part><PartNumber>1</PartNumber><ETag>"tag-1"</ETag></Part></CompleteMultipartUpload>',
    answer: "<CompleteMultipartUploadResult/>",
  },
];

const claudeInput = {
  max_tokens: 9,
  messages: [{ role: "user", content: "Hello" }],
  anthropic_version: "bedrock-2023-05-31",
};

const files: ProcedureCase[] = [
  {
    name: "writes Claude's lines in its own format",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat), asking("b", chat)), "batch"),
    calls: uploading(lines(...["a", "b"].map((recordId) => ({ recordId, modelInput: claudeInput })))),
    gets: { id: fileId, object: "file", filename: "in.jsonl", purpose: "batch", status: "processed" },
  },
  {
    name: "writes lines of models without a prompt of their own for Converse, and takes other names of headers",
    ask: "POST /v1/files",
    headers: {
      "x-gateway-aws-s3-bucket": "bucket-1",
      "x-gateway-provider-file-name": "dir/in.jsonl",
      "x-gateway-provider-model": "amazon.nova-pro-v1:0",
      "x-gateway-amz-server-side-encryption": "aws:kms",
      "x-gateway-amz-server-side-encryption-aws-kms-key-id": "key-1",
    },
    body: form(lines(asking("a", chat)), "batch"),
    calls: uploading(
      {
        recordId: "a",
        modelInput: { messages: [{ role: "user", content: [{ text: "Hello" }] }], inferenceConfig: { maxTokens: 9 } },
      },
      {
        headers: {
          "x-amz-server-side-encryption": "aws:kms",
          "x-amz-server-side-encryption-aws-kms-key-id": "key-1",
          authorization: /x-amz-server-side-encryption;x-amz-server-side-encryption-aws-kms-key-id, /,
        },
      },
    ),
  },
  {
    name: "writes lines of embeddings in the words of their maker",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-aws-bedrock-model": "amazon.titan-embed-text-v2:0" },
    body: form(lines(asking("a", { input: "Hello", dimensions: 256 }, "/v1/embeddings")), "batch"),
    calls: uploading({ recordId: "a", modelInput: { inputText: "Hello", dimensions: 256 } }),
  },
  {
    name: "keeps examples to learn from as conversations",
    ask: "POST /v1/files",
    headers,
    body: form(
      lines({
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Hi", weight: 1 },
        ],
      }),
      "fine-tune",
    ),
    calls: uploading({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi" },
      ],
    }),
    gets: { purpose: "fine-tune" },
  },
  {
    name: "writes examples as a prompt and what follows it where the model takes that",
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-model-type": "text" },
    body: form(
      lines({
        messages: [
          { role: "user", content: "Hello" },
          { role: "assistant", content: "Hi" },
        ],
      }),
      "fine-tune",
    ),
    calls: uploading({ prompt: "Hello", completion: "Hi" }),
  },
  {
    name: "leaves other files what they are, and an empty one is a file",
    ask: "POST /v1/files",
    headers,
    body: form("", "user_data"),
    calls: uploading(""),
    gets: { bytes: 0, purpose: "user_data" },
  },
  {
    name: "takes files of lines only",
    ask: "POST /v1/files",
    headers,
    body: form("{}", "batch", "a.csv"),
    calls: [],
    status: 400,
    gets: { error: { param: "file" } },
  },
  ...(
    [
      ["aws-s3-bucket", { "x-gateway-aws-bedrock-model": claude }],
      ["aws-bedrock-model", { "x-gateway-aws-s3-bucket": "bucket-1" }],
    ] as const
  ).map(([header, some]) => ({
    name: `names the header ${header} that an upload needs`,
    ask: "POST /v1/files",
    headers: some,
    body: form("", "batch"),
    calls: [],
    status: 400,
    gets: { error: { param: header } },
  })),
  ...["Bucket", "a", "a..b", "-ab", "10.0.0.1", "b/c", "b@evil.example", "b.evil.example."].map((bucket) => ({
    name: `takes no bucket called ${bucket}`,
    ask: "POST /v1/files",
    headers: { ...headers, "x-gateway-aws-s3-bucket": bucket },
    body: form("", "batch"),
    calls: [],
    status: 400,
  })),
  {
    name: "clears away what was begun where a line is broken",
    ask: "POST /v1/files",
    headers,
    body: form(`${lines(asking("a", chat))}nonsense\n`, "batch"),
    calls: [
      uploading("")[0] ?? { call: "" },
      { call: `DELETE ${object}?uploadId=up%2F1`, headers: { authorization: s3Signature }, status: 204 },
    ],
    status: 400,
    gets: { error: { message: expect.stringContaining("line 2 is not valid JSON") } },
  },
  {
    name: "clears away what was begun where a part is refused, and says why",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      uploading("")[0] ?? { call: "" },
      {
        call: `PUT ${object}?partNumber=1&uploadId=up%2F1`,
        status: 403,
        answer: "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>",
      },
      { call: `DELETE ${object}?uploadId=up%2F1`, status: 204 },
    ],
    status: 403,
    gets: { error: { message: "bedrock error: Access Denied", code: "AccessDenied" }, provider: "bedrock" },
  },
  {
    name: "believes no answer that ends in an error",
    ask: "POST /v1/files",
    headers,
    body: form(lines(asking("a", chat)), "batch"),
    calls: [
      ...uploading({ recordId: "a", modelInput: claudeInput }).slice(0, 2),
      {
        call: `POST ${object}?uploadId=up%2F1`,
        answer: "  <Error><Code>InternalError</Code><Message>Try again</Message></Error>",
      },
      { call: `DELETE ${object}?uploadId=up%2F1`, status: 204 },
    ],
    status: 500,
    gets: { error: { message: "bedrock: S3 could not put the parts together: Try again" } },
  },
  {
    name: "needs keys for S3",
    ask: "POST /v1/files",
    headers,
    options: { apiKey: "bedrock-api-key-1", accessKeyId: undefined, secretAccessKey: undefined },
    body: form("", "batch"),
    calls: [],
    status: 401,
    gets: { error: { message: expect.stringContaining("takes no API key of Bedrock") } },
  },
  {
    name: "tells of an object",
    ask: `GET /v1/files/${inUrl(fileId)}`,
    calls: [
      {
        call: `GET ${object}?attributes=`,
        headers: { "x-amz-object-attributes": "ObjectSize", authorization: s3Signature, "content-type": undefined },
        answerHeaders: { "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" },
        answer: "<GetObjectAttributesResponse><ObjectSize>12</ObjectSize></GetObjectAttributesResponse>",
      },
    ],
    gets: { id: fileId, bytes: 12, created_at: 1_767_225_600, filename: "in.jsonl", status: "processed" },
  },
  {
    name: "gives the content of an object as it is",
    ask: `GET /v1/files/${fileId}/content`,
    calls: [{ call: `GET ${object}`, answerHeaders: { "content-type": "application/jsonl" }, answer: "{}\n" }],
    gets: "{}\n",
    getsHeaders: { "content-type": "application/jsonl", "content-length": "3" },
  },
  { name: "lists no files", ask: "GET /v1/files", calls: [], status: 400 },
  { name: "deletes no files", ask: `DELETE /v1/files/${fileId}`, calls: [], status: 400 },
];

tryProcedures("bedrock", keeping, files);
