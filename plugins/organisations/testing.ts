import { definePlugin, Organisations, z } from "../../core/index.ts";

/** For tests: shows what the data path knows of organisations. */
export default definePlugin({
  name: "shown",
  summary: "Shows the settings of organisations; for tests.",
  options: z.strictObject({}),
  needs: [Organisations],
  setup({ service, endpoint }) {
    const organisations = service(Organisations);
    const shows = (type: string, path: string, id: (url: string) => Promise<string>) =>
      endpoint({
        type,
        method: "GET",
        path: `/v1/test/${path}`,
        rawBody: true,
        serve: async ({ url }) => ({ status: 200, body: await organisations.settings(await id(url)) }),
      });
    shows("home", "home", async () => (await organisations.home()).organisation);
    shows("settings", "settings/:id", async (url) => url.split("/").at(-1) ?? "");
  },
});
