import { expect, it } from "vitest";
import { placeOf } from "./place-of.ts";

it.each([
  ["https://api.example.com/v1", "https://api.example.com", "/v1"],
  ["https://api.example.com", "https://api.example.com", ""],
  ["HTTP://Example.COM:80/V1?a=B", "http://example.com", "/V1?a=B"],
  ["https://example.com:8443/v1/", "https://example.com:8443", "/v1/"],
  ["http://127.1/v1", "http://127.0.0.1", "/v1"],
  ["http://2130706433", "http://127.0.0.1", ""],
  ["http://[::1]:8080/x", "http://[::1]:8080", "/x"],
  ["https://user:word@example.com/x", "https://user:word@example.com", "/x"],
  ["no url", "no url", ""],
])("%s is at %s", (url, origin, path) => {
  expect(placeOf(url)).toEqual({ origin, path });
});
