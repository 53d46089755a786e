import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { silentLogger } from "../../core/log.ts";
import { openClient, RedisConnection } from "../../plugins/redis/connection.ts";

/** A real redis-server of its own, on loopback, that keeps nothing on disk. */
export interface RedisServer {
  readonly port: number;
  /** `redis://127.0.0.1:PORT`. */
  readonly url: string;
  /** Ends it at once, as a crash would; everything in it is lost. */
  stop(): Promise<void>;
  /** Starts it again on the same port, empty. */
  restart(): Promise<void>;
  /** It keeps its connections and answers nobody, until it is thawed. */
  freeze(): void;
  thaw(): void;
}

const program = "redis-server";
const needed = process.env.SLUICE_TESTS_NEED_REDIS === "1";
let present: boolean | undefined;

function isPresent(): boolean {
  present ??= spawnSync(program, ["--version"]).status === 0;
  return present;
}

/**
 * A suite that needs a real Redis. Where there is none it says so, and the closing line counts it as skipped; where one
 * has to be (SLUICE_TESTS_NEED_REDIS=1, as in CI) it fails.
 */
export function describeWithRedis(name: string, suite: () => void): void {
  if (isPresent()) return void describe(name, suite);
  if (!needed) {
    console.warn(`NOT TESTED, there is no ${program} on the PATH: ${name}`);
    return void describe.skip(name, suite);
  }
  describe(name, () => {
    it(`finds ${program}`, () => {
      expect.fail(`${program} is not on the PATH: install it, or leave SLUICE_TESTS_NEED_REDIS out to go without.`);
    });
  });
}

/** Starts a Redis, on a free port unless told which. Whoever starts it stops it. */
export async function startRedisServer(more: readonly string[] = [], at?: number): Promise<RedisServer> {
  const port = at ?? (await freePort());
  let child = await spawnServer(port, more);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    stop: () => end(child),
    async restart() {
      await end(child);
      child = await spawnServer(port, more);
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
  };
}

/** A connection of a gateway's to one; whoever opens it closes it. */
export async function connectTo(url: string): Promise<RedisConnection> {
  const client = await openClient({ url, commandTimeout: 5_000, connectTimeout: 5_000 });
  const connection = new RedisConnection(client, { keyPrefix: "test:", commandTimeout: 5_000, log: silentLogger });
  const ready = once(client, "ready");
  void connection.open();
  await ready;
  return connection;
}

/** A port of loopback where nobody listens: a Redis that is not there. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address === "object" && address) return address.port;
  throw new Error("no free port");
}

async function spawnServer(port: number, more: readonly string[]): Promise<ChildProcess> {
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", tmpdir()];
  const child = spawn(program, [...options, ...more], { stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  await new Promise<void>((resolve, reject) => {
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (/ready to accept connections/i.test(output)) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${program} ended: ${output}`)));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
