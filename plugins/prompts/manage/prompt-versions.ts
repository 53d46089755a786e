import { GatewayError, type ManagementService, nothing, z } from "../../../core/index.ts";
import type { ManageParts } from "./parts.ts";
import { findVersion } from "./prompt-reads.ts";

/** Labels moved between versions, and versions published (control-plane.md section 12.5). */
export function managePromptVersions(management: ManagementService, parts: ManageParts): void {
  const { prompts, stores } = parts;
  management.operation({
    method: "PUT",
    path: "/prompts/{promptId}/versions/{versionId}",
    tag: "prompts",
    summary: "Puts a label on a version, off any other one of the prompt; null takes all labels off it.",
    scopes: ["prompts.update"],
    audit: { resource: "prompts", action: "update" },
    body: z.strictObject({ label_id: z.uuid().nullable() }),
    answer: nothing,
    find: (call) => findVersion(call, parts, "findOwn"),
    async run({ found: { prompt, number }, body: { label_id }, organisation }) {
      if (label_id !== null) {
        const label = await stores.labels.usable(organisation, prompt.document.workspace_id ?? undefined, label_id);
        if (!label)
          throw new GatewayError("reference_unknown", `label_id: there is no label "${label_id}".`, {
            param: "label_id",
          });
      }
      await prompts.stores.owners.update(prompt, (document) => ({
        ...document,
        labels:
          label_id === null
            ? Object.fromEntries(Object.entries(document.labels).filter(([, on]) => on !== number))
            : { ...document.labels, [label_id]: number },
      }));
      return {};
    },
  });
  management.operation({
    method: "PUT",
    path: "/prompts/{promptId}/makeDefault",
    tag: "prompts",
    summary: "Publishes a version of a prompt.",
    scopes: ["prompts.publish"],
    audit: { resource: "prompts", action: "publish" },
    body: z.object({ version: z.int().min(1) }),
    answer: nothing,
    find: (call) => prompts.findOwn(call, call.path.promptId ?? ""),
    async run({ found, body: { version: number } }) {
      const { model } = (await prompts.version(found, number)).document;
      await prompts.publish(found, number, (document) => ({ ...document, model }));
      return {};
    },
  });
}
