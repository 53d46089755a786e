import { GatewayError } from "../../../core/index.ts";
import type { CompiledVersion } from "../render-prompt.ts";
import type {
  LabelDocument,
  PartialDocument,
  PartialVersionDocument,
  PromptDocument,
  PromptVersionDocument,
  Share,
  VersionedDocument,
} from "../saved/documents.ts";
import { promptReference, type VersionReference } from "../saved/prompt-reference.ts";
import { type SharedParts, sharedDestination } from "../saved/shared-provider.ts";
import type { Declared, Stores } from "../saved/stores.ts";
import { universalLabels } from "../saved/universal-labels.ts";
import { isShared } from "../saved/versioned.ts";
import { compile } from "../template/content.ts";
import { link, type SavedPartial } from "../template/link.ts";
import { parse, type Template } from "../template/parse.ts";
import { partialReference } from "../template/partial-reference.ts";
import { because } from "../template/refusals.ts";
import type { Links } from "../template/render.ts";
import type { Data } from "../template/values.ts";
import { Lookup, type Readable } from "./lookup.ts";

/** Who looks for something: a workspace, or somebody who sees the config file only. */
export interface Caller {
  readonly organisation?: string | undefined;
  readonly workspace?: string | undefined;
}

/** A prompt that was found, with everything its rendering needs. */
export interface FoundPrompt {
  readonly id: string;
  readonly slug: string;
  readonly number: number;
  readonly versionId: string;
  readonly version: PromptVersion;
  readonly links: Links;
}

interface PromptVersion extends CompiledVersion {
  /** The slug of the provider it is meant for. */
  readonly provider: string | null;
  /** That provider is not the caller's to call. */
  readonly elsewhere?: true;
}

export interface CatalogueInput extends SharedParts {
  readonly stores: Stores;
  readonly prompts: readonly Declared<PromptDocument, PromptVersionDocument>[];
  readonly partials: readonly Declared<PartialDocument, PartialVersionDocument>[];
  /** Whether prompts are kept for organisations, and not in the config file alone. */
  readonly organisations: boolean;
}

/** Compiled templates kept at most, of prompts and of partials. */
const mostTemplates = 1000;

/** Prompts on the data path: found in memory once they were asked for, until they change. */
export class Catalogue {
  readonly #prompts: Lookup<PromptDocument, PromptOwner>;
  readonly #promptVersions: Lookup<PromptVersionDocument, PromptVersion>;
  readonly #partials: Lookup<PartialDocument, PartialOwner>;
  readonly #partialVersions: Lookup<PartialVersionDocument, Template>;
  readonly #labels: Lookup<LabelDocument, string>;
  readonly #hasOrganisations: boolean;
  readonly #shared: SharedParts;

  constructor({ stores, prompts, partials, organisations, ...shared }: CatalogueInput) {
    this.#hasOrganisations = organisations;
    this.#shared = shared;
    const owners = <One>(all: readonly { readonly owner: One }[]) => all.map(({ owner }) => ofFile(owner));
    const versions = <One>(all: readonly { readonly version: One }[]) => all.map(({ version }) => ofFile(version));
    this.#prompts = new Lookup(stores.prompts.owners, owners(prompts), promptOwner);
    this.#promptVersions = new Lookup(stores.prompts.versions, versions(prompts), promptVersion, mostTemplates);
    this.#partials = new Lookup(stores.partials.owners, owners(partials), partialOwner);
    this.#partialVersions = new Lookup(stores.partials.versions, versions(partials), partialVersion, mostTemplates);
    this.#labels = new Lookup(stores.labels, universalLabels, ({ document }) => document.name);
  }

  /**
   * A prompt by a reference to one of its versions, for somebody who may use it. Rejects with a reason of prompts.md
   * section 6, or with `store_unavailable` where the store has to be asked and does not answer.
   */
  async find(caller: Caller, reference: string, variables: Data): Promise<FoundPrompt> {
    const { organisation, workspace = null } = caller;
    const { ref, version: wanted } = promptReference(reference);
    const prompt = await this.#prompts.find(organisation, ref);
    if (!prompt || !isOpenFor(prompt, workspace)) throw this.#absent(ref, caller);
    const number = await this.#numberOf(prompt, wanted, organisation);
    const versionId = prompt.versions[number - 1];
    const version = versionId === undefined ? undefined : await this.#promptVersions.find(organisation, versionId);
    if (versionId === undefined || !version)
      throw because("prompt_version_not_found", `The prompt "${prompt.slug}" has no version ${number}.`);
    const links = await link(version.content, prompt.workspace, {
      variables,
      caller: workspace,
      find: (partial, owner) => this.#partial(partial, owner, organisation),
    });
    const own = await this.#asSharedWith(caller, prompt.workspace, version);
    return { id: prompt.id, slug: prompt.slug, number, versionId, version: own, links };
  }

