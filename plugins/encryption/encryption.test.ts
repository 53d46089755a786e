import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rotate } from "../../core/cli/encryption/rotate.ts";
import { temporaryFolder } from "../../core/cli/testing.ts";
import { environmentOf } from "../../core/config/index.ts";
import { startTestGateway } from "../../test/support/gateway.ts";
import { DataKeys, keptFor } from "./data-keys.ts";
import { keysIn } from "./master-key.ts";
import { MasterKeys } from "./master-keys.ts";
import { credentials, deployment, startKms } from "./testing.ts";

const hex = (digit: string) => digit.repeat(64);
const first = hex("a1").slice(0, 64);
const second = hex("b2").slice(0, 64);
const secret = "sk-a-secret-of-a-vendor";
const keyFile = (folder: string) => join(folder, ".sluice", "encryption.key");

const failure = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `no failure: ${String(value)}`,
    (error: Error) => error.message,
  );

describe("sealing", () => {
  it("encrypts for one record of one organisation only, differently each time", async () => {
    const { sealing } = await deployment({ key: first });
    const sealed = await sealing.seal("acme", "r1.key", secret);
    expect(sealed).toMatch(/^v1:1:[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed.split(":")[2] ?? "", "base64url").toString("latin1")).not.toContain("sk-a-secret");
    expect(await sealing.seal("acme", "r1.key", secret)).not.toBe(sealed);
    expect(await sealing.open("acme", "r1.key", sealed)).toBe(secret);
    await sealing.seal("other", "r1.key", secret);
    expect(await failure(sealing.open("other", "r1.key", sealed))).toContain("encrypted for another record");
    expect(await failure(sealing.open("acme", "r2.key", sealed))).toContain("encrypted for another record");
  });

  it("is not opened when it is anything else", async () => {
    const { sealing } = await deployment({ key: first });
    const sealed = await sealing.seal("acme", "r", secret);
    const cases: Record<string, [string, string]> = {
      "one that was cut": [sealed.slice(0, -5), "is damaged"],
      "one that was cut to nothing": ["v1:1:AAAA", "is damaged"],
      "one with a changed byte": [
        sealed.slice(0, 9) + (sealed[9] === "A" ? "B" : "A") + sealed.slice(10),
        "is damaged",
      ],
      "plain text": [secret, "is not encrypted as it should be"],
      "one whose data key is gone": [sealed.replace("v1:1:", "v1:7:"), "restore the collection data_keys"],
    };
    for (const [name, [spoilt, says]] of Object.entries(cases)) {
      const told = await failure(sealing.open("acme", "r", spoilt));
      expect(told, name).toContain(says);
      expect(told, name).not.toContain(secret);
    }
  });

  it("keeps neither the secret nor a data key in the clear", async () => {
    const { sealing, records, folder } = await deployment({ key: first });
    await records
      .collection({ name: "things", schemaVersion: 1 })
      .insert({ tenant: "acme", id: "r", document: { value: await sealing.seal("acme", "r", secret) } });
    const files = ["records.db", "records.db-wal"].map((name) => join(folder, ".sluice", name)).filter(existsSync);
    for (const file of files) expect(readFileSync(file, "latin1")).not.toContain(secret);
    expect(existsSync(keyFile(folder))).toBe(false);
  });
});

