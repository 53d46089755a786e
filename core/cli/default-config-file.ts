import { existsSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The config file of this folder, if it has one, and otherwise the one that comes with the product. */
export function defaultConfigFile(): string {
  const own = ["gateway.yaml", "gateway.yml", "gateway.json", "config/gateway.yaml"].find((file) => existsSync(file));
  return own ?? relative(".", fileURLToPath(new URL("../../config/gateway.yaml", import.meta.url)));
}
