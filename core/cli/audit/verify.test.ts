import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { spawnGateway } from "../../../test/support/gateway-process.ts";
import { folderOfFile, openManagement, supportPlugin } from "../../../test/support/management.ts";
import { startMongoServer } from "../../../test/support/mongo-server.ts";
import { root } from "../../../test/support/root.ts";
import { loadSqlite } from "../../sqlite-kit/index.ts";
import { temporaryFolder } from "../testing.ts";
import { verify } from "./verify.ts";

const organisations = ["eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee", "ffffffff-ffff-4fff-8fff-ffffffffffff"];

const fileOf = (plugins: object) =>
  join(
    temporaryFolder({
      "gateway.json": JSON.stringify({ plugins: { management: {}, organisations: {}, "audit-log": {}, ...plugins } }),
    }),
    "gateway.json",
  );

type Call = (organisation: string, path: string) => Promise<unknown>;

/** Writes to gateways with one store, all at once. */
const write = (...gateways: readonly Call[]) =>
  Promise.all(
    gateways.flatMap((call) =>
      organisations.map(async (organisation) => {
        for (let at = 0; at < 15; at++) await call(organisation, `/deployments/${at}`);
      }),
    ),
  );

/** A process of its own, which keeps all of it before it ends. */
async function startedProcess(folder: string) {
  const plugins = { principal: supportPlugin(folder, "principal"), "records-file": {}, management: {} };
  const file = join(folder, "gateway.json");
  const server = { port: 0, shutdown: { notReady: 0, grace: 5000 } };
  const more = { organisations: {}, deployments: {}, "audit-log": {} };
  writeFileSync(file, JSON.stringify({ server, plugins: { ...plugins, ...more } }));
  const gateway = spawnGateway(file);
  const url = await gateway.url();
  return {
    call: (organisation: string, path: string) =>
      fetch(`${url}/v1${path}`, {
        method: "DELETE",
        headers: { "x-test-principal": JSON.stringify({ id: "t", organisation }) },
      }),
    async end() {
      gateway.kill("SIGTERM");
      await gateway.ended;
    },
  };
}

describe("sluice audit verify", () => {
  it("finds one chain for each organisation, whichever process wrote, and the entry of a file that was altered", async () => {
    const folder = folderOfFile();
    const file = fileOf({ "records-file": { path: join(folder, ".sluice/records.db") } });
    expect(await verify(file, {})).toEqual({ exitCode: 0, out: "there are no entries\n", err: "" });
    const both = [await startedProcess(folder), await startedProcess(folder)];
    await write(...both.map(({ call }) => call));
    for (const { end } of both) await end();
    const { exitCode, out, err } = await verify(file, {});
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    const noted = organisations.map(
      (one) => new RegExp(`^${one}: 30 entries, unbroken up to (\\w{64})$`, "m").exec(out)?.[1] ?? "",
    );
    expect(noted.every((digest) => digest.length === 64)).toBe(true);
    expect((await verify(file, { known: noted })).exitCode).toBe(0);
    expect(await verify(file, { known: ["abc"] })).toMatchObject({ exitCode: 1, err: expect.stringContaining("abc") });

    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(join(folder, ".sluice/records.db"));
    onTestFinished(() => database.close());
    const [first] = organisations;
    const done = database
      .prepare(
        "UPDATE records SET document = replace(document, 'deployments', 'somewhere') WHERE collection = 'audit_entries' AND tenant = ? AND id = ?",
      )
      .run(first ?? "", "000000000007");
    expect(done).toMatchObject({ changes: 1 });
    expect(await verify(file, {})).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining(`${first}: 6 entries, broken at 7`),
      err: `${first}: entry 7 was altered\n`,
    });
  });

  it("finds one chain for each organisation in MongoDB", async () => {
    const server = await startMongoServer();
    onTestFinished(() => server.stop());
    const store = { "records-mongodb": { url: server.uri } };
    const plugins = { "records-file": undefined, "audit-log": {}, deployments: {}, ...store };
    const both = [await openManagement(plugins), await openManagement(plugins)];
    await write(
      ...both.map(
        ({ as }): Call =>
          (organisation, path) =>
            as({ organisation })("DELETE", path),
      ),
    );
    for (const { close } of both) await close();
    const { exitCode, out, err } = await verify(fileOf(store), {});
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    for (const one of organisations) expect(out).toContain(`${one}: 30 entries, unbroken`);
  });

  it("says what is missing where nothing keeps a trail", async () => {
    const file = join(temporaryFolder({ "gateway.json": '{"plugins":{"routing":{}}}' }), "gateway.json");
    expect(await verify(file, {})).toMatchObject({ exitCode: 1, err: expect.stringContaining('add "audit-log"') });
    expect(await verify(join(root, "nowhere.yaml"), {})).toMatchObject({ exitCode: 1 });
  });
});
