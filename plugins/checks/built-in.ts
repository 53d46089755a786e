import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Check } from "../../core/index.ts";

const folder = fileURLToPath(new URL("./families", import.meta.url));

/** Every check below `families/`: a file each. What stands there is what there is. */
export async function builtInChecks(): Promise<Check[]> {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: family }) => namesIn(family).map((name) => [family, name] as const));
  return Promise.all(files.map(([family, name]) => load(family, name)));
}

const namesIn = (family: string): string[] =>
  readdirSync(`${folder}/${family}`)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".ts".length))
    .sort();

async function load(family: string, name: string): Promise<Check> {
  const { default: check } = (await import(`./families/${family}/${name}.ts`)) as { default: Check };
  return check;
}
