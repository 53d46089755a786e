import type { Borrowing } from "../../model/format.ts";
import { claudeAbilities } from "./claude.ts";

/** Where the id of a result is looked for, behind the name of its field. */
const longestBefore = 32;

/**
 * Finds conversations in which others called tools, for a Claude that thinks within a budget: it refuses a turn that goes on and did not
 * begin with its own thinking, and bytes that pass through would ask it to think all the same. Results say whose calls they are of by their
 * ids, in the field `idField`: a vendor's own begin with `ownPrefix`. Where `switchField` is not set, nobody asks for thinking. Too many
 * found do no harm: they are read, and written as they were.
 */
export function foundBegunElsewhere(switchField: string, idField: string, ownPrefix: string) {
  const ownId = new RegExp(`^\\s*:\\s*"${ownPrefix}`);
  const name = Buffer.from(`"${idField}"`);
  return (bytes: Buffer, { model, keys }: Borrowing): boolean => {
    let at = keys?.has(switchField) === false ? -1 : bytes.indexOf(name);
    const abilities = at < 0 ? undefined : claudeAbilities(model);
    if (!abilities || abilities.thinking === "none" || abilities.refusesBudgets) return false;
    for (; at >= 0; at = bytes.indexOf(name, at)) {
      at += name.length;
      if (!ownId.test(bytes.toString("latin1", at, at + longestBefore))) return true;
    }
    return false;
  };
}
