import { expect, it } from "vitest";
import type { ChatRequest } from "../model/chat.ts";
import type { GatewayRequest } from "../model/request.ts";
import { requestOfBody } from "../pipeline/request/wire-request.ts";
import { expectedTokens } from "./expected.ts";

const jsonRequest = (body: object, more: object = {}) =>
  ({ bytes: Buffer.from(JSON.stringify(body)), ...more }) as GatewayRequest;

const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(750_000, "p")]).toString("base64");
const letters = "Nospace".repeat(150_000);

it.each<[string, GatewayRequest, number]>([
  ["of a text are a quarter of its bytes", jsonRequest({ text: "word ".repeat(200_000) }), 250_003],
  ["of letters without an end are those of a text", jsonRequest({ text: letters }), 262_503],
  ["of a picture are those of a picture", jsonRequest({ data: png, text: "word ".repeat(100) }), 5_131],
  [
    "of pictures in data URLs are those of each",
    jsonRequest({ images: [{ url: `data:image/png;base64,${png}` }, { url: `data:image/png;base64,${png}` }] }),
    10_009,
  ],
  [
    "of a document are a quarter of its bytes",
    jsonRequest({ data: `data:application/pdf;base64,${letters}` }),
    262_510,
  ],
  ["of a form with sound are few", jsonRequest({ file: png }, { formType: "multipart/form-data" }), 7_813],
])("the tokens %s", (_, request, input) => {
  expect(expectedTokens(request).input).toBe(input);
});

it("a picture that PHP has written is one", () => {
  const jpeg = Buffer.concat([Buffer.from("\xff\xd8\xff\xe0", "latin1"), Buffer.alloc(60_000, "\xff")]).toString(
    "base64",
  );
  const bytes = Buffer.from(`{"data":"${jpeg.replaceAll("/", "\\/")}"}`);
  expect(expectedTokens({ bytes } as GatewayRequest).input).toBe(5_003);
});

it("a body that taps have made is as long as it is now, and bounds its answer", () => {
  const content = [{ type: "text" as const, text: "word ".repeat(800) }];
  const body: ChatRequest = {
    model: "m",
    stream: false,
    messages: [{ role: "user", content }],
    maxTokens: 9_000,
    n: 2,
  };
  expect(expectedTokens(requestOfBody("chat", body))).toEqual({ input: 1_030, output: 18_000 });
});

it.each(["embed", "rerank", "moderate"] as const)("an answer of %s has no tokens, whatever is usual", (operation) => {
  expect(expectedTokens({ operation, bytes: Buffer.from("{}"), json: {} } as GatewayRequest)).toEqual({
    input: 1,
    output: 0,
  });
});

it("tokens that are only counted are none", () => {
  const request = { operation: "count", bytes: Buffer.from("x".repeat(400)), json: { max_tokens: 9 } };
  expect(expectedTokens(request as unknown as GatewayRequest)).toEqual({ input: 0, output: 0 });
});
