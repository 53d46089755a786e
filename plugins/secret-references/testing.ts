import { definePlugin, GatewayError, Management, Secrets, z } from "../../core/index.ts";

/** For tests: resolves secrets as other plugins do, and needs the one that is called `mapped`. */
export default definePlugin({
  name: "resolver",
  summary: "Shows what references stand for; for tests.",
  options: z.strictObject({}),
  needs: [Management, Secrets],
  setup({ service, endpoint }) {
    const secrets = service(Secrets);
    const management = service(Management);
    management.needs("secret_references", async (_organisation, { slug }) =>
      slug === "mapped" ? ['the virtual key "main"'] : [],
    );
    const common = { rawBody: true, errors: "management" } as const;
    endpoint({
      ...common,
      type: "resolve",
      method: "GET",
      path: "/v1/test/secrets/:reference",
      async serve({ url, principal }) {
        const { pathname, searchParams } = new URL(url, "http://test");
        const reference = pathname.split("/").at(-1) ?? "";
        const { organisation = "", workspace } = principal ?? {};
        const value = secrets.value(organisation, workspace, reference, searchParams.get("key") ?? undefined);
        const waited = value instanceof Promise;
        try {
          return { status: 200, body: { value: await value, waited } };
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          return { status: error.status, body: { code: error.code, message: error.message, ...error.details } };
        }
      },
    });
    endpoint({
      ...common,
      type: "refuse",
      method: "DELETE",
      path: "/v1/test/secrets/:reference",
      serve({ url, principal }) {
        secrets.refused(principal?.organisation ?? "", url.split("/").at(-1) ?? "");
        return { status: 200 };
      },
    });
    endpoint({
      ...common,
      type: "refer",
      method: "GET",
      path: "/v1/test/references/:reference",
      async serve({ url, principal }) {
        const { organisation = "", workspace } = principal ?? {};
        const ref = url.split("/").at(-1) ?? "";
        const found = await management.reference("secret_references", organisation, workspace, ref);
        return { status: found ? 200 : 404, body: found ?? {} };
      },
    });
  },
});
