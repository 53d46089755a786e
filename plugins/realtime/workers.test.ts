import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfFile } from "../../test/support/folder-of-file.ts";
import { spawnGateway } from "../../test/support/gateway-process.ts";
import { converse, startVendor } from "./testing.ts";

it("stays with the worker that has it, and is closed with 1001 when the workers end", async () => {
  const vendor = await startVendor();
  const file = join(folderOfFile(), "gateway.json");
  const config = {
    server: { port: 0, workers: 2, shutdown: { notReady: 0, grace: 5_000 } },
    plugins: { "auth-open": {}, routing: {}, "format-openai-chat": {}, realtime: {} },
    providers: { oai: { use: "openai", apiKey: "sk-of-the-vendor", baseUrl: vendor.url } },
  };
  writeFileSync(file, JSON.stringify(config));
  const gateway = spawnGateway(file);
  const url = await gateway.url();
  const open = [];
  for (let n = 0; n < 4; n++) open.push(await converse({ url }, vendor, { headers: {} }));
  for (const { client, server } of open)
    for (const text of ["one", "two"]) {
      client.send(text);
      expect(await server.next()).toBe(text);
      server.send(text);
      expect(await client.next()).toBe(text);
    }
  gateway.kill("SIGTERM");
  for (const { client } of open) expect(await client.closed).toMatchObject({ code: 1001 });
  expect(await gateway.ended).toMatchObject({ code: 0 });
});
