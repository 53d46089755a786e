import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { startManagement } from "../../test/support/management.ts";
import { plugins, providers } from "./testing.ts";

const { witness: _, ...served } = plugins;
const prompts = {
  greeting: {
    string: [{ role: "user", content: "Hello {{name}}. {{>tone}}" }],
    model: "m",
    virtual_key: "@other",
    parameters: { temperature: 0 },
    labels: ["production"],
  },
  bare: { string: "Hi", name: "Bare one" },
};
const partials = { tone: { string: "Be {{>how}}." }, how: { string: "brief" } };
const folder = {
  "prompts/letter.yaml": "string: |\n  Dear {{name}},\nmodel: m\nvirtual_key: simulator\n",
  "prompts/photo.json": JSON.stringify({
    string: '[{"role":"user","content":"{{>tone}}{{>sign}}"}]',
    is_raw_template: 1,
    model: "m",
  }),
  "prompts/notes.txt": "not a prompt",
  "prompts/partials/sign.yml": "string: Yours",
};
const start = (options: object, files: Record<string, string> = folder) =>
  startManagement({ ...served, prompts: options }, { providers, folder: temporaryFolder(files) });

describe("prompts of the config file", () => {
  it("are used by everybody, with and without an organisation", async () => {
    const { as, workspace } = await start({ prompts, partials, folder: "prompts" });
    for (const caller of [as({ workspace: workspace.id }), as({ organisation: undefined as never })]) {
      const said = async (ref: string) => {
        const { body } = await caller("POST", `/prompts/${ref}/render`, { variables: { name: "Ana" } });
        return body.error?.reason ?? body.data.messages[0].content;
      };
      for (const ref of ["greeting", "greeting@1", "greeting@latest", "greeting@default", "greeting@production"])
        expect(await said(ref)).toBe("Hello Ana. Be brief.");
      expect(await said("greeting@staging")).toBe("prompt_label_not_found");
      expect(await said("greeting@2")).toBe("prompt_version_not_found");
      expect(await said("letter")).toBe("Dear Ana,\n");
      expect(await said("photo")).toBe("Be brief.Yours");
      const { body, headers } = await caller("POST", "/prompts/greeting/completions", { variables: { name: "Ana" } });
      expect(body.choices[0].message.content).toBe("Simulated answer from m: Hello Ana. Be brief.");
      expect(headers.get("x-gateway-prompt-version")).toBe("1");
    }
  });

  it("are shown over the API, and changed in the file", async () => {
    const { admin, as, workspace } = await start({ prompts, partials, folder: "prompts" });
    const here = as({ workspace: workspace.id });
    const { body } = await here("GET", "/prompts");
    expect(body.data.map(({ slug, origin }: { slug: string; origin: string }) => [slug, origin])).toEqual([
      ["greeting", "file"],
      ["bare", "file"],
      ["letter", "file"],
      ["photo", "file"],
    ]);
    const { body: greeting } = await here("GET", "/prompts/greeting@production");
    expect(greeting).toMatchObject({
      name: "greeting",
      collection_id: null,
      prompt_version: 1,
      prompt_version_label_ids: [expect.any(String)],
      virtual_key: "other",
      origin: "file",
    });
    expect((await here("GET", `/prompts/${greeting.id}/versions`)).body).toHaveLength(1);
    expect((await here("GET", "/prompts/partials/tone")).body).toMatchObject({
      string: "Be {{>how}}.",
      origin: "file",
    });
    expect((await here("GET", "/prompts/partials")).body).toHaveLength(3);
    for (const [method, path, given] of [
      ["PUT", "greeting", { name: "x" }],
      ["DELETE", "greeting", undefined],
      ["PUT", "greeting/makeDefault", { version: 1 }],
      ["PUT", `greeting/versions/${greeting.prompt_version_id}`, { label_id: null }],
      ["POST", "greeting/share", { visibility: "organisation" }],
      ["PUT", "partials/tone", { name: "x" }],
      ["DELETE", "partials/tone", undefined],
    ] as const)
      expect(await here(method, `/prompts/${path}`, given)).toMatchObject({
        status: 400,
        body: { error: { code: "AB01", message: expect.stringContaining("config file") } },
      });
    const { body: collection } = await here("POST", "/collections", { name: "c" });
    const made = {
      name: "n",
      collection_id: collection.id,
      string: "Hi {{>tone}}",
      parameters: {},
      virtual_key: "other",
    };
    expect((await here("POST", "/prompts", made)).status).toBe(200);
    const { body: fork } = await here("POST", "/prompts/greeting/fork", {});
    expect((await here("GET", `/prompts/${fork.slug}`)).body).toMatchObject({ origin: "store", virtual_key: "other" });
    expect((await admin("GET", `/prompts?workspace_id=${workspace.id}`)).body.total).toBe(6);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ["a broken template", { prompts: { a: { string: "x {{a" } } }, {}, 'the prompt "a": string: line 1, column 3'],
    ["a broken partial", { partials: { a: { string: "{{#a}}" } } }, {}, 'the partial "a": string:'],
    ["a partial that is not there", { prompts: { a: { string: "x {{>pl-x}}" } } }, {}, 'there is no partial "pl-x"'],
    [
      "a partial in another version",
      { prompts: { a: { string: "x {{>p@2}}" } }, partials: { p: { string: "" } } },
      {},
      'there is no partial "p@2"',
    ],
    [
      "a provider that is not there",
      { prompts: { a: { string: "x", virtual_key: "nobody" } } },
      {},
      'names the provider "nobody"',
    ],
    ["a folder that is not there", { folder: "nowhere" }, {}, "there is no folder"],
    [
      "a slug twice",
      { prompts: { letter: { string: "x" } }, folder: "prompts" },
      folder,
      'the prompt "letter" is in the config file and in the folder',
    ],
    ["a mistyped field in a file", { folder: "prompts" }, { "prompts/a.yaml": "strin: x" }, "prompts/a.yaml: "],
    [
      "two files for a prompt",
      { folder: "prompts" },
      { "prompts/a.yaml": "string: x", "prompts/a.json": '{"string":"x"}' },
      'there is another file for "a"',
    ],
    ["a file that is no YAML", { folder: "prompts" }, { "prompts/a.yaml": "a: [" }, "prompts/a.yaml: "],
    ["a slug with blanks", { folder: "prompts" }, { "prompts/a b.yaml": "string: x" }, "a b.yaml: a slug has letters"],
    [
      "a slug that is a word of the API",
      { prompts: { partials: { string: "x" } } },
      {},
      "partials is a word of the API",
    ],
    ["a mistyped option", { prompts: { a: { strin: "x" } } }, {}, "strin"],
  ])("stop the start with %s", async (_, options, files, message) => {
    await expect(start(options, files)).rejects.toThrow(message);
  });

  it("are read again when the config is", async () => {
    const files = { ...folder };
    const at = temporaryFolder(files);
    const { gateway, as, workspace } = await startManagement(
      { ...served, prompts: { partials, folder: "prompts" } },
      { providers, folder: at },
    );
    const caller = as({ workspace: workspace.id });
    const said = async () =>
      (await caller("POST", "/prompts/letter/render", { variables: { name: "Bo" } })).body.data.messages[0].content;
    expect(await said()).toBe("Dear Bo,\n");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${at}/prompts/letter.yaml`, "string: Hey {{name}}\n");
    await gateway.reload();
    expect(await said()).toBe("Hey Bo");
  });
});
