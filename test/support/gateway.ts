import { onTestFinished } from "vitest";
import { environmentOf, moduleLoader, parseConfig } from "../../core/config/index.ts";
import { type Gateway, startGateway } from "../../core/gateway.ts";
import { type KeptLog, keepingLogger } from "../../core/test-kit/keeping-logger.ts";
import { version } from "../../core/version.ts";

const root = new URL("../../", import.meta.url).pathname;

export { keepingLogger };

export interface TestGateway extends Gateway {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly log: KeptLog;
  /** Replaces the config text that the next reload reads. */
  write(text: string): void;
}

/** Starts a gateway from a config text on a free port; it ends with the test. */
export async function startTestGateway(
  text: string,
  variables: Record<string, string> = {},
  folder = `${root}test`,
): Promise<TestGateway> {
  const gateway = await startFreeGateway(text, variables, folder);
  onTestFinished(() => gateway.shutdown(0, 0));
  return gateway;
}

/** The same, for several tests: whoever starts it shuts it down. Relative paths in the text begin at `folder`. */
export async function startFreeGateway(
  text: string,
  variables: Record<string, string> = {},
  folder = `${root}test`,
): Promise<TestGateway> {
  const loader = moduleLoader();
  const log = keepingLogger();
  let source = text;
  const gateway = await startGateway({
    log,
    version,
    read: async () => {
      const config = await parseConfig(source, `${folder}/test.yaml`, loader, environmentOf(variables));
      return { ...config, server: { ...config.server, port: 0 } };
    },
    builtIn: new Set(loader.knownProviders()),
    loadProvider: (name) => loader.provider(name, root),
  });
  return Object.defineProperties(gateway as TestGateway, {
    url: { value: `http://127.0.0.1:${gateway.port}` },
    log: { value: log },
    write: {
      value: (next: string) => {
        source = next;
      },
    },
  });
}
