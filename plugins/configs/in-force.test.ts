import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Explanation } from "../../core/cli/explain/explanation.ts";
import { explain } from "../../core/cli/explain.ts";
import type { Principal } from "../../core/index.ts";
import { type Caller, folderOfFile, openManagement, type TestManagement } from "../../test/support/management.ts";
import { takeDown } from "../../test/support/take-down.ts";
import { json, startUpstream } from "../../test/support/upstream.ts";
import { watched } from "../../test/support/watched-records.ts";

const asking = (model: string) => ({ provider: "@simulator", override_params: { model } });
const folder = folderOfFile();
const module = (path: string) => relative(folder, new URL(path, import.meta.url).pathname);
const pluginsWith = (configs: object) => ({
  "records-file": { use: module("../../test/support/watched-records.ts") },
  routing: { configs: { "of-the-file": asking("file"), ...configs }, default: "simulator" },
  "strategy-fallback": {},
  "format-openai-chat": {},
  configs: {},
  "access-log": {},
});

let management: TestManagement;
let own: Caller;
let principal: Partial<Principal>;

beforeAll(async () => {
  management = await openManagement(pluginsWith({}), {
    folder,
    providers: { simulator: {}, alpha: { use: "openai", apiKey: "key-of-alpha-0123456789" } },
  });
  principal = { workspace: management.workspace.id };
  own = management.as(principal);
});
afterAll(() => management.gateway.shutdown(0, 0));

const save = async (config: object) => (await own("POST", "/configs", { name: "Saved", config })).body.data;
/** Which model was asked in the end, or why nobody was. */
async function asked(config?: string, who: Partial<Principal> = principal, headers: Record<string, string> = {}) {
  const body = { model: "plain", messages: [{ role: "user", content: "Hi" }] };
  const named = config === undefined ? {} : { "x-gateway-config": config };
  const answer = await management.as(who)("POST", "/chat/completions", body, { ...named, ...headers });
  return answer.status === 200 ? answer.body.model : [answer.status, answer.body.message ?? answer.body.error.message];
}
const unknown = (ref: string) => [400, `There is no saved config "${ref}" here.`];

