import { importLines } from "./imports.ts";
import { type Skeleton, type SkeletonInput, title } from "./skeleton.ts";

/** A plugin in a folder of its own: options, a tap, a test, a README. */
export function pluginSkeleton(input: SkeletonInput): Skeleton {
  const { name, builtIn } = input;
  const options = `${builtIn ? "" : `use: ./${name}/index.ts, `}models: [old-model]`;
  return {
    files: [
      { path: `${name}/index.ts`, text: definitionText(input) },
      { path: `${name}/index.test.ts`, text: testText(input) },
      { path: `${name}/README.md`, text: readmeText(input) },
    ],
    next: `plugins:
  ${name}: { ${options} }
`,
  };
}

/** A skeleton's own folder is one below the one it is written into. */
const fromInside = (path: string): string => {
  if (!path.startsWith(".")) return path;
  return path.startsWith("./") ? `.${path}` : `../${path}`;
};

function definitionText({ name, importing }: SkeletonInput): string {
  return `import { definePlugin, GatewayError, Stage, z } from "${fromInside(importing("sluice"))}";

export default definePlugin({
  name: "${name}",
  summary: "Refuses requests for models that are not to be used.",
  options: z.strictObject({
    models: z.array(z.string().min(1)).default([]).describe("The models that are refused."),
  }),
  setup({ hooks }, { models }) {
    const refused = new Set(models);
    hooks.beforeRequest.tap({ name: "${name}", stage: Stage.guard }, (request) => {
      // An answer instead of a request: another plugin was faster.
      if ("kind" in request) return request;
      if (request.model !== undefined && refused.has(request.model))
        throw new GatewayError("forbidden", \`The model "\${request.model}" is not to be used.\`);
      return request;
    });
  },
});
`;
}

function testText({ importing }: SkeletonInput): string {
  const imports = importLines([
    ["{ expect, it }", "vitest"],
    ["type { GatewayRequest, PluginContext }", fromInside(importing("sluice"))],
    ["plugin", "./index.ts"],
  ]);
  return `${imports}

type Tap = (request: GatewayRequest) => unknown;

/** What the plugin taps \`beforeRequest\` with, caught by a context that rings nothing. */
async function tapOf(options: unknown): Promise<Tap> {
  const caught: Tap[] = [];
  const beforeRequest = { tap: (_: unknown, tap: Tap) => void caught.push(tap) };
  await plugin.setup({ hooks: { beforeRequest } } as unknown as PluginContext, plugin.options.parse(options));
  const [tap] = caught;
  if (!tap) throw new Error("beforeRequest was not tapped");
  return tap;
}

const asking = (model: string) => ({ operation: "chat", model, stream: false }) as GatewayRequest;

it("refuses a model that is listed", async () => {
  const tap = await tapOf({ models: ["old-model"] });
  expect(() => tap(asking("old-model"))).toThrow('The model "old-model" is not to be used.');
});

it("lets every other request pass as it is", async () => {
  const tap = await tapOf({});
  const request = asking("new-model");
  expect(tap(request)).toBe(request);
});

it("takes no option it does not know", () => {
  expect(plugin.options.safeParse({ model: ["old-model"] }).success).toBe(false);
});
`;
}

const readmeText = ({ name }: SkeletonInput): string => `# ${title(name)}

Refuses requests for models that are not to be used, before anybody is called. It does not decide who may use which
model. Start with \`index.ts\`.

| option   | type         | default | meaning                      |
| -------- | ------------ | ------- | ---------------------------- |
| \`models\` | list of text | \`[]\`    | The models that are refused. |
`;
