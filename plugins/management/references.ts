import type { Dependents, ManagementService, RecordKind, ReferenceFinder, WorkspaceFinder } from "../../core/index.ts";

/** Who keeps which kind of record, and who refers to them: plugins know each other's records by kind only. */
export function references(
  workspaceOf: WorkspaceFinder,
): Pick<ManagementService, "keeps" | "reference" | "needs" | "dependents"> {
  const finders = new Map<RecordKind, ReferenceFinder>();
  const listeners = new Map<RecordKind, Dependents[]>();
  return {
    keeps(kind, find) {
      finders.set(kind, find);
    },
    async reference(kind, organisation, workspace, ref) {
      const found = await finders.get(kind)?.(organisation, workspace, ref);
      if (!found || found.workspace === null || found.workspace === found.id) return found;
      return (await workspaceOf(organisation, found.workspace)) && found;
    },
    needs(kind, dependents) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), dependents]);
    },
    async dependents(kind, organisation, record) {
      const all = await Promise.all((listeners.get(kind) ?? []).map((of) => of(organisation, record)));
      return all.flat();
    },
  };
}