describe("master keys", () => {
  it("are made in a file where none is given, once, with the first secret", async () => {
    const one = await deployment();
    expect(existsSync(keyFile(one.folder))).toBe(false);
    expect(one.log).toMatchObject([{ level: "info", message: expect.stringContaining("no encryption key") }]);
    const two = await deployment({}, one.folder);
    const [sealed] = await Promise.all([one, two].map(({ sealing }) => sealing.seal("acme", "r", secret)));
    expect(await two.sealing.open("acme", "r", sealed ?? "")).toBe(secret);
    expect(statSync(keyFile(one.folder)).mode & 0o777).toBe(0o600);
    const told = [...one.log, ...two.log].filter(({ message }) => message.includes("made an encryption key"));
    expect(told).toHaveLength(1);
    const third = await deployment({}, one.folder);
    expect(await third.sealing.open("acme", "r", sealed ?? "")).toBe(secret);
    expect(third.log).toEqual([]);
    expect(JSON.stringify([one.log, two.log])).not.toContain(readFileSync(keyFile(one.folder), "utf8").trim());
  });

  it("are made beside the records, wherever those are, and stay where an earlier version made them", async () => {
    const folder = temporaryFolder();
    const path = "data/records.db";
    await (await deployment({}, folder, { path })).sealing.seal("acme", "r", secret);
    expect(existsSync(keyFile(folder))).toBe(false);
    const made = join(folder, "data", "encryption.key");
    mkdirSync(join(folder, ".sluice"));
    renameSync(made, keyFile(folder));
    const sealed = await (await deployment({}, folder, { path })).sealing.seal("acme", "r", secret);
    expect(existsSync(made)).toBe(false);
    renameSync(keyFile(folder), made);
    expect(await (await deployment({}, folder, { path })).sealing.open("acme", "r", sealed)).toBe(secret);
  });

  it("that are lost are missed, and no new one hides that", async () => {
    const { sealing, folder } = await deployment();
    const sealed = await sealing.seal("acme", "r", secret);
    rmSync(keyFile(folder));
    const after = (await deployment({}, folder)).sealing;
    const told = await failure(after.open("acme", "r", sealed));
    expect(told).toMatch(/data key 1 of the organisation acme is encrypted under the master key local:[0-9a-f]{12}/);
    expect(told).toContain(`a line of ${keyFile(folder)}`);
    expect(await failure(after.seal("acme", "r", "more"))).toContain("Give it back");
    expect(await failure(after.seal("another organisation", "r", "more"))).toContain("Give it back");
    expect(existsSync(keyFile(folder))).toBe(false);
  });

  it("follow each other: all read, the first one writes, and rotation makes the old one superfluous", async () => {
    const { sealing, folder } = await deployment({ key: first });
    const sealed = await sealing.seal("acme", "r", secret);
    expect(await failure((await deployment({ key: second }, folder)).sealing.open("acme", "r", sealed))).toContain(
      "Give it back",
    );
    const both = (await deployment({ key: `${second},${first}` }, folder)).sealing;
    expect(await both.open("acme", "r", sealed)).toBe(secret);
    expect(await both.rotate({ renew: true })).toEqual({ rewrapped: 1, unchanged: 0, renewed: 1, failures: [] });
    expect(await both.rotate({ renew: false })).toEqual({ rewrapped: 0, unchanged: 2, renewed: 0, failures: [] });
    const alone = (await deployment({ key: second }, folder)).sealing;
    expect(await alone.open("acme", "r", sealed)).toBe(secret);
    expect(await alone.seal("acme", "r", secret)).toMatch(/^v1:2:/);
  });

  it.each<[string, object, string]>([
    ["too short", { key: "c2hvcnQ=" }, "key: key 1 has 5 bytes; a master key has 32 bytes: openssl rand -hex 32"],
    ["no key", { key: `${first},!?!?` }, "key: key 2 is neither base64 nor hex"],
    ["of a file that is not there", { keyFile: "nowhere.key" }, "keyFile: there is no file"],
    ["of a source that is not there", { key: first, writeWith: "kms" }, "writeWith: there is no kms"],
  ])("%s stop the start", async (_, options, says) => {
    const told = await failure(deployment(options));
    expect(told).toContain(says);
    expect(told).not.toContain(first);
  });

  it.each<[string, string]>([
    ["hex", Buffer.alloc(32, 7).toString("hex")],
    ["base64", Buffer.alloc(32, 7).toString("base64")],
    ["base64url", Buffer.alloc(32, 7).toString("base64url")],
    ["a line of a file", `# made yesterday\n${Buffer.alloc(32, 7).toString("base64")}\n`],
  ])("are read in %s", (_, text) =>
    expect(keysIn(text).map(({ id }) => id)).toEqual(keysIn("07".repeat(32)).map(({ id }) => id)),
  );
});

it("holds data keys for five minutes, and asks nobody meanwhile", async () => {
  const { records } = await deployment({ key: first });
  const asked: string[] = [];
  const counting = {
    ...records,
    collection: ((definition) => {
      const real = records.collection(definition);
      return new Proxy(real, {
        get(target, name: keyof typeof real) {
          const method = target[name];
          return (...given: unknown[]) => {
            asked.push(name);
            return (method as (...given: unknown[]) => unknown).apply(target, given);
          };
        },
      });
    }) as typeof records.collection,
  };
  let now = 1_000;
  const masters = new MasterKeys({
    kms: undefined,
    given: keysIn(first),
    file: { path: "/nowhere", keys: undefined },
    writeWith: undefined,
    made: () => undefined,
  });
  const keys = new DataKeys(counting, masters, () => now);
  await keys.current("acme");
  expect(asked).toEqual(["find", "insert"]);
  now += keptFor - 1;
  keys.sweep();
  await Promise.all([keys.current("acme"), keys.current("acme")]);
  expect(asked).toEqual(["find", "insert"]);
  now += 1;
  keys.sweep();
  await Promise.all([keys.current("acme"), keys.current("acme")]);
  expect(asked).toEqual(["find", "insert", "find"]);
});

