import { expect, it } from "vitest";
import { PrefixedHeaders } from "../exchange-state.ts";
import { clientMetadata, without } from "./metadata.ts";

const read = (metadata: string, more: Record<string, string> = {}, user?: string) => {
  const headers = { ...more, "x-gateway-metadata": metadata };
  return clientMetadata(headers, new PrefixedHeaders(headers, ["x-gateway-"]), user);
};

it("is texts, and beside them what was written as something else", () => {
  expect(read('{"plan":"gold","level":3,"beta":true,"tags":["a"],"team":null}')).toEqual({
    texts: { plan: "gold", level: "3", beta: "true", tags: '["a"]' },
    values: { level: 3, beta: true, tags: ["a"], team: null },
  });
  expect(read('{"plan":"gold"}')).toEqual({ texts: { plan: "gold" } });
});

it("is what the header says, before the body and the baggage", () => {
  expect(read('{"_user":"a"}', { baggage: "_user=b,plan=gold" }, "c").texts).toEqual({ _user: "a", plan: "gold" });
});

it.each(["{bad", "5", "null", '["a"]'])("is nothing where it is %s", (text) => {
  expect(read(text)).toEqual({ texts: {} });
});

it("loses its values to those who say something under the same name", () => {
  expect(without({ level: 3, beta: true }, { level: "9" })).toEqual({ beta: true });
});
