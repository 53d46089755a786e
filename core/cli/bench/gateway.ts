import { moduleLoader, parseConfig, processEnvironment } from "../../config/index.ts";
import { startGateway } from "../../gateway.ts";
import { createLogger } from "../../log.ts";
import { version } from "../../version.ts";
import { tuneProcess } from "../tuned-process.ts";
import { reportUsage } from "./usage.ts";

/** A gateway in a process of its own, with the config text of its first argument. */
const [, , text = "", folder = "."] = process.argv;
tuneProcess();
const loader = moduleLoader();

const gateway = await startGateway({
  log: createLogger("error", false),
  version,
  read: () => parseConfig(text, `${folder}/bench.yaml`, loader, processEnvironment()),
  builtIn: new Set(loader.knownProviders()),
  loadProvider: (name) => loader.provider(name, folder),
});
reportUsage();
process.send?.({ port: gateway.port });
