import { startFreeGateway, type TestGateway } from "./gateway.ts";
import type { Recorder } from "./recorder.ts";
import { startVendor, type VendorName } from "./vendors.ts";

/** What clients of a deployment authenticate with, and what the gateway shows the vendor instead. */
export const gatewayKey = "team-key-0123456789abcdef";
export const vendorKey = "vendor-key-0123456789abcdef";

/** Two vendors behind one base URL, one for each chat format; clients need a key. */
export const configFor = (vendor: string): string => `
plugins:
  auth-keys: { keys: [{ name: team, key: "\${GATEWAY_KEY}" }] }
  routing: {}
  format-openai-chat: {}
  format-openai-responses: {}
  format-openai-completions: {}
  format-openai-embeddings: {}
  format-anthropic-messages: {}
  format-gemini: {}
  format-bedrock-converse: {}
  format-cohere-chat: {}
  format-rerank: {}
  proxy: {}
providers:
  openai: { apiKey: "\${VENDOR_KEY}", baseUrl: ${vendor}/v1 }
  anthropic: { apiKey: "\${VENDOR_KEY}", baseUrl: ${vendor}/v1 }
  google: { apiKey: "\${VENDOR_KEY}", baseUrl: "${vendor}" }
  bedrock: { accessKeyId: AKIDEXAMPLE0000000AA, secretAccessKey: "\${VENDOR_KEY}", baseUrl: "${vendor}" }
  cohere: { apiKey: "\${VENDOR_KEY}", baseUrl: "${vendor}" }
`;

export const secrets = { GATEWAY_KEY: gatewayKey, VENDOR_KEY: vendorKey };

export interface Deployment {
  readonly gateway: TestGateway;
  readonly recorder: Recorder;
  close(): Promise<void>;
}

/** A gateway before a vendor, for all tests of a file. */
export async function startDeployment(name: VendorName): Promise<Deployment> {
  const vendor = await startVendor(name);
  const gateway = await startFreeGateway(configFor(vendor.recorder.url), secrets);
  return {
    gateway,
    recorder: vendor.recorder,
    async close() {
      await gateway.shutdown(0, 0);
      await vendor.close();
    },
  };
}
