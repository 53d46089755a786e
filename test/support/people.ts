import { definePlugin, Management, z } from "../../core/index.ts";

/** For tests: keeps the users and configs that others refer to, as its options name them; every workspace has them. */
export default definePlugin({
  name: "people",
  summary: "Users and configs for tests.",
  options: z.strictObject({
    users: z.record(z.string(), z.string()).default({}).describe("E-mail addresses by id."),
    configs: z.record(z.string(), z.string()).default({}).describe("Slugs by id."),
  }),
  needs: [Management],
  setup({ service }, { users, configs }) {
    const management = service(Management);
    management.keeps("users", async (_, workspace, id) => {
      const email = users[id];
      return email === undefined ? undefined : { id, workspace: workspace ?? null, email };
    });
    management.keeps("configs", async (_, workspace, ref) => {
      const found = Object.entries(configs).find((one) => one.includes(ref));
      return found && { id: found[0], slug: found[1], workspace: workspace ?? null };
    });
  },
});
