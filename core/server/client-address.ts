import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";

/** Who asks, as far as proxies in front of the gateway can be believed. */
export interface ClientAddresses {
  addressOf(request: IncomingMessage): string | undefined;
  /** Whether a proxy that is trusted brought it. */
  viaProxy(request: IncomingMessage): boolean;
}

/**
 * Whose request it is (operations.md section 8.5): whoever is connected, and where that is a proxy of ours, whom it names
 * in `x-forwarded-for`. The list is read from its end, since anybody may write its beginning.
 */
export function clientAddresses(trusted: readonly string[]): ClientAddresses {
  if (trusted.length === 0) return { addressOf: ofSocket, viaProxy: () => false };
  const ours = new BlockList();
  for (const entry of trusted) add(ours, entry);
  const isOurs = (address: string) => ours.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  const addressOf = (request: IncomingMessage) => {
    const connected = ofSocket(request);
    if (connected === undefined || !isOurs(connected)) return connected;
    let nearest = connected;
    for (const named of String(request.headers["x-forwarded-for"] ?? "")
      .split(",")
      .reverse()) {
      const address = plain(named.trim());
      if (isIP(address) === 0) return nearest;
      nearest = address;
      if (!isOurs(address)) return address;
    }
    return nearest;
  };
  const viaProxy = (request: IncomingMessage) => {
    const connected = ofSocket(request);
    return connected !== undefined && isOurs(connected);
  };
  return { addressOf, viaProxy };
}

const ofSocket = ({ socket: { remoteAddress } }: IncomingMessage): string | undefined =>
  remoteAddress?.startsWith("::ffff:") ? plain(remoteAddress) : remoteAddress;

/** An entry is an address or a range of them: `10.0.0.0/8`. */
export function isAddressRange(entry: string): boolean {
  const [address = "", bits, more] = entry.split("/");
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
}

function add(list: BlockList, entry: string): void {
  const [address = "", bits] = entry.split("/");
  const version = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (bits === undefined) list.addAddress(address, version);
  else list.addSubnet(address, Number(bits), version);
}

/** An address without what sockets and proxies put around it: `::ffff:10.0.0.1`, `[::1]:4711`, `10.0.0.1:80`. */
function plain(text: string): string {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare;
}
