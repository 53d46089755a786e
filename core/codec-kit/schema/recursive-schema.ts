import { type Fields, isRecord } from "../records.ts";

const definition = /^#\/(\$defs|definitions)\/([^/]+)$/;
/** What a schema holds besides schemas; definitions are read where they are referred to. */
const apart = new Set(["const", "default", "enum", "examples", "$defs", "definitions"]);

/** Whether a schema, or one of its definitions, leads back to itself. */
export function isRecursive(root: Readonly<Fields>): boolean {
  const entered = new Set<string>();
  const left = new Set<string>();

  const leadsBack = (reference: string): boolean => {
    if (entered.has(reference)) return !left.has(reference);
    const target = reference === "#" ? root : definitionOf(root, reference);
    if (!target) return false;
    entered.add(reference);
    if (referencesIn(target, []).some(leadsBack)) return true;
    left.add(reference);
    return false;
  };
  return leadsBack("#");
}

function definitionOf(root: Readonly<Fields>, reference: string): Fields | undefined {
  const [, list = "", name = ""] = definition.exec(reference) ?? [];
  const all = root[list];
  const found = isRecord(all) ? all[name.replace(/~1/g, "/").replace(/~0/g, "~")] : undefined;
  return isRecord(found) ? found : undefined;
}

function referencesIn(node: unknown, found: string[]): string[] {
  if (Array.isArray(node)) for (const one of node) referencesIn(one, found);
  if (!isRecord(node)) return found;
  if (typeof node.$ref === "string") found.push(node.$ref);
  for (const [name, value] of Object.entries(node)) {
    // Names of properties are the client's: one of them may be a keyword.
    if (name === "properties" && isRecord(value)) for (const one of Object.values(value)) referencesIn(one, found);
    else if (!apart.has(name)) referencesIn(value, found);
  }
  return found;
}
