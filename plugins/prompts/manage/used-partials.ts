import { compile } from "../template/content.ts";
import { parse } from "../template/parse.ts";
import { partialReference } from "../template/partial-reference.ts";
import { type Place, partialOf } from "./checks.ts";
import type { ManageParts, PartialRecord, PromptRecord } from "./parts.ts";

/** What is referred to in any version of a prompt. */
export async function referencesOfPrompt(prompt: PromptRecord, { prompts }: ManageParts): Promise<string[]> {
  const versions = await prompts.versions(prompt);
  return versions.flatMap(([, { document }]) => [...compile(document).partials]);
}

/** What is referred to in any version of a partial. */
export async function referencesOfPartial(partial: PartialRecord, { partials }: ManageParts): Promise<string[]> {
  const versions = await partials.versions(partial);
  return versions.flatMap(([, { document }]) => [...parse(document.string, { place: "string" }).partials]);
}

/** The partials behind references, and those that these use; what is not there (any more) is left out. */
export async function usedPartials(
  references: readonly string[],
  place: Place,
  parts: ManageParts,
): Promise<readonly PartialRecord[]> {
  const found = new Map<string, PartialRecord>();
  const waiting = [...references];
  const seen = new Set<string>();
  for (let reference = waiting.pop(); reference !== undefined; reference = waiting.pop()) {
    if (seen.has(reference)) continue;
    seen.add(reference);
    const partial = await partialOf(reference, place, parts.partials);
    if (!partial) continue;
    found.set(partial.id, partial);
    const { version } = partialReference(reference);
    const { versions, published } = partial.document;
    const number = version === "latest" ? versions.length : typeof version === "number" ? version : published;
    const { document } = await parts.partials.version(partial, number);
    waiting.push(...parse(document.string, { place: "string" }).partials);
  }
  return [...found.values()];
}
