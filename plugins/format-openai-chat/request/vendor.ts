import type { OperationSpec } from "../../../core/index.ts";

/** Takes the public name of what cannot be said. */
export type Report = (dropped: string) => void;

/** What who is asked takes beyond this format. */
export type Vendor = Pick<OperationSpec, "exact" | "thinkingField" | "attachments">;