describe("a saved config", () => {
  it("routes requests that name it by slug or id, and those of keys with it as their default", async () => {
    const { id, slug, version_id } = await save(asking("one"));
    const holder = (ref: string, mayReplace = true) => ({ ...principal, defaultConfig: { slug: ref, mayReplace } });
    expect(await asked(slug)).toBe("one");
    expect(await asked(id)).toBe("one");
    expect(await asked(undefined, holder(id))).toBe("one");
    expect(await asked(slug, holder(slug, false))).toBe("one");
    expect(await asked(id, { ...principal, defaultConfig: { slug, id, mayReplace: false } })).toBe("one");
    expect(await asked("of-the-file", holder(slug))).toBe("file");
    expect(await asked("of-the-file", holder(slug, false))).toMatchObject([400, expect.stringContaining("of its own")]);
    expect(await asked()).toBe("plain");
    const lines = management.gateway.log.lines.filter(({ message }) => message === "request");
    const configs = lines.map(({ fields }) => (fields as { config?: object }).config);
    expect(configs).toContainEqual({ slug, id, version: version_id });
    expect(configs).toContainEqual({ slug: "of-the-file" });
  });

  it("asks the store when it is first named and after a change, and never in between", async () => {
    const { id, slug } = await save(asking("one"));
    expect([await asked(slug), await asked(id)]).toEqual(["one", "one"]);
    const before = watched.reads;
    for (let times = 0; times < 5; times++) expect([await asked(slug), await asked(id)]).toEqual(["one", "one"]);
    expect(watched.reads).toBe(before);
    await own("PUT", `/configs/${slug}`, { config: asking("two") });
    expect([await asked(slug), await asked(id)]).toEqual(["two", "two"]);
    const after = watched.reads;
    expect([await asked(slug), await asked(id)]).toEqual(["two", "two"]);
    expect(watched.reads).toBe(after);
  });

  it("is there while the store is down; one that nobody has named is not", async () => {
    const [{ slug }, { slug: other }] = [await save(asking("one")), await save(asking("two"))];
    expect(await asked(slug)).toBe("one");
    takeDown();
    expect(await asked(slug)).toBe("one");
    expect(await asked(other)).toEqual([503, "The store of records does not answer."]);
    watched.down = false;
    expect(await asked(other)).toBe("two");
  });

  it("is nobody's but its workspace's, and nobody's once it is archived or deleted", async () => {
    const { id, slug } = await save(asking("one"));
    const other = (await management.admin("POST", "/admin/workspaces", { name: "Other" })).body.uuid;
    const strangers: Partial<Principal>[] = [
      { workspace: other },
      { organisation: "22222222-2222-4222-8222-222222222222", workspace: management.workspace.id },
      { organisation: undefined as never },
    ];
    for (const who of strangers) for (const ref of [id, slug]) expect(await asked(ref, who)).toEqual(unknown(ref));
    expect(await asked(slug)).toBe("one");
    await own("PUT", `/configs/${slug}`, { status: "archived" });
    expect(await asked(slug)).toEqual(unknown(slug));
    await own("PUT", `/configs/${slug}`, { status: "active" });
    expect(await asked(slug)).toBe("one");
    // A default that need not be there is followed while it is.
    const holder = { ...principal, defaultConfig: { slug, mayReplace: true, ifThere: true } } as const;
    expect([await asked(undefined, holder), await asked(undefined, { ...holder, workspace: other })]).toEqual([
      "one",
      "plain",
    ]);
    await own("DELETE", `/configs/${slug}`);
    expect(await asked(slug)).toEqual(unknown(slug));
    expect(await asked(undefined, holder)).toBe("plain");
    expect(await asked("pc-none-000000")).toEqual(unknown("pc-none-000000"));
    expect(await asked("x".repeat(300))).toEqual([400, expect.stringContaining("neither the slug of a saved config")]);
  });

  it("takes a host that callers may name, and no stored credential there", async () => {
    const upstream = await startUpstream((_, response) =>
      json(response, 200, {
        id: "1",
        object: "chat.completion",
        created: 1,
        model: "of-the-host",
        choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      }),
    );
    const host = { custom_host: `${upstream.url}/v1` };
    const stored = await save({ provider: "@alpha", ...host });
    const withKey = await save({ provider: "@alpha", api_key: "key-of-the-config-01234", ...host });
    await asked(stored.slug);
    expect(await asked(withKey.slug)).toBe("of-the-host");
    expect(JSON.stringify(upstream.received)).not.toContain("key-of-alpha");
    expect(upstream.received.at(-1)?.headers.authorization).toBe("Bearer key-of-the-config-01234");
  });

  it("is explained, gives way to one of the file, and is refused once no plugin knows what it says", async () => {
    const config = { strategy: { mode: "fallback" }, targets: [asking("one"), asking("two")] };
    const { slug } = await save(config);
    expect(await asked(slug)).toBe("one");
    const { gateway } = management;
    const written = (more: object, without: string[] = []) => {
      const plugins = Object.entries({
        principal: { use: module("../../test/support/principal.ts") },
        management: {},
        organisations: {},
        ...pluginsWith(more),
      }).filter(([name]) => !without.includes(name));
      return JSON.stringify({ plugins: Object.fromEntries(plugins), providers: { simulator: {} } });
    };
    writeFileSync(join(folder, "gateway.json"), written({}));
    writeFileSync(join(folder, "request.json"), JSON.stringify({ model: "plain", messages: [] }));
    const header = [
      `x-gateway-config: ${slug}`,
      `x-test-principal: ${JSON.stringify({ id: "t", organisation: management.organisation, ...principal })}`,
    ];
    const told = await explain(join(folder, "gateway.json"), {
      request: join(folder, "request.json"),
      header,
      json: true,
    });
    const { route } = JSON.parse(told.out) as Explanation;
    expect(route?.targets.map(({ path, model }) => [path, model])).toEqual([
      ["config.targets[0]", "one"],
      ["config.targets[1]", "two"],
    ]);
    gateway.write(written({ [slug]: asking("file") }));
    expect(await gateway.reload()).toBe(true);
    expect(await asked(slug)).toBe("file");
    gateway.write(written({}, ["strategy-fallback"]));
    expect(await gateway.reload()).toBe(true);
    expect(await asked(slug)).toEqual([400, `The saved config "${slug}" is not valid here`]);
    // Who asks by it need not be somebody who may read it.
    const body = { model: "plain", messages: [] };
    const refused = await management.as(principal)("POST", "/chat/completions", body, { "x-gateway-config": slug });
    expect(refused.body.error.message).toMatch(/not valid here: path: strategy\.mode, message: no plugin [^;]*$/);
  });
});
