import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddresses, isAddressRange } from "./client-address.ts";

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as IncomingMessage;

describe("the address of a client", () => {
  it.each<[string, string[], string, string | undefined, string]>([
    ["is who is connected, where no proxy is trusted", [], "10.0.0.1", "203.0.113.9", "10.0.0.1"],
    ["is written without the wrapping of a socket of both kinds", [], "::ffff:192.0.2.7", undefined, "192.0.2.7"],
    ["is who is connected, where that is no proxy of ours", ["10.0.0.0/8"], "192.0.2.7", "203.0.113.9", "192.0.2.7"],
    ["is whom a proxy of ours names", ["10.0.0.0/8"], "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["is the last that is none of ours", ["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.9.9.9", "203.0.113.9"],
    ["is the first of ours, where there are no others", ["10.0.0.0/8"], "10.0.0.1", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
    ["is the proxy, where it names nobody", ["10.0.0.1"], "10.0.0.1", undefined, "10.0.0.1"],
    ["is the proxy, where it names what is no address", ["10.0.0.1"], "10.0.0.1", "1.1.1.1, unknown", "10.0.0.1"],
    ["is read off sockets of both kinds", ["10.0.0.1"], "::ffff:10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["may be of version 6", ["fd00::/8"], "fd00::1", "[2001:db8::7]:443", "2001:db8::7"],
  ])("%s", (_, trusted, connected, forwarded, address) => {
    expect(clientAddresses(trusted).addressOf(request(connected, forwarded))).toBe(address);
  });

  it("is a proxy of ours where it is among them", () => {
    const said = [request("10.0.0.1"), request("::ffff:10.0.0.1"), request("192.0.2.7")];
    expect(said.map(clientAddresses(["10.0.0.0/8"]).viaProxy)).toEqual([true, true, false]);
    expect(said.map(clientAddresses([]).viaProxy)).toEqual([false, false, false]);
  });

  it("is compared with addresses and ranges of them", () => {
    for (const entry of ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) expect(isAddressRange(entry)).toBe(true);
    for (const entry of ["proxy", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/", "*"])
      expect(isAddressRange(entry)).toBe(false);
  });
});
