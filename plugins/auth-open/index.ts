import { z } from "zod";
import {
  definePlugin,
  type Exchange,
  GatewayError,
  isLoopbackName,
  OptionsError,
  type Principal,
  Stage,
} from "../../core/index.ts";

const anyone: Principal = Object.freeze({ id: "anyone", name: "anyone" });

export default definePlugin({
  name: "auth-open",
  summary: "Lets everyone on this machine in, without a key.",
  options: z.strictObject({
    allowRemote: z
      .boolean()
      .default(false)
      .describe("Also serve other machines. Whoever reaches the port can then spend what the provider keys can."),
  }),
  setup({ hooks, server }, { allowRemote }) {
    if (!allowRemote && !isLoopbackName(server.host))
      throw new OptionsError({
        path: [],
        message:
          `serves anyone, so it runs on a loopback address only, and server.host is "${server.host}"; ` +
          `use auth-keys instead, or say allowRemote: true`,
      });
    // Last, wherever it stands in the file: who brings a credential is somebody.
    hooks.auth.tap({ name: "auth-open", stage: Stage.record }, (exchange) => {
      if (!allowRemote) {
        refuseBrowsers(exchange);
        refusePassedOn(exchange);
      }
      return anyone;
    });
  },
});

/**
 * A page in a browser on this machine can reach loopback too. It says where it comes from in `origin`, and a name that
 * was re-bound to loopback shows in `host`: neither may be a stranger's.
 */
function refuseBrowsers({ headers }: Exchange): void {
  const origin = typeof headers.origin === "string" ? headers.origin : undefined;
  if (headers.host !== undefined && !isThisMachine(headers.host)) throw refused("host", hostOf(headers.host) ?? "");
  if (origin !== undefined && !isLoopbackName(hostOf(origin.replace(/^[a-z+.-]+:\/\//i, "")) ?? ""))
    throw refused("origin", origin);
}

/** What was let in last: most say the same. */
let lastHost: string | undefined;

function isThisMachine(host: string): boolean {
  if (host === lastHost) return true;
  if (!isLoopbackName(hostOf(host) ?? "")) return false;
  lastHost = host;
  return true;
}

const passedOn = ["x-forwarded-for", "x-real-ip"] as const;

/** Whoever comes through a proxy on this machine seems to be on it: what the proxy says of others is enough to refuse. */
function refusePassedOn({ headers }: Exchange): void {
  for (const header of passedOn) {
    const said = headers[header];
    if (said === undefined) continue;
    const addresses = [said].flat().flatMap((line) => line.split(","));
    const stranger = addresses.map((each) => each.trim()).find((each) => each !== "" && !isLoopback(each));
    if (stranger !== undefined) throw refused(header, stranger);
  }
}

/** With what proxies write around an address: `[::1]:4711`, `127.0.0.1:4711`, `::ffff:127.0.0.1`. */
const isLoopback = (address: string): boolean =>
  isLoopbackName(address.replace(/^::ffff:/i, "").replace(/^(\[.*\]|[^:]*):\d+$/, "$1"));

/** The name in `name:port`, `[address]:port` or either without the port. */
const hostOf = (value: string | undefined): string | undefined => value && /^(\[[^\]]*\]|[^:/]*)/.exec(value)?.[1];

const refused = (header: string, value: string) =>
  new GatewayError(
    "forbidden",
    `Without keys only this machine is served, and the ${header} is "${value}": use auth-keys.`,
  );
