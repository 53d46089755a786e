import { type ChecksService, type GuardrailRecordsService, type KeptGuardrail, storeDown } from "../../core/index.ts";
import type { GuardrailDocument, GuardrailStore } from "./guardrail-store.ts";

interface Owned {
  readonly guardrail: KeptGuardrail;
  /** Null is the organisation. */
  readonly workspace: string | null;
}

/** Finds guardrails for requests: at hand once they were asked for, until they change. */
export function guardrailFinder(
  store: GuardrailStore,
  declared: readonly { readonly id: string; readonly document: GuardrailDocument }[],
  checks: Pick<ChecksService, "named">,
): GuardrailRecordsService & { close(): void } {
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
  return {
    find(organisation, workspace, ref) {
      const known = fromFile(ref);
      if (known || organisation === undefined) return known;
      const own = (found: Owned | undefined) =>
        found && (found.workspace === null || found.workspace === workspace) ? found.guardrail : undefined;
      const found = kept.find(organisation, ref);
      return found instanceof Promise ? found.then(own, storeDown) : own(found);
    },
    close: kept.close,
  };
}

const guardrailWith =
  (known: Pick<ChecksService, "named">) =>
  (id: string, document: GuardrailDocument): KeptGuardrail => ({
    id,
    slug: document.slug ?? id,
    name: document.name,
    ...(document.version_id !== null && { version: document.version_id }),
    checks: document.checks.map(({ id: given, name, parameters, is_enabled: enabled }) => ({
      id: known.named(given)?.id ?? given,
      ...(name !== undefined && { name }),
      parameters,
      enabled,
    })),
    actions: document.actions,
  });
