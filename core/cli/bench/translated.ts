import { type BenchFormat, benchFormats, clients } from "./formats.ts";
import type { Subject } from "./scenarios.ts";

const config = (client: BenchFormat, vendor: BenchFormat) => (upstreamPort: number) =>
  `
server: { host: 127.0.0.1, port: 0, log: { level: error } }
plugins:
  auth-open: {}
  routing: { default: vendor }
  format-${clients[client].plugin}: {}
  format-${clients[vendor].plugin}: {}
providers:
  vendor: { use: ./vendor.ts, apiKey: bench-key, baseUrl: "http://127.0.0.1:${upstreamPort}" }
`;

/** A vendor that speaks one format, exactly as it is. */
const vendorOf = (format: BenchFormat) => `import { defineProvider } from "sluice/provider-kit";

export default defineProvider({
  name: "vendor",
  summary: "Answers the bench.",
  baseUrl: "https://vendor.example",
  operations: { chat: { format: "${clients[format].plugin}", exact: true } },
});
`;

const pair = (client: BenchFormat, vendor: BenchFormat): Subject => ({
  name: `translated (${client} → ${vendor})`,
  config: config(client, vendor),
  files: { "vendor.ts": vendorOf(vendor) },
  format: client,
});

/** Clients of every format, before a vendor of every other one. */
export const translated: readonly Subject[] = benchFormats.flatMap((client) =>
  benchFormats.filter((vendor) => vendor !== client).map((vendor) => pair(client, vendor)),
);
