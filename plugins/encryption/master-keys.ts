import { GatewayError } from "../../core/index.ts";
import { makeKeyFile, readKeyFile } from "./key-file.ts";
import type { MasterKey } from "./master-key.ts";

/** Where master keys may come from. */
export type KeySource = "kms" | "key" | "keyFile";

export interface MasterKeysInput {
  readonly kms: { writer(organisation: string): MasterKey; reader(id: string): MasterKey | undefined } | undefined;
  /** In the order they are written in: the first one of a source encrypts. */
  readonly given: readonly MasterKey[];
  readonly file: { readonly path: string; readonly keys: readonly MasterKey[] | undefined };
  /** The source that encrypts; the first one there is, in the order of their names above, unless said otherwise. */
  readonly writeWith: KeySource | undefined;
  /** Told when a key file was made. */
  readonly made: (path: string) => void;
}

/** The master keys of this deployment. */
export class MasterKeys {
  readonly #input: MasterKeysInput;
  #file: readonly MasterKey[] | undefined;

  constructor(input: MasterKeysInput) {
    this.#input = input;
    this.#file = input.file.keys;
  }

  /** Whether nothing is configured, so that a key file has to be there or be made. */
  get byFileOnly(): boolean {
    return !this.#input.kms && this.#input.given.length === 0;
  }

  /**
   * What new data keys of an organisation are encrypted under. `none` says whether there is no data key of anybody yet: a
   * key file that is missing is made then only, since it would otherwise hide that one was lost.
   */
  async writer(organisation: string, none: () => Promise<boolean>): Promise<MasterKey> {
    const { kms, given, writeWith } = this.#input;
    const sources: Record<KeySource, () => MasterKey | undefined> = {
      kms: () => kms?.writer(organisation),
      key: () => given[0],
      keyFile: () => this.#read()?.[0],
    };
    const [chosen] = (writeWith ? [writeWith] : (["kms", "key", "keyFile"] as const)).flatMap(
      (source) => sources[source]() ?? [],
    );
    if (chosen) return chosen;
    if (!(await none())) throw this.#lost("There are secrets that were encrypted under a master key");
    return this.#make();
  }

  /** Throws what to do where it is not among the keys. */
  reader(id: string, what: string): MasterKey {
    const { kms, given } = this.#input;
    const found = kms?.reader(id) ?? [...given, ...(this.#read() ?? [])].find((one) => one.id === id);
    if (found) return found;
    if (id.startsWith("kms:"))
      throw new GatewayError(
        "secret_unavailable",
        `${what} is encrypted under ${id}, and the plugin encryption has no \`kms\`: configure it again.`,
      );
    throw this.#lost(`${what} is encrypted under the master key ${id}`);
  }

  #lost(what: string): GatewayError {
    const { given, file } = this.#input;
    const ids = [...given, ...(this.#file ?? [])].map(({ id }) => id);
    return new GatewayError(
      "secret_unavailable",
      `${what}, which the plugin encryption does not have (${ids.length > 0 ? `it has ${ids.join(", ")}` : "it has none"}). ` +
        `Give it back: among the keys of \`key\`, behind the one in use and a comma, or on a line of ${file.path}.`,
    );
  }

  /** Another process may have made it in the meantime. */
  #read(): readonly MasterKey[] | undefined {
    this.#file ??= readKeyFile(this.#input.file.path);
    return this.#file;
  }

  #make(): MasterKey {
    const { path } = this.#input.file;
    const { keys, made } = makeKeyFile(path);
    this.#file = keys;
    const [key] = keys;
    if (!key) throw this.#lost("There is a key file without a key");
    if (made) this.#input.made(path);
    return key;
  }
}
