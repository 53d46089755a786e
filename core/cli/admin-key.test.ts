import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../../test/support/gateway.ts";
import { adminKey } from "./admin-key.ts";
import { temporaryFolder } from "./testing.ts";

const plugins = {
  "records-file": {},
  management: {},
  organisations: {},
  "api-keys": {},
  routing: { default: "simulator" },
};
const config = (given: object) => JSON.stringify({ plugins: given, providers: { simulator: {} } });

describe("sluice admin-key", () => {
  it("makes a key that manages a gateway which is running, whatever became of the first one", async () => {
    const text = config({ ...plugins, "api-keys": { bootstrapKey: "the-first-key-of-a-test" } });
    const folder = temporaryFolder({ "gateway.json": text });
    const gateway = await startTestGateway(text, {}, folder);
    const { exitCode, out, err } = await adminKey(join(folder, "gateway.json"));
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: expect.stringMatching(/^made the admin key [0-9a-f-]{36};/),
    });
    expect(out).toMatch(/^[\w-]{43}\n$/);
    const list = (key: string) =>
      fetch(`${gateway.url}/v1/api-keys`, { headers: { "x-gateway-api-key": key } }).then(({ status }) => status);
    expect(await list(out.trim())).toBe(200);
    await expect.poll(() => list("the-first-key-of-a-test")).toBe(200);
  });

  it.each([
    ["where no plugin keeps keys", config({ routing: { default: "simulator" } }), "add api-keys"],
    ["where the file is wrong", config({ ...plugins, "api-keys": { prefx: "a" } }), 'did you mean "prefix"'],
    [
      "where the store cannot be opened",
      config({ ...plugins, "records-file": { path: "gateway.json/records.db" } }),
      "records",
    ],
  ])("says what is wrong %s", async (_, text, reason) => {
    const file = join(temporaryFolder({ "gateway.json": text }), "gateway.json");
    expect(await adminKey(file)).toEqual({ exitCode: 1, out: "", err: expect.stringContaining(reason) });
  });
});
