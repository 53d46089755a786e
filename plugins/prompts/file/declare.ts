import { GatewayError, type OptionMistake, refuseOptions } from "../../../core/index.ts";
import type {
  PartialDocument,
  PartialVersionDocument,
  PromptDocument,
  PromptVersionDocument,
} from "../saved/documents.ts";
import { fixedId } from "../saved/fixed-id.ts";
import type { Declared } from "../saved/stores.ts";
import { universalLabelId } from "../saved/universal-labels.ts";
import { compile } from "../template/content.ts";
import { parse } from "../template/parse.ts";
import { partialReference } from "../template/partial-reference.ts";
import type { PartialOfFile, PromptOfFile } from "./options.ts";
import type { Folder } from "./read-folder.ts";

export interface DeclaredInFile {
  readonly prompts: readonly Declared<PromptDocument, PromptVersionDocument>[];
  readonly partials: readonly Declared<PartialDocument, PartialVersionDocument>[];
  /** Providers the prompts name, with who does, and where. */
  readonly providers: readonly { readonly slug: string; readonly prompt: string; readonly path: readonly string[] }[];
}

/**
 * The prompts and partials of the config file and of its folder, as records with one version each. Throws where a template
 * is none, or uses a partial that is not among them.
 */
export function declaredIn(options: Folder, folder: Folder): DeclaredInFile {
  const prompts = together(options.prompts, folder.prompts, "prompt");
  const partials = together(options.partials, folder.partials, "partial");
  const mistakes: OptionMistake[] = [];
  const made = {
    prompts: prompts.flatMap(([slug, prompt]) =>
      within("prompt", slug, { options, mistakes }, () => declaredPrompt(slug, prompt, partials)),
    ),
    partials: partials.flatMap(([slug, partial]) =>
      within("partial", slug, { options, mistakes }, () => declaredPartial(slug, partial, partials)),
    ),
  };
  refuseOptions(mistakes);
  const providers = prompts.flatMap(([slug, { virtual_key }]) => {
    if (virtual_key === undefined) return [];
    const path = Object.hasOwn(options.prompts, slug) ? ["prompts", slug, "virtual_key"] : ["folder"];
    return [{ slug: virtual_key.replace(/^@/, ""), prompt: slug, path }];
  });
  return { ...made, providers };
}

type Entries<One> = readonly (readonly [slug: string, one: One])[];

function together<One>(
  one: Readonly<Record<string, One>>,
  other: Readonly<Record<string, One>>,
  what: string,
): Entries<One> {
  const twice = Object.keys(one).find((slug) => Object.hasOwn(other, slug));
  if (twice !== undefined) throw new Error(`the ${what} "${twice}" is in the config file and in the folder`);
  return Object.entries({ ...one, ...other });
}

/** Says which one a mistake is in, and goes on to the others. */
function within<Made>(
  what: "prompt" | "partial",
  slug: string,
  { options, mistakes }: { readonly options: Folder; readonly mistakes: OptionMistake[] },
  make: () => Made,
): Made[] {
  try {
    return [make()];
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const section = `${what}s` as const;
    const path = Object.hasOwn(options[section], slug) ? [section, slug] : ["folder"];
    mistakes.push({ path, message: `the ${what} "${slug}": ${error.message}` });
    return [];
  }
}

function declaredPrompt(
  slug: string,
  prompt: PromptOfFile,
  partials: Entries<PartialOfFile>,
): Declared<PromptDocument, PromptVersionDocument> {
  const { name = slug, string, labels, virtual_key, version_description: description, ...content } = prompt;
  const text = typeof string === "string" ? string : JSON.stringify(string);
  const [id, versionId] = [fixedId("prompt of the file", slug), fixedId("version of the file", slug)];
  const version: PromptVersionDocument = {
    ...ofFile,
    ...content,
    of: id,
    string: text,
    virtual_key: virtual_key?.replace(/^@/, "") ?? null,
    description,
  };
  refuseUnknown(compile(version).partials, partials);
  return {
    owner: {
      id,
      document: {
        ...ofFile,
        ...published(versionId),
        slug,
        name,
        labels: Object.fromEntries(labels.map((label) => [universalLabelId(label), 1])),
        model: prompt.model,
      },
    },
    version: { id: versionId, document: version },
  };
}

function declaredPartial(
  slug: string,
  { name = slug, string, version_description: description }: PartialOfFile,
  partials: Entries<PartialOfFile>,
): Declared<PartialDocument, PartialVersionDocument> {
  const [id, versionId] = [fixedId("partial of the file", slug), fixedId("partial version of the file", slug)];
  refuseUnknown(parse(string, { place: "string" }).partials, partials);
  return {
    owner: { id, document: { ...ofFile, ...published(versionId), slug, name, status: "active" } },
    version: { id: versionId, document: { ...ofFile, of: id, string, description } },
  };
}

const ofFile = { workspace_id: null, deleted: false } as const;

const published = (version: string) => ({ collection_id: null, versions: [version], published: 1, share: null });

function refuseUnknown(references: ReadonlySet<string>, partials: Entries<PartialOfFile>): void {
  for (const reference of references) {
    const { ref, version } = partialReference(reference);
    if (partials.some(([slug]) => slug === ref) && (version === "published" || version === "latest" || version === 1))
      continue;
    throw new GatewayError("record_invalid", `there is no partial "${reference}" among those of the config file`);
  }
}
