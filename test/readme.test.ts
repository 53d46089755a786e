import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./support/root.ts";
import { bin, environment, type RunningSluice, spawnSluice, startSluice } from "./support/sluice.ts";
import { matchesOutput, type Snippet, snippetsIn, tableIn } from "./support/snippets.ts";
import { createProject, type Project, type Workspace } from "./support/workspace.ts";

const documents = [
  "README.md",
  "docs/writing-a-provider.md",
  "docs/writing-a-plugin.md",
  "docs/writing-a-format.md",
  "docs/guardrails.md",
  "docs/limits.md",
];

/** What the snippets refer to: values of the right shape. */
const variables = { TEAM_A_KEY: "team-a-key-0123456789", OPENAI_API_KEY: "key-of-openai", ACME_API_KEY: "key-of-acme" };

/** The admin key of the gateway of `npm start`; a person copies it off the first start. */
const ADMIN_KEY = "admin-key-of-the-first-start-0123456789abcdefghi";
const own = { BOOTSTRAP_ADMIN_KEY: ADMIN_KEY };

const address = "http://127.0.0.1:8787";
const hasPython = spawnSync("python3", ["-c", ""]).status === 0;

let gateway: RunningSluice;
/** The folder of the document that is read. */
let workspace: Workspace;
/** Holds the folders of all documents. */
let project: Project;

/** The gateway of `npm start`, which most snippets talk to. */
beforeAll(async () => {
  project = createProject();
  gateway = await spawnSluice("config/gateway.yaml", own);
});
afterAll(async () => {
  project.remove();
  await gateway?.stop();
});

type Runner = (snippet: Snippet) => Promise<string | undefined>;

/** By language and first word. What a runner gives is what was printed. */
const runners: Readonly<Record<string, Runner>> = {
  "sh start": async ({ text }) => {
    expect(text).toBe("npm ci && npm start\n");
    await printedCallWorks(await startSluice("config/gateway.yaml", own));
    expect(scripts().start).toBe("node core/cli/bin.mjs start");
    return undefined;
  },
  "sh test": async ({ text }) => {
    expect(text).toBe("npm ci && npm test\n");
    expect(scripts().test).toContain("vitest run");
    return undefined;
  },
  // Of the config file it names, where it names one.
  "sh curl": async ({ text, file }) => {
    expect(text).toContain(address);
    const { url } = file === undefined ? gateway : await startSluice(file, variables, workspace.folder);
    return workspace.run("bash", ["-ec", text.replaceAll(address, url)], { ADMIN_KEY });
  },
  "sh sluice": ({ text }) => {
    expect(text).toContain("npx sluice ");
    return workspace.run("bash", ["-ec", text.replaceAll("npx sluice", `'${process.execPath}' '${bin}'`)], variables);
  },
  "js run": ({ line, text }) => {
    workspace.write(`snippet-${line}.js`, text.replaceAll(address, gateway.url));
    return workspace.run(process.execPath, [`snippet-${line}.js`]);
  },
  "python parse": async ({ text }) => {
    if (hasPython) await workspace.run("python3", ["-c", "import ast, sys; ast.parse(sys.argv[1])", text]);
    return undefined;
  },
  "yaml config": async (snippet) => {
    await starts(snippet, snippet.text);
    return undefined;
  },
  "yaml part": async (snippet) => {
    const missing = Object.entries(rest).filter(([section]) => !snippet.text.includes(`${section}:\n`));
    await starts(snippet, snippet.text + missing.map(([, text]) => text).join(""));
    return undefined;
  },
  // Written for the snippets behind it, which load it; type-checked and run, if it is a test, with all others at the end.
  ts: async ({ file, text }) => {
    if (file === undefined) throw new Error("a ts snippet says which file it is: ```ts file=name.ts");
    workspace.write(file, text);
    return undefined;
  },
};

/** The sections a part of a config file leaves out. */
const rest = {
  plugins: "plugins: { auth-open: {}, routing: { default: simulator }, format-openai-chat: {} }\n",
  providers: "providers: { simulator: {} }\n",
};

