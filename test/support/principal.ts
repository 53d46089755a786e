import { definePlugin, type Principal, z } from "../../core/index.ts";

/** For tests: lets in whoever says in `x-test-principal` who they are, as the JSON of a principal. */
export default definePlugin({
  name: "principal",
  summary: "Believes what callers say of themselves; for tests.",
  options: z.strictObject({}),
  setup({ hooks }) {
    hooks.auth.tap("principal", ({ headers }) => {
      const said = headers["x-test-principal"];
      return typeof said === "string" && said !== "" ? (JSON.parse(said) as Principal) : undefined;
    });
  },
});
