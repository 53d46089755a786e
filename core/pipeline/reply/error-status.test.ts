import { expect, it } from "vitest";
import { statusOf } from "./error-status.ts";

it.each([
  [{ type: "overloaded_error" }, 529],
  [{ code: "invalid_prompt" }, 400],
  [{ code: "invalid_image_format" }, 400],
  [{ code: "image_content_policy_violation" }, 400],
  [{ code: "server_is_overloaded" }, 503],
  [{ code: "slow_down" }, 503],
  [{ code: "rate_limit_exceeded" }, 429],
  [{ code: "server_error" }, 502],
  [{ code: 503 }, 503],
  [{}, 502],
])("a failure that begins a stream with %j has the status %s", (said, status) => {
  expect(statusOf({ message: "m", ...said })).toBe(status);
});
