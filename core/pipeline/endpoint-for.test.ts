import { expect, it } from "vitest";
import type { Endpoint } from "../model/endpoint.ts";
import { endpointFor, rawAmong, rawBeside } from "./endpoint-for.ts";

const place = { method: "POST", path: "/v1/*" };
const rest: Endpoint = { ...place, type: "rest" };
const asking: Endpoint = { ...place, type: "asking", url: /:ask$/ };
const anything: Endpoint = { ...place, type: "anything", url: /:/ };

it.each([
  ["/v1/a:ask", "asking"],
  ["/v1/a:say", "anything"],
  ["/v1/a", "rest"],
])(
  "gives %s to the endpoint that knows such URLs, and what none of them knows to the one that says nothing of them",
  (url, type) => {
    expect(endpointFor([rest, asking, anything], url)?.type).toBe(type);
  },
);

it("gives a URL that nobody knows to nobody", () => {
  expect(endpointFor([asking], "/v1/a")).toBeUndefined();
});

it("leaves bodies that an endpoint is not for to the raw one beside it", () => {
  const told: Endpoint = { ...asking, members: ["said"] };
  const raw: Endpoint = { ...rest, rawBody: true };
  expect(rawBeside(told, rawAmong([told, anything, raw]), "/v1/a:ask")).toBe(raw);
  expect(rawBeside(told, rawAmong([told, anything]), "/v1/a:ask")).toBeUndefined();
  expect(rawBeside(asking, rawAmong([asking, raw]), "/v1/a:ask")).toBeUndefined();
});
