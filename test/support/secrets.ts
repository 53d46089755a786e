import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { definePlugin, Management, Secrets, z } from "../../core/index.ts";

const contents = z.object({
  /** By reference: a text, or texts by key. */
  values: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  /** Values are fetched, not at hand. */
  fetched: z.boolean().default(false),
});

/**
 * For tests: secrets out of a JSON file, which may change while the gateway runs. A value is kept until it is refused.
 * Every name in the file is a secret reference of every organisation.
 */
export default definePlugin({
  name: "secrets",
  summary: "Secrets out of a file; for tests.",
  options: z.strictObject({ file: z.string() }),
  needs: [Management],
  provides: [Secrets],
  setup({ service, provide, folder }, { file }) {
    const read = () => {
      const path = resolve(folder, file);
      return contents.parse(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { values: {} });
    };
    const kept = new Map<string, string>();
    service(Management).keeps("secret_references", async (_organisation, _workspace, ref) =>
      ref in read().values ? { id: ref, slug: ref, workspace: null } : undefined,
    );
    provide(Secrets, {
      value(_organisation, _workspace, reference, key) {
        const name = `${reference} ${key ?? ""}`;
        const known = kept.get(name);
        if (known !== undefined) return known;
        const { values, fetched } = read();
        const value = values[reference];
        const text = typeof value === "object" ? value[key ?? ""] : value;
        if (text === undefined) {
          const failure = new Error(`the secret ${reference} is not to be had`);
          if (fetched) return Promise.reject(failure);
          throw failure;
        }
        kept.set(name, text);
        return fetched ? Promise.resolve(text) : text;
      },
      refused(_organisation, reference) {
        for (const name of kept.keys()) if (name.startsWith(`${reference} `)) kept.delete(name);
      },
    });
  },
});
