import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { spawnGateway } from "../support/gateway-process.ts";

const run = promisify(execFile);

describe("what `npm start` starts", () => {
  it.each([
    ["without a file", undefined],
    ["with one", "config/gateway.yaml"],
  ])("says where it listens, and a call that works as pasted, %s", async (_, file) => {
    const gateway = spawnGateway(file, { PORT: "0", RECORDS_FOLDER: temporaryFolder({}) });
    const url = await gateway.url();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, command = ""] = await gateway.printed(/try:\n((?: +curl .*\n)(?: .*\n)*)/);
    expect(command).toContain(url);
    const { stdout } = await run("sh", ["-c", command]);
    expect(JSON.parse(stdout)).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: expect.stringContaining("Hello") } }],
    });
    gateway.kill("SIGINT");
    expect(await gateway.ended).toEqual({ code: 0, signal: null });
  });
});
