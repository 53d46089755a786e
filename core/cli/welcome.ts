import type { GatewayConfig } from "../config/index.ts";
import { reachableUrl } from "../server/reachable-url.ts";
import { version } from "../version.ts";

/** What a start prints: where it listens, what is loaded, and a call that works as pasted. */
export function welcome(config: GatewayConfig, port: number): string {
  const base = reachableUrl(config.server.host, port, config.server.tls !== undefined);
  const plugins = config.plugins.map(({ name }) => name).join(", ");
  const providers = config.providers.map(({ slug }) => slug).join(", ");
  const model = config.providers.some(({ slug }) => slug === "simulator")
    ? "simulator/demo"
    : `${config.providers[0]?.slug ?? "PROVIDER"}/MODEL`;
  return `Sluice ${version} listens on ${base} (${config.file})
  plugins:   ${plugins}
  providers: ${providers || "none"}
  try:
    curl ${base}/v1/chat/completions -H 'content-type: application/json' \\
      -d '{"model":"${model}","messages":[{"role":"user","content":"Hello"}]}'
`;
}
