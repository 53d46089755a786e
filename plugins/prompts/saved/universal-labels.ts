import { fixedId } from "./fixed-id.ts";

/** Labels that every organisation has, and nobody changes (control-plane.md section 11.2). */
export const universalNames = ["production", "staging", "development"] as const;

export const universalLabels = universalNames.map((name) => ({
  id: universalLabelId(name),
  origin: "built-in" as const,
  document: {
    workspace_id: null,
    deleted: false,
    name,
    taken_name: name,
    description: null,
    color_code: null,
  },
}));

export function universalLabelId(name: (typeof universalNames)[number]): string {
  return fixedId("label", name);
}