describe("AWS KMS", () => {
  const arn = "arn:aws:kms:eu-west-1:123456789012:key/one";
  const other = "arn:aws:kms:us-east-1:123456789012:key/two";

  it("makes and opens data keys, told whose they are", async () => {
    const kms = await startKms();
    const options = { kms: { keyArn: arn, organisations: { theirs: other }, endpoint: kms.url, ...credentials } };
    const { sealing, folder } = await deployment(options);
    const sealed = await sealing.seal("acme", "r", secret);
    await sealing.seal("theirs", "r", secret);
    const restarted = await deployment(options, folder);
    expect(await restarted.sealing.open("acme", "r", sealed)).toBe(secret);
    await restarted.sealing.open("acme", "r", sealed);
    expect(kms.calls.map(({ action, body }) => [action, body.KeyId, body.EncryptionContext])).toEqual([
      ["GenerateDataKey", arn, { organisation: "acme", number: "1" }],
      ["GenerateDataKey", other, { organisation: "theirs", number: "1" }],
      ["Decrypt", arn, { organisation: "acme", number: "1" }],
    ]);
    expect(kms.calls[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/kms\/aws4_request, SignedHeaders=[a-z;-]*host[a-z;-]*, Signature=[0-9a-f]{64}$/,
    );
  });

  it("that does not answer is named, and asked again by the next one", async () => {
    const kms = await startKms();
    const { sealing } = await deployment({ kms: { keyArn: arn, endpoint: kms.url, ...credentials } });
    kms.down = true;
    const told = await failure(sealing.seal("acme", "r", secret));
    expect(told).toContain("AWS KMS refused GenerateDataKey with 503 ServiceUnavailable");
    kms.down = false;
    expect(await sealing.seal("acme", "r", secret)).toMatch(/^v1:1:/);
    const wrong = { ...credentials, secretAccessKey: "another-secret" };
    const stranger = await deployment({ kms: { keyArn: arn, endpoint: kms.url, ...wrong } });
    expect(await failure(stranger.sealing.seal("acme", "r", secret))).toContain("403 SignatureDoesNotMatch");
  });

  it("takes over from a key of one's own, and gives back", async () => {
    const kms = await startKms();
    const { sealing, folder } = await deployment({ key: first });
    const sealed = await sealing.seal("acme", "r", secret);
    const both = { key: first, kms: { keyArn: arn, endpoint: kms.url, ...credentials } };
    const moved = await deployment(both, folder);
    expect(await moved.sealing.rotate({ renew: false })).toMatchObject({ rewrapped: 1, failures: [] });
    const { key: _, ...alone } = both;
    expect(await (await deployment(alone, folder)).sealing.open("acme", "r", sealed)).toBe(secret);
    expect(await failure((await deployment({ key: first }, folder)).sealing.open("acme", "r", sealed))).toContain(
      "configure it again",
    );
    const back = await deployment({ ...both, writeWith: "key" }, folder);
    expect(await back.sealing.rotate({ renew: false })).toMatchObject({ rewrapped: 1 });
    expect(await (await deployment({ key: first }, folder)).sealing.open("acme", "r", sealed)).toBe(secret);
  });
});

describe("sluice encryption rotate", () => {
  const configOf = (folder: string, key: string) => {
    const file = join(folder, "gateway.json");
    const plugins = { "auth-open": {}, "records-file": {}, encryption: { key } };
    writeFileSync(file, JSON.stringify({ plugins, providers: {} }));
    return file;
  };
  const environment = environmentOf({});

  it("says how many data keys it has encrypted anew, and what keeps others from it", async () => {
    const { sealing, folder } = await deployment({ key: first });
    await sealing.seal("acme", "r", secret);
    expect(await rotate(configOf(folder, `${second},${first}`), { renew: true }, { environment })).toEqual({
      exitCode: 0,
      out: "1 data key encrypted anew, 0 as before, 1 new\n",
      err: "",
    });
    const failed = await rotate(configOf(folder, first), {}, { environment });
    expect(failed).toMatchObject({ exitCode: 1, out: "0 data keys encrypted anew, 0 as before\n" });
    expect(failed.err).toContain("Keep the older master keys");
  });

  it("says what is missing", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "gateway.json");
    writeFileSync(file, JSON.stringify({ plugins: { "auth-open": {} }, providers: {} }));
    expect((await rotate(file, {}, { environment })).err).toContain('add "encryption"');
  });
});

it("takes an empty key for none, as a variable that is not set leaves it", async () => {
  const gateway = await startTestGateway(
    JSON.stringify({
      plugins: { "auth-open": {}, "records-file": {}, encryption: { key: "$" + "{ENCRYPTION_KEY:-}" } },
      providers: {},
    }),
    {},
    temporaryFolder(),
  );
  expect(gateway.log.lines).toMatchObject([{ message: expect.stringContaining("no encryption key is configured") }]);
});
