import { importLines } from "./imports.ts";
import { type ClientFormat, type Skeleton, type SkeletonInput, title } from "./skeleton.ts";

/** A plugin in a folder of its own: options, a tap, a test, a README. */
export function pluginSkeleton(input: SkeletonInput, format: ClientFormat): Skeleton {
  const { name, builtIn } = input;
  const options = `${builtIn ? "" : `use: ./${name}/index.ts, `}models: [old-model]`;
  return {
    files: [
      { path: `${name}/index.ts`, text: definitionText(input) },
      { path: `${name}/index.test.ts`, text: testText(input, format) },
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

function testText({ name, importing }: SkeletonInput, format: ClientFormat): string {
  const imports = importLines([
    ["{ afterAll, beforeAll, expect, it }", "vitest"],
    ["{ startGateway, type TestGateway }", fromInside(importing("sluice/testing"))],
    ["plugin", "./index.ts"],
  ]);
  return `${imports}

/** Everything a request needs besides, and the plugin with these options. */
const start = (options: Readonly<Record<string, unknown>>) =>
  startGateway({
    plugins: [plugin],
    config: {
      plugins: {
        "auth-open": {},
        routing: { default: "simulator" },
        "format-${format.name}": {},
        "${name}": options,
      },
      providers: { simulator: {} },
    },
  });

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await start({ models: ["old-model"] });
});
afterAll(() => gateway?.close());

const ask = (model: string) =>
  gateway.fetch("${format.endpoint}", { json: { model, messages: [{ role: "user", content: "Hello" }] } });

it("refuses a model that is listed", async () => {
  const answer = await ask("old-model");
  expect(answer.status).toBe(403);
  expect(await answer.text()).toContain("is not to be used");
});

it("lets every other request pass", async () => {
  const answer = await ask("new-model");
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("Simulated answer from new-model: Hello");
});

it("takes no option it does not know", async () => {
  await expect(start({ model: ["old-model"] })).rejects.toThrow('did you mean "models"?');
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
