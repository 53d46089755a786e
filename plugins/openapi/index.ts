import { definePlugin, type Endpoint, gatewayAsAsked, z } from "../../core/index.ts";
import { openApiDocument } from "./document.ts";
import { page } from "./page.ts";

export default definePlugin({
  name: "openapi",
  summary: "Describes everything the gateway serves: /openapi.json, and a page to read it at /docs.",
  options: z.strictObject({
    open: z
      .boolean()
      .default(true)
      .describe("Whether both are shown without a credential. They name routes, and nothing that is kept."),
    url: z
      .url()
      .exactOptional()
      .describe(
        "Where clients reach this gateway; the address of the request, as it or a trusted proxy (`server.trustedProxies`) says it, unless said otherwise.",
      ),
  }),
  setup(context, { open, url }) {
    const { endpoint, endpoints } = context;
    const secure = context.server.secure === true;
    // Document and page are made when they are first asked for: most processes never are.
    let document: ReturnType<typeof openApiDocument> | undefined;
    let shown: string | undefined;
    const described = () => {
      document ??= openApiDocument(endpoints, context.aliases);
      return document;
    };
    const shared = { method: "GET", rawBody: true, ...(open && { open: true }) } satisfies Partial<Endpoint>;
    endpoint({
      ...shared,
      type: "openapi",
      path: "/openapi.json",
      description: { tag: "gateway", summary: "This document." },
      serve: (exchange) => ({
        status: 200,
        body: { ...described(), servers: [{ url: url ?? (gatewayAsAsked(exchange, secure) || "/") }] },
      }),
    });
    endpoint({
      ...shared,
      type: "docs",
      path: "/docs",
      description: { tag: "gateway", summary: "A page to read this document.", media: "text/html" },
      serve: () => {
        shown ??= page(described());
        return {
          status: 200,
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
          },
          text: shown,
        };
      },
    });
  },
});
