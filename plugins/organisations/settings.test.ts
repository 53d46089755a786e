import { relative } from "node:path";
import { describe, expect, it } from "vitest";
import { folderOfFile, startManagement } from "../../test/support/management.ts";

describe("the settings of an organisation", () => {
  it("block inline configs from its first day, and are empty where nobody knows it", async () => {
    const folder = folderOfFile();
    const use = relative(folder, new URL("testing.ts", import.meta.url).pathname);
    const { admin, organisation } = await startManagement({ shown: { use } }, { folder });
    const { body: home } = await admin("GET", "/test/home");
    expect(home).toEqual({ data_plane_security_settings: { block_inline_config: true } });
    expect((await admin("GET", `/test/settings/${organisation}`)).body).toEqual({});
  });
});
