import {
  type FileKey,
  type FileKeyFinder,
  fileKeys,
  maskedSecret,
  plainScope,
  type ResourceParts,
} from "../../core/index.ts";
import { type ApiKeyDocument, tended } from "./document.ts";
import { idFrom } from "./first-key.ts";
import { blank } from "./keys.ts";

type Declared = NonNullable<ResourceParts<ApiKeyDocument>["declared"]>[number];

/** Keys of the config file, as the API shows them; what lets them in is the file alone. */
export class DeclaredKeys {
  readonly documents: Declared[] = [];
  #find: FileKeyFinder | undefined;

  readonly find = (): FileKeyFinder | undefined => this.#find;

  /** Throws for keys that cannot be. */
  declare(keys: readonly FileKey[]): void {
    this.#find = fileKeys(keys);
    this.documents.push(...keys.map(documentOf));
  }
}

const documentOf = ({ name, key, scopes, config, mayReplaceConfig, metadata }: FileKey): Declared => ({
  id: idFrom(`key of the config file: ${name}`),
  document: tended({
    ...blank,
    type: "workspace-service",
    workspace_id: null,
    name,
    scopes: scopes.map(plainScope),
    config_slug: config ?? null,
    allow_config_override: mayReplaceConfig,
    metadata,
    creation_mode: "auto",
    secret: { digest: "", masked: maskedSecret(key.reveal()) },
  }),
});
