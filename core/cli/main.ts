import { Argument, Command } from "commander";
import { version } from "../version.ts";
import type { VerifyOptions } from "./audit/verify.ts";
import type { BenchOptions } from "./bench/bench.ts";
import { finish } from "./command-result.ts";
import type { ConformanceOptions } from "./conformance.ts";
import { defaultConfigFile } from "./default-config-file.ts";
import type { RotateOptions } from "./encryption/rotate.ts";
import type { ExplainOptions } from "./explain.ts";
import type { GuardOptions } from "./guard.ts";
import { mistypedCommand } from "./mistyped-command.ts";
import type { Kind, NewOptions } from "./new.ts";
import type { PluginsOptions } from "./plugins.ts";
import type { ImportOptions } from "./records/import.ts";
import type { SchemaOptions } from "./schema.ts";

const defaultFile = defaultConfigFile();

/** The command line. Each command's code is imported when it is called. */
const program = new Command("sluice")
  .description("A gateway in front of AI model providers.")
  .version(version)
  .showHelpAfterError("(sluice --help lists the commands)");

program
  .command("start", { isDefault: true })
  .description("start the gateway")
  .argument("[file]", "the config file", defaultFile)
  .option("--port <number>", "listen on this port instead of the file's")
  .action(async (file: string, options: { port?: string }) => (await import("./start.ts")).start(file, options));

program
  .command("check")
  .description("read the config file and set its plugins up, without starting")
  .argument("[file]", "the config file", defaultFile)
  .action(async (file: string) => finish(await (await import("./check.ts")).check(file)));

program
  .command("schema")
  .description("print the JSON Schema of the config file, for exactly the plugins in use")
  .argument("[file]", "the config file", defaultFile)
  .option("--all", "for every plugin and provider there is")
  .action(async (file: string, options: SchemaOptions) =>
    finish(await (await import("./schema.ts")).schema(file, options)),
  );

program
  .command("plugins")
  .description("list what is available, or all about one plugin or provider")
  .argument("[name]", "a plugin, a provider or a check; one of your own by its path (./acme.ts)")
  .option("--json", "for machines")
  .action(async (name: string | undefined, options: PluginsOptions) =>
    finish(await (await import("./plugins.ts")).plugins(name, options)),
  );

program
  .command("new")
  .description("write a working, tested skeleton")
  .addArgument(new Argument("<kind>", "what to write").choices(["provider", "plugin", "check"]))
  .argument("<name>", "lower-case letters, digits and hyphens")
  .option("--dir <folder>", "where to write", ".")
  .action(async (kind: Kind, name: string, options: NewOptions) =>
    finish(await (await import("./new.ts")).create(kind, name, options)),
  );

program
  .command("explain")
  .description("tell what would happen to a request, without calling anyone")
  .argument("<file>", "the config file")
  .option("--request <file>", "the body of the request, as JSON; - reads standard input")
  .option("--header <line>", 'a header of the request, "name: value"; may be repeated', collect, [])
  .option("--path <path>", "where the request goes", "/v1/chat/completions")
  .option("--method <method>", "how", "POST")
  .option("--json", "for machines")
  .action(async (file: string, options: ExplainOptions) =>
    finish(await (await import("./explain.ts")).explain(file, options)),
  );

program
  .command("admin-key")
  .description("make another admin key, and print it")
  .argument("[file]", "the config file", defaultFile)
  .action(async (file: string) => finish(await (await import("./admin-key.ts")).adminKey(file)));

program
  .command("guard")
  .description("run a guardrail on a text, and print what its checks say")
  .argument("<guardrail>", "a file with the guardrail, as YAML or JSON; - reads standard input")
  .requiredOption("--text <text>", "what the checks look at")
  .option("--response", "as the answer of a model instead of a request")
  .option("--config <file>", "the config file, for checks and credentials of its own", defaultFile)
  .option("--json", "for machines")
  .action(async (file: string, options: GuardOptions) =>
    finish(await (await import("./guard.ts")).guard(file, options)),
  );

const records = program
  .command("records")
  .description("back up the records of a deployment, or move them to another store");

records
  .command("export")
  .description("print all records as lines of JSON")
  .argument("[file]", "the config file", defaultFile)
  .action(async (file: string) =>
    finish(await (await import("./records/export.ts")).exportRecords(file, process.stdout)),
  );

records
  .command("import")
  .description("take in what export has printed, from standard input")
  .argument("[file]", "the config file", defaultFile)
  .option("--replace", "write over records that are there with another content")
  .action(async (file: string, options: ImportOptions) =>
    finish(await (await import("./records/import.ts")).importRecords(file, process.stdin, options)),
  );

program
  .command("encryption")
  .description("the keys under which secrets are kept")
  .command("rotate")
  .description("encrypt all data keys under the master key in use, so that older ones may be taken away")
  .argument("[file]", "the config file", defaultFile)
  .option("--renew", "make a new data key for each organisation besides")
  .action(async (file: string, options: RotateOptions) =>
    finish(await (await import("./encryption/rotate.ts")).rotate(file, options)),
  );

program
  .command("audit")
  .description("the trail of who changed what")
  .command("verify")
  .description("walk the chains, and name the first entry of each that was altered, removed or inserted")
  .argument("[file]", "the config file", defaultFile)
  .option("--known <digest>", "a digest printed before, which has to be there still; may be repeated", collect, [])
  .action(async (file: string, options: VerifyOptions) =>
    finish(await (await import("./audit/verify.ts")).verify(file, options)),
  );

program
  .command("conformance")
  .description("hold a provider to what every provider has to do, against a stand-in of its vendor")
  .argument("<provider>", "a built-in name, a path such as ./acme.ts, or a package")
  .option("--options <file>", "the provider's options, as YAML or JSON")
  .option("--plugin <plugin>", "a plugin that brings a format; may be repeated", collect, [])
  .option("--model <name>", "a model to ask for; may be repeated", collect, [])
  .option("--json", "for machines")
  .action(async (provider: string, options: ConformanceOptions) =>
    finish(await (await import("./conformance.ts")).conformance(provider, options)),
  );

program
  .command("bench")
  .description("measure the gateway against a bare relay, on this machine")
  .option("--scale <number>", "times the usual number of requests", "1")
  .option("--rounds <number>", "rounds of each take; the median of all counts", "2")
  .option("--takes <number>", "how often each pair is started anew", "3")
  .option("--only <text>", "gateways with this in their name")
  .option("--pairs", "every format translated to every other, instead of the usual gateways")
  .option("--json", "for machines")
  .action(async (options: BenchOptions) => finish(await (await import("./bench/bench.ts")).bench(options)));

const mistyped = mistypedCommand(process.argv[2], [...program.commands.map((command) => command.name()), "help"]);
if (mistyped !== undefined) program.error(`error: ${mistyped}`);
await program.parseAsync();

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
