import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { explain } from "../../core/cli/explain.ts";
import { environmentOf } from "../../core/config/index.ts";
import { folderOfFile } from "../../test/support/folder-of-file.ts";

it("is explained: who asks, and that the socket itself is nobody's", async () => {
  const file = join(folderOfFile(), "gateway.json");
  const plugins = {
    "auth-open": {},
    routing: { default: "simulator" },
    "format-openai-responses": {},
    "responses-socket": {},
  };
  writeFileSync(file, JSON.stringify({ plugins, providers: { simulator: {} } }));
  const asked = { method: "GET", path: "/v1/responses", json: true, header: [] };
  const { out } = await explain(file, asked, { environment: environmentOf({}) });
  const { request, principal, route, refused } = JSON.parse(out);
  expect({ request, principal }).toMatchObject({
    request: { endpoint: "responsesSocket" },
    principal: { plugin: "auth-open" },
  });
  expect([route, refused]).toEqual([undefined, undefined]);
});
