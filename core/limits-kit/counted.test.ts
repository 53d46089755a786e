import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { isLimited } from "./counted.ts";

const raw = (method: string, url: string) =>
  isLimited({ endpoint: { type: "proxy", rawBody: true }, method, url } as unknown as Exchange);

describe("of raw calls, where no plugin answers these itself", () => {
  it.each([
    ["GET", "/v1/responses/resp_1"],
    ["GET", "/v1/responses/resp_1/input_items?limit=2"],
    ["HEAD", "/v1/responses/resp_1"],
    ["DELETE", "/v1/responses/resp_1"],
    ["GET", "/v1/files"],
    ["GET", "/v1/files/f/content"],
    ["GET", "/v1/batches?limit=2"],
    ["GET", "/v1/fine_tuning/jobs/j/events"],
    ["GET", "/v1/v1/batches/b"],
    ["GET", "/v1/models/gpt-x"],
  ])("reading what a vendor keeps meets no limits: %s %s", (method, url) => {
    expect(raw(method, url)).toBe(false);
  });

  it.each([
    ["POST", "/v1/responses/resp_1/cancel"],
    ["POST", "/v1/batches"],
    ["DELETE", "/v1/responses"],
    ["DELETE", "/v1/responses/resp_1/anything"],
    ["GET", "/v1/responses-of-others/1"],
    ["GET", "/v1/anything"],
    ["GET", "/v1/proxy/responses/resp_1"],
    ["GET", "/v1/proxy/batches/b"],
    ["GET", "/v1beta/models"],
  ])("everything else does: %s %s", (method, url) => {
    expect(raw(method, url)).toBe(true);
  });
});
