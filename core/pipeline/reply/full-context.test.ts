import { expect, it } from "vitest";
import type { Attempt } from "../../model/attempt.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { GatewayRequest } from "../../model/request.ts";
import type { Target } from "../../model/route.ts";
import { requestOfBody } from "../request/wire-request.ts";
import { fullContext } from "./full-context.ts";

const id = "01a20d62-2808-7938-a3c0-3f539dafb058";
const exchangeWith = (more: Partial<Exchange> = {}) =>
  ({ id, strict: true, receivedAt: 1_786_000_000_999, ...more }) as Exchange;
const targetWith = (more: Partial<Target> = {}) =>
  ({ startedAt: 0, target: { provider: { name: "openai", slug: "oai" }, ...more } }) as Attempt;
const asked = (model: string) => requestOfBody("chat", { model, stream: false, messages: [] });
const unreadable = {
  model: "m",
  get json(): unknown {
    throw new SyntaxError("no JSON");
  },
} as GatewayRequest;

it("says who answered, when, to what, and all of its usage", () => {
  const context = fullContext(exchangeWith({ request: asked("oai/m"), attempt: targetWith({ model: "m" }) }));
  expect(context).toMatchObject({ provider: "openai", model: "m", strict: true, includeUsage: true });
  expect(context).toMatchObject({ now: 1_786_000_000, id: id.replaceAll("-", "") });
});

it.each<[string, Partial<Exchange>, string | undefined, object]>([
  ["the model it is given", { request: asked("a"), attempt: targetWith({ model: "b" }) }, "c", { model: "c" }],
  ["the model of the request", { request: asked("a"), attempt: targetWith() }, undefined, { model: "a" }],
  ["what the target asks in its place", { attempt: targetWith({ request: asked("t") }) }, undefined, { model: "t" }],
  ["nobody, where nobody was asked", {}, undefined, { provider: "", model: "", asked: undefined }],
  ["strictness of the target", { attempt: targetWith({ strict: false }) }, undefined, { strict: false }],
  ["strictness of the client", { strict: false, attempt: targetWith() }, undefined, { strict: false }],
  ["nothing of what cannot be read", { request: unreadable }, undefined, { model: "m", asked: undefined }],
])("has %s", (_, exchange, model, expected) => {
  expect(fullContext(exchangeWith(exchange), model)).toMatchObject(expected);
});
