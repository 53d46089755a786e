import { GatewayError } from "../../core/index.ts";
import type { WorkspaceDocument, WorkspaceStore } from "./workspace.ts";

type Named = Pick<WorkspaceDocument, "name" | "icon">;

/** The name with its icon in front. */
export const displayName = ({ name, icon }: Named): string => (icon === null ? name : `${icon} ${name}`);

/** A flag, a key, or a picture with what belongs to it: a skin, a region, another picture it is joined to. */
const emoji =
  /(?:\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3|\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier}|[\u{e0020}-\u{e007f}]|\u200d\p{Extended_Pictographic})*)/u
    .source;
const leadingEmoji = new RegExp(`^${emoji}\\s*`, "u");
const oneEmoji = new RegExp(`^${emoji}$`, "u");

export const isEmoji = (text: string): boolean => oneEmoji.test(text);

/** One that was kept before may be sent back, whatever it is. */
export function refuseOtherIcon(icon: string | null | undefined, kept: string | null): void {
  if (typeof icon === "string" && icon !== kept && !isEmoji(icon))
    throw new GatewayError("record_invalid", "icon: must be one emoji", { param: "icon" });
}

/** The name without an emoji in front. */
export const plainName = ({ name }: Pick<Named, "name">): string => name.replace(leadingEmoji, "") || name;

/** A name as it is kept: one that was read with the icon in front, and sent back, is the name it was. */
export const keptName = (name: string, icon: string | null): string =>
  icon !== null && name.startsWith(`${icon} `) ? name.slice(icon.length + 1) || name : name;

/** Of workspaces that have no claim to their name yet, too. */
export async function refuseTaken(store: WorkspaceStore, organisation: string, name: string): Promise<void> {
  const { total } = await store.select(organisation, { filter: ({ document }) => document.name === name });
  if (total > 0)
    throw new GatewayError("already_exists", `There is a workspace with the name "${name}" already.`, {
      param: "name",
    });
}
