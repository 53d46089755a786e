import {
  type ChecksService,
  type GuardrailCheck,
  type GuardrailRecordsService,
  isId,
  type KeptGuardrail,
  storeDown,
} from "../../core/index.ts";
import type { KeptCheck } from "./checks.ts";
import type { GuardrailDocument, GuardrailStore, VersionDocument, VersionStore } from "./guardrail-store.ts";

interface Owned {
  readonly guardrail: KeptGuardrail;
  /** Null is the organisation. */
  readonly workspace: string | null;
}

/** A version, and what it is one of. */
interface OfVersion {
  readonly guardrail: string;
  as(current: KeptGuardrail): KeptGuardrail;
}

interface FinderParts {
  readonly store: GuardrailStore;
  readonly versions: VersionStore;
  readonly declared: readonly { readonly id: string; readonly document: GuardrailDocument }[];
  readonly checks: Pick<ChecksService, "named">;
}

/** Finds guardrails for requests: at hand once they were asked for, until they change. */
export function guardrailFinder({
  store,
  versions,
  declared,
  checks,
}: FinderParts): GuardrailRecordsService & { close(): void } {
  const guardrailOf = guardrailWith(checks);
  // Made when asked for: checks of other plugins come later.
  const ofFile = new Map<string, KeptGuardrail>();
  const inFile = new Map(declared.map(({ id, document }) => [id, document]));
  const fromFile = (ref: string): KeptGuardrail | undefined => {
    const document = inFile.get(ref);
    if (!document) return undefined;
    const made = ofFile.get(ref) ?? guardrailOf(ref, document);
    ofFile.set(ref, made);
    return made;
  };
  const kept = store.kept<Owned>(
    ({ id, document }) => ({ guardrail: guardrailOf(id, document), workspace: document.workspace_id }),
    { staleAfterChange: true },
  );
  const ofVersion = versions.kept<OfVersion>(({ id, document }) => versionWith(checks, id, document));
  const atVersion = (organisation: string, current: KeptGuardrail, version: string) => {
    if (current.version === version) return current;
    if (!isId(version)) return undefined;
    const own = (found: OfVersion | undefined) => (found?.guardrail === current.id ? found.as(current) : undefined);
    const found = ofVersion.find(organisation, version);
    return found instanceof Promise ? found.then(own, storeDown) : own(found);
  };
  return {
    find(organisation, workspace, ref, version) {
      const known = fromFile(ref);
      if (known || organisation === undefined) return version === undefined ? known : undefined;
      const own = (found: Owned | undefined) => {
        if (!found || (found.workspace !== null && found.workspace !== workspace)) return undefined;
        return version === undefined ? found.guardrail : atVersion(organisation, found.guardrail, version);
      };
      const found = kept.find(organisation, ref);
      return found instanceof Promise ? found.then(own, storeDown) : own(found);
    },
    close() {
      kept.close();
      ofVersion.close();
    },
  };
}

const guardrailWith =
  (known: Pick<ChecksService, "named">) =>
  (id: string, document: GuardrailDocument): KeptGuardrail => ({
    id,
    slug: document.slug ?? id,
    name: document.name,
    ...(document.version_id !== null && { version: document.version_id }),
    checks: checksOf(known, document.checks),
    actions: document.actions,
  });

const checksOf = (known: Pick<ChecksService, "named">, checks: readonly KeptCheck[]): GuardrailCheck[] =>
  checks.map(({ id: given, name, parameters, is_enabled: enabled }) => ({
    id: known.named(given)?.id ?? given,
    ...(name !== undefined && { name }),
    parameters,
    enabled,
  }));

/** The slug is that of the guardrail, which never changes: one object stands for a version. */
function versionWith(known: Pick<ChecksService, "named">, version: string, document: VersionDocument): OfVersion {
  const { guardrail_id: guardrail, name, actions } = document;
  const checks = checksOf(known, document.checks);
  let made: KeptGuardrail | undefined;
  return {
    guardrail,
    as({ id, slug }) {
      made ??= { id, slug, name, version, checks, actions };
      return made;
    },
  };
}
