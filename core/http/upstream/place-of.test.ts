import { expect, it } from "vitest";
import { placeOf, withQueryOf } from "./place-of.ts";

it.each([
  ["https://api.example.com/v1", "https://api.example.com", "/v1", ""],
  ["https://api.example.com", "https://api.example.com", "", ""],
  ["HTTP://Example.COM:80/V1?a=B", "http://example.com", "/V1", "?a=B"],
  ["HTTP://Example.COM?a=B/C?d", "http://example.com", "", "?a=B/C?d"],
  ["https://example.com:8443/v1/", "https://example.com:8443", "/v1/", ""],
  ["http://127.1/v1", "http://127.0.0.1", "/v1", ""],
  ["http://2130706433", "http://127.0.0.1", "", ""],
  ["http://[::1]:8080/x", "http://[::1]:8080", "/x", ""],
  ["https://user:word@example.com/x", "https://user:word@example.com", "/x", ""],
  ["no url", "no url", "", ""],
])("%s is at %s", (url, origin, path, query) => {
  expect(placeOf(url)).toEqual({ origin, path, query });
});

it.each([
  ["/chat", "", "/chat"],
  ["/chat", "?", "/chat"],
  ["/chat", "?api-version=1&t=a%20b", "/chat?api-version=1&t=a%20b"],
  ["/chat?n=1", "?api-version=1", "/chat?n=1&api-version=1"],
  ["/chat?", "?api-version=1", "/chat?api-version=1"],
  ["/chat?api-version=2&n=1", "?api-version=1&t=x", "/chat?api-version=2&n=1&t=x"],
  ["/chat?api%2Dversion=2", "?api-version=1&&api-version=3", "/chat?api%2Dversion=2"],
])("%s below a URL with %s is %s", (path, query, joined) => {
  expect(withQueryOf(path, query)).toBe(joined);
});
