import { importLines } from "./imports.ts";
import { type ClientFormat, type Skeleton, type SkeletonInput, title } from "./skeleton.ts";

/** A provider of one file: what differs between vendors is data. */
export function providerSkeleton(input: SkeletonInput, format: ClientFormat): Skeleton {
  const { name, builtIn } = input;
  const variable = `${name.replaceAll("-", "_").toUpperCase()}_API_KEY`;
  const options = `${builtIn ? "" : `use: ./${name}.ts, `}apiKey: \${${variable}}`;
  return {
    files: [
      { path: `${name}.ts`, text: definitionText(input, format) },
      { path: `${name}.test.ts`, text: testText(input, format) },
    ],
    next: `providers:
  ${name}: { ${options} }

Hold it to what every provider has to do:
  npx sluice conformance ${builtIn ? name : `./${name}.ts`}

It needs the plugin format-${format.name}. Clients call it with the model "${name}/MODEL".
`,
  };
}

const definitionText = ({ name, importing }: SkeletonInput, format: ClientFormat): string =>
  `import { defineProvider } from "${importing("sluice/provider-kit")}";

export default defineProvider({
  name: "${name}",
  summary: "${title(name)}'s inference API.",
  baseUrl: "https://api.${name}.example/v1",
  operations: {
    // What the vendor does differently stands beside the path: drops, renames, defaults, clamps.
    chat: { format: "${format.name}", path: "${format.path}" },
  },
});
`;

function testText({ name, importing }: SkeletonInput, format: ClientFormat): string {
  const imports = importLines([
    ["{ expect, it }", "vitest"],
    ["{ boundProvider, checkProvider }", importing("sluice/provider-kit/testing")],
    ["definition", `./${name}.ts`],
  ]);
  return `${imports}

const provider = await boundProvider(definition, { apiKey: "key-of-a-test" });

it("calls the vendor's API", () => {
  expect(provider.baseUrl).toBe("https://api.${name}.example/v1");
});

it("sends the key as a bearer token", () => {
  expect(provider.headers).toEqual({ authorization: "Bearer key-of-a-test" });
});

it("serves chat where the vendor has it", () => {
  expect(provider.operations.chat).toMatchObject([{ format: "${format.name}", path: "${format.path}" }]);
});

it("does what every provider has to do", async () => {
  const { failures } = await checkProvider(definition);
  expect(failures).toEqual([]);
});
`;
}
