import { describe, expect, it } from "vitest";
import { startRouting } from "../testing.ts";
import { inSnakeCase, snakeCase } from "./spelling.ts";

describe("camelCase", () => {
  it.each([
    ["beforeRequestHooks", "before_request_hooks"],
    ["strictOpenAiCompliance", "strict_open_ai_compliance"],
    ["strictOpenAICompliance", "strict_open_ai_compliance"],
    ["awsS3Bucket", "aws_s3_bucket"],
    ["override_params", "override_params"],
    ["x-Custom", "x-Custom"],
    ["$and", "$and"],
  ])("%s is %s", (written, name) => {
    expect(snakeCase(written)).toBe(name);
  });

  it("is not translated inside what is the user's own", () => {
    const opaque = new Set(["override_params", "metadata"]);
    const written = { overrideParams: { topLogprobs: 1 }, targets: [{ customHost: "h", metadata: { userId: "1" } }] };
    expect(inSnakeCase(written, opaque)).toEqual({
      override_params: { topLogprobs: 1 },
      targets: [{ custom_host: "h", metadata: { userId: "1" } }],
    });
  });

  it("gives way to snake_case where both are there", () => {
    expect(inSnakeCase({ custom_host: "one", customHost: "two" }, new Set())).toEqual({ custom_host: "one" });
  });

  it("makes the same config", async () => {
    const routing = await startRouting();
    const snake = {
      request_timeout: 2_000,
      strategy: { mode: "fallback", on_status_codes: [500] },
      targets: [
        { virtual_key: "a", override_params: { maxTokens: 3 } },
        { provider: "@b", drop_params: ["x"] },
      ],
    };
    const camel = {
      requestTimeout: 2_000,
      strategy: { mode: "fallback", onStatusCodes: [500] },
      targets: [
        { virtualKey: "a", overrideParams: { maxTokens: 3 } },
        { provider: "@b", dropParams: ["x"] },
      ],
    };
    const [one, two] = [
      await routing.ask({ config: snake, statuses: [500] }),
      await routing.ask({ config: camel, statuses: [500] }),
    ];
    expect(two.targets).toEqual(one.targets);
    expect(one.targets).toMatchObject([
      { path: "config.targets[0]", clocks: { total: 2_000 }, shape: { overrides: { maxTokens: 3 } } },
      { path: "config.targets[1]", shape: { drops: ["x"] } },
    ]);
  });
});
