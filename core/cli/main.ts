import { Command } from "commander";
import { version } from "../version.ts";

/** The command line. Each command's code is imported when it is called. */
const program = new Command("sluice")
  .description("A gateway in front of AI model providers.")
  .version(version)
  .showHelpAfterError("(sluice --help lists the commands)");

program
  .command("start", { isDefault: true })
  .description("start the gateway")
  .argument("[file]", "the config file", "config/gateway.yaml")
  .option("--port <number>", "listen on this port instead of the file's")
  .action(async (file: string, options: { port?: string }) => (await import("./start.ts")).start(file, options));

await program.parseAsync();
