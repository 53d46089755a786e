import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  definePlugin,
  errorMessage,
  GatewayError,
  OptionsError,
  Records,
  Sealing,
  type Secret,
  secret,
  z,
} from "../../core/index.ts";
import { decrypt, encrypt } from "./cipher.ts";
import { DataKeys } from "./data-keys.ts";
import { readKeyFile } from "./key-file.ts";
import { kmsKeys } from "./kms.ts";
import { keysIn } from "./master-key.ts";
import { MasterKeys } from "./master-keys.ts";

const usualName = "encryption.key";
const usualFolder = ".sluice";

const arn = z.string().regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d+:(?:key|alias)\/\S+$/, {
  error: "the ARN of a key: arn:aws:kms:eu-west-1:123456789012:key/…",
});

export default definePlugin({
  name: "encryption",
  summary: "Encrypts the secrets among the records, under a key of the operator's.",
  options: z.strictObject({
    key: secret()
      .exactOptional()
      .describe(
        "The master key: 32 bytes in base64, base64url or hex. Of several with commas between them, the first one " +
          "encrypts, and all of them decrypt.",
      ),
    keyFile: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        "A file with master keys, one a line, relative to the config file. Absent: encryption.key in the folder of the " +
          "records, or in .sluice where they are elsewhere. It is made with the first secret where nothing else is given.",
      ),
    kms: z
      .strictObject({
        keyArn: arn.describe("The key."),
        organisations: z
          .record(z.string(), arn)
          .default({})
          .describe("Keys of organisations that have one of their own, by the organisation's id."),
        endpoint: z
          .url({ protocol: /^https?$/ })
          .exactOptional()
          .describe("Where KMS is, if not at the public endpoint of the key's region."),
        accessKeyId: secret().exactOptional().describe("Access key id. Absent: what the machine has."),
        secretAccessKey: secret().exactOptional().describe("Secret of that access key."),
        sessionToken: secret().exactOptional().describe("Session token, where the keys are temporary ones."),
      })
      .exactOptional()
      .describe("A key in AWS KMS, as the master key."),
    writeWith: z
      .enum(["kms", "key", "keyFile"])
      .exactOptional()
      .describe("What encrypts, where several are given. Absent: the first of kms, key and keyFile."),
  }),
  needs: [Records],
  provides: [Sealing],
  setup({ service, provide, ask, log, folder, onReady, onClose }, { key, keyFile, kms, writeWith }) {
    const records = service(Records);
    const path = keyFile === undefined ? usualFile(folder, records.folder) : resolve(folder, keyFile);
    const given = key ? keysOf(key) : [];
    const keys = readKeyFile(path);
    if (keyFile !== undefined && !keys)
      throw new OptionsError({ path: ["keyFile"], message: `there is no file ${path}` });
    const named = { kms, key: given[0], keyFile: keys };
    if (writeWith && !named[writeWith])
      throw new OptionsError({ path: ["writeWith"], message: `there is no ${writeWith}` });
    const masters = new MasterKeys({
      kms: kms && kmsKeys(kms, ask),
      given,
      file: { path, keys },
      writeWith,
      made: () => log.warn("made an encryption key: without it stored secrets are lost, so keep a copy", { path }),
    });
    const dataKeys = new DataKeys(records, masters, Date.now);
    const sweeping = setInterval(() => dataKeys.sweep(), 60_000).unref();
    onClose(() => clearInterval(sweeping));
    provide(Sealing, {
      async seal(organisation, record, text) {
        const { number, key } = await dataKeys.current(organisation);
        return `v1:${number}:${encrypt(key, Buffer.from(text), record).toString("base64url")}`;
      },
      async open(organisation, record, sealed) {
        const [, number, bytes] = /^v1:(\d+):([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
        if (number === undefined || bytes === undefined) throw unreadable(record, "is not encrypted as it should be");
        const { key } = await dataKeys.numbered(organisation, number);
        const text = decrypt(key, Buffer.from(bytes, "base64url"), record);
        if (text) return text.toString();
        throw unreadable(record, "is damaged, or was encrypted for another record");
      },
      rotate: ({ renew }) => dataKeys.rotate(renew),
    });
    onReady(() => {
      if (masters.byFileOnly && !existsSync(path))
        log.info("no encryption key is configured: one will be made in a file with the first secret", { path });
    });
  },
});

/**
 * Beside the records, so that whoever moves or mounts their folder has the key as well. Where an earlier version has made it
 * beside the config file, it stays in use.
 */
function usualFile(folder: string, ofRecords: string | undefined): string {
  const beside = join(ofRecords ?? resolve(folder, usualFolder), usualName);
  const before = resolve(folder, usualFolder, usualName);
  return !existsSync(beside) && existsSync(before) ? before : beside;
}

function keysOf(key: Secret): ReturnType<typeof keysIn> {
  try {
    return keysIn(key.reveal());
  } catch (cause) {
    throw new OptionsError({ path: ["key"], message: errorMessage(cause) }, { cause });
  }
}

const unreadable = (record: string, why: string) =>
  new GatewayError("secret_unavailable", `The secret ${record} ${why}: restore its record from a backup.`);