async function starts({ line, file = `snippet-${line}.yaml` }: Snippet, text: string): Promise<void> {
  workspace.write(file, text);
  const started = await startSluice(file, variables, workspace.folder);
  expect((await fetch(`${started.url}/v1/ready`)).status).toBe(200);
  if (!text.includes("default: simulator")) return;
  const answer = await fetch(`${started.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"model":"demo","messages":[{"role":"user","content":"Hello"}]}',
  });
  expect(await answer.text()).toContain("Simulated answer from demo: Hello");
}

async function printedCallWorks(started: RunningSluice): Promise<void> {
  const [, call = ""] = /try:\n([\s\S]*)$/.exec(started.output()) ?? [];
  expect(call).toContain("curl");
  expect(await workspace.run("bash", ["-ec", call])).toContain("Simulated answer from demo: Hello");
}

const scripts = (): Record<string, string> => JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts;

describe.each(documents)("%s", (document) => {
  beforeAll(() => {
    workspace = project.workspace(document.replaceAll("/", "-"));
  });

  const snippets = snippetsIn(document);
  it("has snippets", () => expect(snippets.length).toBeGreaterThan(0));

  for (const snippet of snippets) {
    const what = [snippet.language, snippet.runner].filter((word) => word !== undefined).join(" ");
    const place = `${what} at ${document}:${snippet.line}`;
    const unchecked = snippet.language === "python" && !hasPython;
    it(unchecked ? `${place} NOT CHECKED: there is no python3 here` : `${place} does what it says`, async () => {
      const runner = runners[what];
      if (!runner) throw new Error(`nothing runs this snippet: give it one of ${Object.keys(runners).join(", ")}`);
      const printed = await runner(snippet);
      const { output } = snippet;
      if (output && !matchesOutput(output, printed ?? "")) expect(printed).toBe(output.text);
    }, 60_000);
  }
});

describe("the TypeScript of all documents", () => {
  it("type-checks as strictly as the gateway does", async () => {
    expect(await project.typeCheck()).toBe("");
  }, 180_000);

  it("passes where it is a test", async () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    // A busy machine takes longer to read the product than a test has by itself.
    const patience = ["--testTimeout", "40000", "--hookTimeout", "40000"];
    const printed = await project.run(process.execPath, [vitest, "run", "--reporter", "json", ...patience]);
    const report = JSON.parse(printed.slice(printed.indexOf("{")));
    expect(report).toMatchObject({ success: true, numFailedTests: 0 });
    const written = documents.flatMap((document) =>
      snippetsIn(document).flatMap(({ file }) => (file?.endsWith(".test.ts") ? [file] : [])),
    );
    const ran = report.testResults.map(({ name }: { name: string }) => basename(name));
    expect(ran).toEqual(expect.arrayContaining(written));
  }, 120_000);
});

describe("the tables of README.md", () => {
  it("list every command there is", () => {
    const { stdout } = spawnSync(process.execPath, [bin, "--help"], { env: environment(), encoding: "utf8" });
    const [, listed = ""] = stdout.split("Commands:\n");
    const commands = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name).filter((name) => name !== "help");
    const told = tableIn("README.md", "command").map((command) => command.split(" ")[1]);
    expect(told.sort()).toEqual(commands.sort());
  });

  it("list every header an answer has", async () => {
    const body = JSON.stringify({ model: "simulator/demo", messages: [] });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body });
    const sent = [...answer.headers.keys()].filter((name) => name.startsWith("x-gateway-"));
    expect(tableIn("README.md", "response header")).toEqual(expect.arrayContaining(sent));
  });

  it("list only headers of requests that something reads", () => {
    const { stdout } = spawnSync("grep", ["-rhoE", '"[a-z-]+"', "core", "plugins", "providers", "--include=*.ts"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    const known = new Set(stdout.split("\n"));
    const told = tableIn("README.md", "request header").filter((name) => name !== "x-gateway-OPTION");
    expect(told.filter((name) => !known.has(`"${name.replace("x-gateway-", "")}"`))).toEqual([]);
  });

  it("name only folders and pages that are there", () => {
    const links = documents.flatMap((document) =>
      [...readFileSync(join(root, document), "utf8").matchAll(/\]\(([^)#]+)\)/g)].map(([, link = ""]) =>
        join(root, document, "..", link),
      ),
    );
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(() => readFileSync(link, { flag: "r" }), link).not.toThrow(/ENOENT/);
  });
});

describe("a config file that is saved", () => {
  const config = (provider: string) =>
    `plugins: { auth-open: {}, routing: { ${provider} }, format-openai-chat: {} }\nproviders: { simulator: {} }\n`;
  const status = async (url: string) => {
    const body = '{"model":"demo","messages":[{"role":"user","content":"Hello"}]}';
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body })).status;
  };

  it("takes effect at once, and not at all when it has a mistake", async () => {
    workspace = project.workspace("saved");
    workspace.write("saved.yaml", config(""));
    const started = await startSluice("saved.yaml", {}, workspace.folder);
    expect(await status(started.url)).toBe(400);
    workspace.write("saved.yaml", config("default: simulator"));
    await expect.poll(started.output, { timeout: 5_000 }).toContain("config reloaded");
    expect(await status(started.url)).toBe(200);
    workspace.write("saved.yaml", config("defualt: simulator"));
    await expect.poll(started.output, { timeout: 5_000 }).toContain('did you mean \\"default\\"?');
    expect(await status(started.url)).toBe(200);
  });
});

it("runs as `npx sluice` in a clone", () => {
  const npx = spawnSync("npx", ["--no-install", "sluice", "--version"], {
    cwd: root,
    env: environment(),
    encoding: "utf8",
  });
  expect(npx.stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});
