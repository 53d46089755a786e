import { Agent as HttpsAgent } from "node:https";
import { Agent, buildConnector, fetch as undiciFetch } from "undici";
import { bracketed } from "../host-names.ts";
import { type ConnectionSettings, connectorFor } from "./connections.ts";

/**
 * How whoever fetches credentials reaches the servers that give them. Over TLS they are anybody's, behind the same proxies
 * and with the same authorities as what is called with the credentials; in plain HTTP they are services of this machine
 * (instance metadata), which no proxy leads to.
 */
export interface IdentityNetwork {
  readonly fetch: typeof fetch;
  /** For libraries of vendors. */
  readonly httpsAgent: HttpsAgent;
}

/** By generation, the newest last. Credentials are kept for the process, so what fetches them is the process's, too. */
const networks: { readonly network: IdentityNetwork | undefined }[] = [];

/** That of the newest generation; undefined where there is nothing about it that node would not do by itself. */
export const identityNetwork = (): IdentityNetwork | undefined => networks.at(-1)?.network;

/** From here on credentials are fetched with these settings, until what is returned is called. */
export function useIdentityNetwork(settings: ConnectionSettings): () => Promise<void> {
  const connect = settings.choose || settings.trust?.secureContext ? connectorFor(settings, false) : undefined;
  const dispatcher = connect && dispatcherWith(connect);
  const network = connect && dispatcher && { fetch: fetchWith(dispatcher), httpsAgent: new ConnectingAgent(connect) };
  const entry = { network };
  networks.push(entry);
  let over = false;
  return async () => {
    if (over) return;
    over = true;
    networks.splice(networks.indexOf(entry), 1);
    network?.httpsAgent.destroy();
    await dispatcher?.destroy();
  };
}

type Connector = buildConnector.connector;

function dispatcherWith(secure: Connector): Agent {
  const plain = buildConnector({});
  return new Agent({
    connect: (options, done) => (options.protocol === "https:" ? secure : plain)(options, done),
  });
}

/** Undici's own fetch, since a dispatcher fits the version it is of; what differs from node's is the types only. */
const fetchWith = (dispatcher: Agent): typeof fetch =>
  ((input: string | URL, init: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof fetch;

class ConnectingAgent extends HttpsAgent {
  readonly #connect: Connector;

  constructor(connect: Connector) {
    super();
    this.#connect = connect;
  }

  override createConnection(...[options, done]: Parameters<HttpsAgent["createConnection"]>): undefined {
    const { host, port } = options;
    const hostname = host ?? "localhost";
    const named = `${bracketed(hostname)}:${port ?? 443}`;
    this.#connect({ protocol: "https:", hostname, host: named, port: String(port ?? 443) }, (error, socket) =>
      (done as (error: Error | null, socket: unknown) => void)?.(error, socket),
    );
    return undefined;
  }
}
