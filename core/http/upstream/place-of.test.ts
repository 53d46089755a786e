import { expect, it } from "vitest";
import { leadsUpwards, pathBelow, placeOf, withQueryOf } from "./place-of.ts";

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

it.each([
  ["", "/v1/chat/completions", "/v1/chat/completions"],
  ["/v1", "/chat/completions", "/v1/chat/completions"],
  ["/v1", "/v1/chat/completions", "/v1/chat/completions"],
  ["/openai/v1", "/v1/chat/completions?a=/v1/b", "/openai/v1/chat/completions?a=/v1/b"],
  ["/api/v1", "/api/v1/chat/completions", "/api/v1/chat/completions"],
  ["/v1beta", "/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"],
  // Another version, a name that only begins like one, and what stands in front of the version are said by the path.
  ["/v1", "/v2/chat", "/v1/v2/chat"],
  ["/v1", "/v1beta/models", "/v1/v1beta/models"],
  ["/v1", "/api/v1/chat", "/v1/api/v1/chat"],
  ["/v1", "/chat?next=/v1/chat", "/v1/chat?next=/v1/chat"],
  ["/models", "/models/chat", "/models/models/chat"],
  ["/video", "/video/chat", "/video/video/chat"],
])("%s and %s are the path %s", (basePath, path, joined) => {
  expect(pathBelow(basePath, path)).toBe(joined);
});

it.each([
  ["/a/..", true],
  ["/a/../b", true],
  ["/a%2F%2e.?b", true],
  ["/a\\..\\b", true],
  ["/a/..;b/c", true],
  ["/a/..b", false],
  ["/a/b..;c", false],
  ["/a?b=/../c", false],
])("%s leads upwards: %s", (path, expected) => {
  expect(leadsUpwards(path)).toBe(expected);
});