  close(): void {
    this.#prompts.close();
    this.#promptVersions.close();
    this.#partials.close();
    this.#partialVersions.close();
    this.#labels.close();
  }

  /** A version as a caller uses it: one of another workspace goes to a provider of the caller's. */
  async #asSharedWith(
    { organisation, workspace }: Caller,
    owner: string | null,
    version: PromptVersion,
  ): Promise<PromptVersion> {
    if (owner === null || organisation === undefined || workspace === undefined || owner === workspace) return version;
    return { ...version, ...(await sharedDestination(version, { organisation, owner, workspace }, this.#shared)) };
  }

  /** Whose prompts are meant is not known of somebody who belongs to no organisation, where there are some. */
  #absent(ref: string, { organisation }: Caller): GatewayError {
    if (organisation !== undefined || !this.#hasOrganisations)
      return because("prompt_not_found", `There is no prompt "${ref}".`);
    return new GatewayError(
      "invalid_api_key",
      `There is no prompt "${ref}" in the config file; others need an API key of the workspace they are in.`,
    );
  }

  async #numberOf(prompt: PromptOwner, wanted: VersionReference, organisation: string | undefined): Promise<number> {
    if (wanted.kind === "published") return prompt.published;
    if (wanted.kind === "latest") return prompt.versions.length;
    if (wanted.kind === "number") return wanted.number;
    // A label that is gone is still on the prompt, but has no name any more.
    for (const [id, number] of Object.entries(prompt.labels))
      if ((await this.#labels.find(organisation, id)) === wanted.name) return number;
    throw because("prompt_label_not_found", `The prompt "${prompt.slug}" has no label "${wanted.name}".`);
  }

  /** A partial as the workspace sees it whose text refers to it; a text of the config file sees the file's only. */
  async #partial(
    reference: string,
    workspace: string | null,
    organisation: string | undefined,
  ): Promise<SavedPartial<string | null>> {
    const { ref, version } = partialReference(reference);
    const partial = await this.#partials.find(organisation, ref);
    if (!partial || partial.archived || !isOpenFor(partial, workspace))
      throw because("partial_not_found", `There is no partial "${ref}".`, "string");
    const { versions, published, slug } = partial;
    const number = version === "published" ? published : version === "latest" ? versions.length : version;
    const id = number === "unknown" ? undefined : versions[number - 1];
    const template = id === undefined ? undefined : await this.#partialVersions.find(organisation, id);
    if (id === undefined || !template)
      throw because("partial_version_not_found", `The partial "${slug}" has no version "${reference}".`, "string");
    return { id, slug, template, owner: partial.workspace };
  }
}

/** What has versions, as far as calls need it. */
interface Owner {
  readonly id: string;
  readonly slug: string;
  /** Null for those of the config file, which are for all. */
  readonly workspace: string | null;
  readonly share: Share | null;
  readonly versions: readonly string[];
  readonly published: number;
}

interface PromptOwner extends Owner {
  /** Numbers of versions by ids of labels. */
  readonly labels: Readonly<Record<string, number>>;
}

interface PartialOwner extends Owner {
  readonly archived: boolean;
}

const isOpenFor = ({ workspace: owner, share }: Owner, workspace: string | null): boolean =>
  owner === null || (workspace !== null && (owner === workspace || isShared(share, workspace)));

const ofFile = <One>(one: One) => ({ ...one, origin: "file" as const });

const ownerOf = ({ id, document, origin }: Readable<VersionedDocument>): Owner => ({
  id,
  slug: document.slug ?? id,
  workspace: origin === "store" ? document.workspace_id : null,
  share: document.share,
  versions: document.versions,
  published: document.published,
});

const promptOwner = (prompt: Readable<PromptDocument>): PromptOwner => ({
  ...ownerOf(prompt),
  labels: prompt.document.labels,
});

const partialOwner = (partial: Readable<PartialDocument>): PartialOwner => ({
  ...ownerOf(partial),
  archived: partial.document.status === "archived",
});

const promptVersion = ({ document }: Readable<PromptVersionDocument>): PromptVersion => ({
  content: compile(document),
  parameters: document.parameters,
  model: document.model,
  strict: document.template_metadata.strict_variables === true,
  provider: document.virtual_key,
});

const partialVersion = ({ document }: Readable<PartialVersionDocument>): Template =>
  parse(document.string, { place: "string" });
