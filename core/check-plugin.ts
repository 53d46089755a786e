import { z } from "zod";
import type { Check } from "./check-kit/define-check.ts";
import { definePlugin } from "./define-plugin.ts";
import type { Brought, Plugin } from "./plugin.ts";
import { Checks } from "./services/checks.ts";

/** A check from elsewhere as the plugin that brings it: in a config file it stands among them. */
export const checkPlugin = (check: Check): Plugin =>
  definePlugin({
    name: check.id.toLowerCase().replace(".", "-"),
    summary: check.summary,
    options: z.strictObject({}),
    needs: [Checks],
    brings: () => [broughtCheck(check)],
    setup({ service }) {
      service(Checks).add(check);
    },
  }) as Plugin;

/** A check, as those who list what there is know it. */
export const broughtCheck = ({ id, summary, parameters }: Check): Brought => ({
  kind: "check",
  name: id,
  summary,
  options: parameters,
});

/** Whether a module's export is the result of `defineCheck`. */
export const isCheck = (value: unknown): value is Check =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "check" && "run" in value;
